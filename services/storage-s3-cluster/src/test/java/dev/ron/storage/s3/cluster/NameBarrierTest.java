package dev.ron.storage.s3.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.SystemTime;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class NameBarrierTest {
  private final NameBarrier barrier = new NameBarrier(Scope.of("test", World.real(Log.silent())));
  private final FutureTask<String> reader =
      new FutureTask<>(
          () -> {
            try {
              barrier.await();
              return "passed";
            } catch (Refusal refused) {
              return refused.getMessage();
            }
          });

  private Reply<Boolean> round() {
    Thread.ofVirtual().start(reader);
    Reply<Boolean> round = barrier.take();
    while (round == null) {
      Thread.onSpinWait();
      round = barrier.take();
    }
    return round;
  }

  @Test
  void aBatchThatTakesLongerThanALookLetsItsReadersPass() throws Exception {
    Reply<Boolean> round = round();
    var time = new SystemTime();
    time.sleepUntil(time.now().plus(Duration.ofMillis(600)));
    assertThat(barrier.take()).as("it waits for the batch it is in, and for no other").isNull();
    round.answer(true);
    assertThat(reader.get(30, TimeUnit.SECONDS)).isEqualTo("passed");
  }

  @Test
  void aBatchThatFailedIsFollowedByAnother() throws Exception {
    round().answer(false);
    Reply<Boolean> next = barrier.take();
    while (next == null) {
      Thread.onSpinWait();
      next = barrier.take();
    }
    next.answer(true);
    assertThat(reader.get(30, TimeUnit.SECONDS)).isEqualTo("passed");
  }

  @Test
  void itIsRefusedOnceNoMachineLeads() throws Exception {
    var gone = new AtomicBoolean();
    barrier.open(gone::get);
    Reply<Boolean> round = round();
    gone.set(true);
    assertThat(reader.get(10, TimeUnit.SECONDS)).contains("no machine leads");
    assertThat(round.now()).isNull();
  }
}
