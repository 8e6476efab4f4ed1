package dev.ron.kernel.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of the kernel's faults, and what derives from a row. */
class KernelFaultTest {
  private static final Duration REST = Duration.ofMillis(1500);

  @Test
  void eachFaultSaysItsRow() {
    assertThat(
            List.of(
                    new KernelFault.Draining("mailbox"),
                    new KernelFault.Busy("inbox", 512, REST),
                    new KernelFault.Timeout("read", REST),
                    new KernelFault.Timeout("read", Duration.ZERO),
                    new KernelFault.BreakerOpen("ledger", REST))
                .stream()
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
            "503 draining US PT5S mailbox is shutting down; send the request to another instance"
                + " or later",
            "429 busy US PT1.5S inbox is full at 512; retry after the time given",
            "504 timeout US - read took longer than its limit of 1500 ms",
            "504 timeout US - read did not end before its deadline",
            "503 breaker-open UPSTREAM PT1.5S ledger failed too often and is not called until it"
                + " had time to recover");
  }

  @Test
  void everythingDerivesFromTheRow() {
    Fault fault =
        new Fault() {
          @Override
          public Said said() {
            return Said.upstream(502, "lost", "it is gone").after(REST);
          }
        };
    assertThat(fault.status()).isEqualTo(502);
    assertThat(fault.code()).isEqualTo("lost");
    assertThat(fault.blame()).isEqualTo(Blame.UPSTREAM);
    assertThat(fault.detail()).isEqualTo("it is gone");
    assertThat(fault.retryAfter()).contains(REST);
  }
}
