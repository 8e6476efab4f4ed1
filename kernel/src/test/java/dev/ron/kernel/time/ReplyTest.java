package dev.ron.kernel.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReplyTest {
  private final VirtualTime time = new VirtualTime();
  private final Reply<String> reply = new Reply<>(time);

  @Test
  void theFirstAnswerCounts() throws Exception {
    assertThat(reply.now()).isNull();
    assertThat(reply.answer("a")).isTrue();
    assertThat(reply.answer("b")).isFalse();
    assertThat(reply.now()).isEqualTo("a");
    assertThat(reply.await(new Deadline(Instant.MIN))).isEqualTo("a");
  }

  @Test
  void aWaitEndsWithTheAnswerOfAnotherThread() throws Exception {
    var real = new Reply<String>(new SystemTime());
    Thread.ofVirtual().start(() -> real.answer("a"));
    assertThat(real.await(Deadline.NEVER)).isEqualTo("a");
  }

  @Test
  void aDeadlineThatPassesFirstLeavesTheClaimOpen() throws Exception {
    time.advance(Duration.ofSeconds(1));
    assertThat(reply.await(new Deadline(time.now()))).isNull();
    assertThat(reply.claimed()).isFalse();
    assertThat(reply.claim()).isTrue();
    assertThat(reply.claim()).isFalse();
  }

  @Test
  void anInterruptedWaitIsGivenUp() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> reply.await(Deadline.NEVER)).isInstanceOf(InterruptedException.class);
    assertThat(reply.claimed()).isTrue();
    assertThat(reply.claim()).isFalse();
  }
}
