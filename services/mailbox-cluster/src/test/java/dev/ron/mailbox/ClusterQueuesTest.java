package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.SystemTime;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueSettings;
import dev.ron.mailbox.core.queue.RedriveTarget;
import dev.ron.mailbox.queue.QueueReceive;
import dev.ron.mailbox.queue.QueueSend;
import dev.ron.mailbox.queue.QueueSettle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three machines in one process: each serves every queue, whichever leads its shard. */
final class ClusterQueuesTest {
  private static final Duration LIMIT = Duration.ofSeconds(40);

  @TempDir private static Path folder;
  private static Members members;

  @BeforeAll
  static void start() throws Exception {
    members = new Members(folder);
    for (String name : Machines.NAMES) {
      members.start(name);
    }
    members.awaitAllReady();
  }

  @AfterAll
  static void stop() throws Exception {
    members.stop(Machines.NAMES.toArray(String[]::new));
    members.close();
  }

  private static <T> T in(Callable<T> work) throws Exception {
    return Deadline.in(LIMIT, new SystemTime()).call(work);
  }

  /** Again while a leader is being found. */
  private static <T> T seen(Callable<QueryResult<T>> work) throws Exception {
    QueryResult<T> result = in(work);
    while (result instanceof QueryResult.Refused<T>(MailboxFault.Unavailable _)) {
      members.pause(50);
      result = in(work);
    }
    assertThat(result).isInstanceOf(QueryResult.Seen.class);
    return ((QueryResult.Seen<T>) result).value();
  }

  private static QueueRecord make(String node, String topic, @Nullable RedriveTarget redrive)
      throws Exception {
    QueueSettings all = QueueSettings.DEFAULTS;
    var settings =
        new QueueSettings(
            0,
            all.messageBytesMax(),
            all.retentionSeconds(),
            0,
            30,
            redrive,
            all.redriveAllow(),
            false,
            false,
            false);
    return seen(
        () ->
            members
                .queues(node)
                .create(QueueRecord.wanted(topic, settings, Map.of(), Map.of()), List.of()));
  }

  private static void send(String node, String topic, String body) throws Exception {
    byte[] bytes = body.getBytes(UTF_8);
    var send = new QueueSend(bytes, Map.of(), null, "g", body, "", bytes.length, "c");
    Outcome outcome = in(() -> members.queues(node).send(topic, List.of(send))).getFirst();
    assertThat(outcome).isInstanceOf(Outcome.Accepted.class);
  }

  private static List<Envelope> receive(String node, String topic, int visibility)
      throws Exception {
    return seen(() -> members.queues(node).receive(new QueueReceive(topic, 10, visibility, 3, "")));
  }

  @Test
  void everyMachineServesEveryQueueInOrder() throws Exception {
    for (int i = 0; i < 4; i++) {
      String topic = "sqs/1/q%d.fifo".formatted(i);
      make("a", topic, null);
      assertThat(seen(() -> members.queues("b").find(topic)).topic()).isEqualTo(topic);
      var sent = new ArrayList<String>();
      for (int each = 0; each < 6; each++) {
        send(Machines.NAMES.get(each % 3), topic, "m" + each);
        sent.add("m" + each);
      }
      List<Envelope> got = receive("c", topic, 60);
      assertThat(got.stream().map(each -> new String(each.body(), UTF_8)).toList()).isEqualTo(sent);
      send("b", topic, "next");
      assertThat(receive("a", topic, 60)).as("the group is blocked").isEmpty();
      List<QueueSettle> deletes =
          got.stream()
              .map(each -> QueueSettle.delete(each.message().id(), each.receipt()))
              .toList();
      assertThat(in(() -> members.queues("b").settle(topic, deletes)))
          .hasOnlyElementsOfType(Outcome.Done.class);
      assertThat(receive("a", topic, 60)).hasSize(1);
    }
  }

  @Test
  void deadLettersMoveAndAreDeletedThroughAnyMachine() throws Exception {
    make("a", "sqs/1/dead", null);
    // A machine that has not heard of it yet leaves the message where it is until its next lease.
    awaitKnown("sqs/1/dead", true);
    for (int i = 0; i < 4; i++) {
      String topic = "sqs/1/source" + i;
      make("b", topic, new RedriveTarget("sqs/1/dead", 1));
      send("c", topic, "m" + i);
      assertThat(receive("a", topic, 0)).hasSize(1);
      List<Envelope> dead = receive(Machines.NAMES.get(i % 3), "sqs/1/dead", 60);
      assertThat(dead).singleElement().satisfies(each -> assertThat(each.attempt()).isEqualTo(2));
      Envelope one = dead.getFirst();
      assertThat(one.movedFrom()).isEqualTo(topic);
      var delete = QueueSettle.delete(one.message().id(), one.receipt());
      assertThat(
              in(
                  () ->
                      members
                          .queues(Machines.NAMES.get((one.shard() + 1) % 3))
                          .settle("sqs/1/dead", List.of(delete))))
          .hasOnlyElementsOfType(Outcome.Done.class);
    }
    seen(() -> members.queues("c").delete("sqs/1/dead"));
    awaitKnown("sqs/1/dead", false);
  }

  private static void awaitKnown(String topic, boolean there) throws Exception {
    members.await(
        "all know of " + topic,
        () ->
            Machines.NAMES.stream()
                .allMatch(name -> members.queues(name).list(topic, "", 1).isEmpty() != there));
  }
}
