package dev.ron.storage.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that answer, and one that never does. */
@Timeout(30)
final class FanoutTest {
  private final World world = World.real(Log.silent());
  private final CountDownLatch never = new CountDownLatch(1);

  @Test
  void aNodeThatDoesNotAnswerInTimeIsOneThatDoesNotAnswer() throws Exception {
    var fanout = new Fanout(world.threads(), world.time(), Duration.ofMillis(200));
    check(fanout.ask(List.of("a", "silent", "b"), this::ask));
  }

  @Test
  void theCallersDeadlineCounts() throws Exception {
    var fanout = new Fanout(world.threads(), world.time(), Duration.ofDays(1));
    check(
        Deadline.in(Duration.ofMillis(200), world.time())
            .call(() -> fanout.ask(List.of("a", "silent", "b"), this::ask)));
  }

  private String ask(String node) throws InterruptedException {
    if (node.equals("silent")) {
      never.await();
    }
    return node + "!";
  }

  private static void check(List<Fanout.Answer<String, String>> answers) {
    assertThat(answers).extracting(Fanout.Answer::node).containsExactly("a", "silent", "b");
    assertThat(answers).extracting(Fanout.Answer::value).containsExactly("a!", null, "b!");
    assertThat(answers.get(1).trouble()).hasMessage("no answer in time");
  }
}
