package dev.ron.rewarder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.fault.Fault;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the rewarder's faults as clients see it. */
final class RewarderFaultTest {
  @Test
  void eachFaultSaysItsRow() {
    assertThat(
            Stream.<Fault>of(
                    new RewarderFault.Schema("d"),
                    new RewarderFault.Unknown("run of epoch e"),
                    new RewarderFault.OtherInputs("e", "k"),
                    new RewarderFault.Quarantined("e", "why"),
                    new RewarderFault.BadInput("d"),
                    new RewarderFault.UnsignedPolicy("d"),
                    new RewarderFault.Busy("work", 512),
                    new RewarderFault.SealBroken("b3:0"),
                    new RewarderFault.InputUnavailable("d"),
                    new RewarderFault.Unavailable("d"))
                .map(Fault::said)
                .map(
                    said ->
                        "%d %s %s %s %s"
                            .formatted(
                                said.status(),
                                said.code(),
                                said.blame(),
                                said.retryAfter().map(Duration::toString).orElse("-"),
                                said.text())))
        .containsExactly(
            "400 schema CALLER - d",
            "404 unknown CALLER - there is no run of epoch e here",
            "409 other-inputs CALLER - epoch e was run with other inputs, as run k",
            "409 quarantined CALLER - the run of epoch e is quarantined: why; run it with mended"
                + " inputs",
            "422 bad-input CALLER - d",
            "422 unsigned-policy CALLER - d",
            "429 busy US PT1S work is full at 512; retry after the time given",
            "502 seal-broken UPSTREAM - the bytes read for b3:0 have another address",
            "502 input-unavailable UPSTREAM PT2S d",
            "503 unavailable US PT2S d");
  }
}
