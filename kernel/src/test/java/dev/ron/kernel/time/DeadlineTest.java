package dev.ron.kernel.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {
  private final VirtualTime time = new VirtualTime();

  @Test
  void aDeadlineInsideAnotherOnlyShrinksIt() throws Exception {
    var outer = Deadline.in(Duration.ofSeconds(2), time);
    var longer = Deadline.in(Duration.ofSeconds(9), time);
    var shorter = Deadline.in(Duration.ofSeconds(1), time);
    assertThat(Deadline.current()).isEqualTo(Deadline.NEVER);
    assertThat(outer.<Deadline>call(Deadline::current)).isEqualTo(outer);
    assertThat(outer.<Deadline>call(() -> longer.call(Deadline::current))).isEqualTo(outer);
    assertThat(outer.<Deadline>call(() -> shorter.call(Deadline::current))).isEqualTo(shorter);
    assertThat(Deadline.current()).isEqualTo(Deadline.NEVER);
  }

  @Test
  void whatIsLeftIsNeverNegative() {
    var deadline = Deadline.in(Duration.ofSeconds(1), time);
    assertThat(deadline.remaining(time.now())).isEqualTo(Duration.ofSeconds(1));
    time.advance(Duration.ofSeconds(1));
    assertThat(deadline.passed(time.now())).isTrue();
    time.advance(Duration.ofSeconds(1));
    assertThat(deadline.remaining(time.now())).isZero();
  }

  @Test
  void anEndlessDurationIsNever() {
    assertThat(Deadline.in(Duration.ofSeconds(Long.MAX_VALUE), time)).isEqualTo(Deadline.NEVER);
  }
}
