package dev.ron.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProblemTest {
  @Test
  void itHasTheFaultsCodeAndDetailAndWhenToRetry() {
    var busy = new KernelFault.Busy("inbox", 512, Duration.ofMillis(1001));
    assertThat(new String(new Problem(429, busy, "c-1").json(), UTF_8))
        .isEqualTo(
            "{\"code\":\"busy\",\"status\":429,"
                + "\"detail\":\"inbox is full at 512; retry after the time given\","
                + "\"corr_id\":\"c-1\",\"retry_after\":2}");
  }

  @Test
  void whatElseAProgramMayReadStandsBesideTheDetail() {
    Fault named =
        new Fault() {
          @Override
          public Said said() {
            return Said.us(429, "busy", "full");
          }

          @Override
          public Map<String, String> members() {
            return Map.of("queue_depth", "12\"");
          }
        };
    assertThat(new String(new Problem(429, named, "c").json(), UTF_8))
        .endsWith(",\"queue_depth\":\"12\\\"\"}");
  }

  @Test
  void whereWaitingDoesNotHelpNothingIsSaidAboutIt() {
    var late = new KernelFault.Timeout("read", Duration.ofSeconds(5));
    assertThat(new String(new Problem(504, late, "c").json(), UTF_8)).doesNotContain("retry_after");
  }
}
