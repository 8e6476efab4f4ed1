package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.fault.Fault;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the gateway's faults as clients see it. */
final class GatewayFaultTest {
  private static final GatewayFault.QueuePlace STANDING =
      new GatewayFault.QueuePlace(GatewayFault.TenantClass.HEADER, 3);

  @Test
  void eachFaultSaysItsRow() {
    Duration rest = Duration.ofMillis(700);
    assertThat(
            Stream.<Fault>of(
                    new GatewayFault.Quota("a tenant", 50, rest, STANDING),
                    new GatewayFault.Busy("work", 512, STANDING),
                    new GatewayFault.Upstream("/api", "why", STANDING),
                    new GatewayFault.Draining(STANDING),
                    new GatewayFault.Degraded("why", rest, STANDING))
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
            "429 quota CALLER PT0.7S a tenant may send 50 requests a second; retry after the time"
                + " given",
            "429 busy US PT1S work is full at 512; retry after the time given",
            "502 upstream UPSTREAM - the upstream of /api failed: why",
            "503 draining US PT5S gateway is shutting down; send the request to another instance or"
                + " later",
            "503 degraded US PT0.7S why; retry after the time given");
  }

  @Test
  void eachFaultSaysWhereTheRequestStood() {
    assertThat(new GatewayFault.Draining(STANDING).members().toString())
        .isEqualTo("{tenant_class=header, queue_depth=3}");
  }
}
