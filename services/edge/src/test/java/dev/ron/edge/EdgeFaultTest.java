package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.fault.Fault;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the edge's faults as clients see it. */
final class EdgeFaultTest {
  @Test
  void eachFaultSaysItsRow() {
    assertThat(
            Stream.<Fault>of(
                    new EdgeFault.CapAuth("d"),
                    new EdgeFault.CapScope("d"),
                    new EdgeFault.NotAllowed("d"),
                    new EdgeFault.NotFound("d"),
                    new EdgeFault.PreconditionFailed(),
                    new EdgeFault.InvalidRange("d", 7),
                    new EdgeFault.NotCached(),
                    new EdgeFault.Offline("d"),
                    new EdgeFault.Amnesia(),
                    new EdgeFault.Busy(512),
                    new EdgeFault.BodyCap("d"),
                    new EdgeFault.DecompressCap("d"),
                    new EdgeFault.UpstreamTimeout("d"),
                    new EdgeFault.EtagInvalid("d"),
                    new EdgeFault.Upstream("d"),
                    new EdgeFault.Unavailable("d"))
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
            "401 cap-auth CALLER - d",
            "403 cap-scope CALLER - d",
            "403 not-allowed CALLER - d",
            "404 not-found CALLER - d",
            "412 precondition-failed CALLER - what is served now does not have the entity tag or"
                + " date of the precondition",
            "416 invalid-range CALLER - d",
            "504 not-cached CALLER - only-if-cached was asked for, and no stored answer can be"
                + " used",
            "504 offline US - d",
            "503 amnesia US - the edge keeps nothing (amnesia), and fill.under_amnesia = refuse",
            "429 busy US PT1S 512 fills are waiting already; retry after the time given",
            "502 body-cap UPSTREAM - d",
            "502 decompress-cap UPSTREAM - d",
            "504 timeout UPSTREAM - d",
            "502 etag-invalid UPSTREAM - d",
            "502 upstream UPSTREAM - d",
            "503 unavailable US PT2S d");
  }
}
