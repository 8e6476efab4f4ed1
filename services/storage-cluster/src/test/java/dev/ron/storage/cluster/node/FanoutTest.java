package dev.ron.storage.cluster.node;

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
@Timeout(120)
final class FanoutTest {
  private final World world = World.real(Log.silent());
  private final CountDownLatch never = new CountDownLatch(1);

  @Test
  void aNodeThatDoesNotAnswerInTimeIsOneThatDoesNotAnswer() throws Exception {
    check(
        limit ->
            new Fanout(world.threads(), world.time(), limit)
                .ask(List.of("a", "silent", "b"), this::ask));
  }

  @Test
  void theCallersDeadlineCounts() throws Exception {
    var fanout = new Fanout(world.threads(), world.time(), Duration.ofDays(1));
    check(
        limit ->
            Deadline.in(limit, world.time())
                .call(() -> fanout.ask(List.of("a", "silent", "b"), this::ask)));
  }

  private String ask(String node) throws InterruptedException {
    if (node.equals("silent")) {
      never.await();
    }
    return node + "!";
  }

  private interface Question {
    List<Fanout.Answer<String, String>> within(Duration limit) throws Exception;
  }

  /** On a busy machine those that answer may take longer too; then they get more time. */
  private static void check(Question question) throws Exception {
    Duration limit = Duration.ofMillis(200);
    List<Fanout.Answer<String, String>> answers = question.within(limit);
    while (limit.toSeconds() < 20
        && (answers.get(0).value() == null || answers.get(2).value() == null)) {
      limit = limit.multipliedBy(2);
      answers = question.within(limit);
    }
    assertThat(answers).extracting(Fanout.Answer::node).containsExactly("a", "silent", "b");
    assertThat(answers).extracting(Fanout.Answer::value).containsExactly("a!", null, "b!");
    assertThat(answers.get(1).trouble()).hasMessage("no answer in time");
  }
}
