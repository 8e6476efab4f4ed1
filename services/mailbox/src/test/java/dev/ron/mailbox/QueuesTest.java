package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.SystemTime;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueRefusal;
import dev.ron.mailbox.core.queue.QueueSettings;
import dev.ron.mailbox.core.queue.RedriveAllowance;
import dev.ron.mailbox.core.queue.RedriveTarget;
import dev.ron.mailbox.queue.QueueReceive;
import dev.ron.mailbox.queue.QueueSend;
import dev.ron.mailbox.queue.QueueSettle;
import dev.ron.mailbox.queue.Queues;
import io.grpc.CallOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The facade on one machine: over restarts, several shards and another number of them. */
final class QueuesTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private static <T> T in(Callable<T> work) throws Exception {
    return Deadline.in(LIMIT, new SystemTime()).call(work);
  }

  private static QueueRecord make(Queues queues, String name, @Nullable RedriveTarget redrive)
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
            RedriveAllowance.ANY,
            false,
            false,
            false);
    return seen(
        in(
            () ->
                queues.create(
                    QueueRecord.wanted(topic(name), settings, Map.of("Policy", "p"), Map.of()),
                    List.of())));
  }

  private static String topic(String name) {
    return "sqs/1/" + name;
  }

  private static <T> T seen(QueryResult<T> result) {
    assertThat(result).isInstanceOf(QueryResult.Seen.class);
    return ((QueryResult.Seen<T>) result).value();
  }

  private static void send(Queues queues, String name, String group, String... bodies)
      throws Exception {
    var sends = new ArrayList<QueueSend>();
    for (String body : bodies) {
      byte[] bytes = body.getBytes(UTF_8);
      String dedup = name.endsWith(".fifo") ? body : "";
      sends.add(new QueueSend(bytes, Map.of(), null, group, dedup, "", bytes.length, "c"));
    }
    assertThat(in(() -> queues.send(topic(name), sends)))
        .hasSize(bodies.length)
        .allMatch(Outcome.Accepted.class::isInstance);
  }

  private static List<Envelope> receive(
      Queues queues, String name, int visibility, int wait, String attempt) throws Exception {
    return seen(
        in(() -> queues.receive(new QueueReceive(topic(name), 10, visibility, wait, attempt))));
  }

  private static List<String> bodies(List<Envelope> envelopes) {
    return envelopes.stream().map(each -> new String(each.body(), UTF_8)).toList();
  }

  private static void delete(Queues queues, String name, List<Envelope> envelopes)
      throws Exception {
    assertThat(
            in(
                () ->
                    queues.settle(
                        topic(name),
                        envelopes.stream()
                            .map(each -> QueueSettle.delete(each.message().id(), each.receipt()))
                            .toList())))
        .allMatch(Outcome.Done.class::isInstance);
  }

  @Test
  void aQueueIsMadeChangedListedAndDeleted() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      Queues queues = rig.wired.queues();
      make(queues, "a", null);
      make(queues, "b", new RedriveTarget(topic("a"), 3));
      QueueRecord changed =
          seen(in(() -> queues.change(topic("a"), each -> each.withTags(Map.of("k", "v")))));
      assertThat(changed.tags()).containsEntry("k", "v");
      assertThat(changed.opaque()).containsEntry("Policy", "p");
      assertThat(queues.list("sqs/1/", "", 10))
          .extracting(QueueRecord::topic)
          .containsExactly(topic("a"), topic("b"));
      assertThat(queues.list("sqs/1/", topic("a"), 10)).hasSize(1);
      assertThat(queues.sources(topic("a")))
          .extracting(QueueRecord::topic)
          .containsExactly(topic("b"));
      seen(in(() -> queues.delete(topic("b"))));
      assertThat(in(() -> queues.find(topic("b"))))
          .isEqualTo(new QueryResult.Refused<>(new MailboxFault.NoSuchQueue(topic("b"))));
    }
    try (Rig rig = Rig.open(folder)) {
      Queues queues = rig.wired.queues();
      assertThat(seen(in(() -> queues.find(topic("a")))).tags()).containsEntry("k", "v");
      assertThat(
              in(
                  () ->
                      queues.create(
                          QueueRecord.wanted(
                              topic("b"), QueueSettings.DEFAULTS, Map.of(), Map.of()),
                          List.of())))
          .isEqualTo(
              new QueryResult.Refused<>(
                  new MailboxFault.QueueRefused(QueueRefusal.DELETED_RECENTLY, topic("b"))));
    }
  }

  @Test
  void orderHoldsOverARestartWithAnotherNumberOfShards() throws Exception {
    List<Envelope> first;
    try (Rig rig = Rig.open(folder, "shard_count=8")) {
      Queues queues = rig.wired.queues();
      for (int i = 0; i < 20; i++) {
        make(queues, "q" + i + ".fifo", null);
        send(queues, "q" + i + ".fifo", "g", "1", "2");
      }
      first = receive(queues, "q0.fifo", 600, 0, "");
      assertThat(bodies(first)).containsExactly("1", "2");
    }
    try (Rig rig = Rig.open(folder, "shard_count=3")) {
      Queues queues = rig.wired.queues();
      send(queues, "q0.fifo", "g", "3");
      assertThat(receive(queues, "q0.fifo", 30, 0, "")).as("the group is blocked").isEmpty();
      delete(queues, "q0.fifo", first);
      assertThat(bodies(receive(queues, "q0.fifo", 30, 0, ""))).containsExactly("3");
      for (int i = 1; i < 20; i++) {
        send(queues, "q" + i + ".fifo", "g", "3");
        assertThat(bodies(receive(queues, "q" + i + ".fifo", 30, 0, "")))
            .containsExactly("1", "2", "3");
      }
    }
  }

  @Test
  void aBlockedGroupWakesNoLongPollAndItsDeleteDoes() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      Queues queues = rig.wired.queues();
      make(queues, "q.fifo", null);
      send(queues, "q.fifo", "g", "1");
      List<Envelope> first = receive(queues, "q.fifo", 600, 0, "");
      send(queues, "q.fifo", "g", "2");
      CompletableFuture<List<Envelope>> poll =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return receive(queues, "q.fifo", 600, 20, "");
                } catch (Exception failed) {
                  throw new IllegalStateException(failed);
                }
              });
      send(queues, "q.fifo", "g", "3");
      assertThat(poll).isNotDone();
      delete(queues, "q.fifo", first);
      assertThat(bodies(poll.get(20, java.util.concurrent.TimeUnit.SECONDS)))
          .containsExactly("2", "3");
    }
  }

  @Test
  void aLongPollEndsWithItsQueue() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      Queues queues = rig.wired.queues();
      make(queues, "brief", null);
      var request = new QueueReceive(topic("brief"), 1, 30, 20, "");
      CompletableFuture<QueryResult<List<Envelope>>> poll =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return in(() -> queues.receive(request));
                } catch (Exception failed) {
                  throw new IllegalStateException(failed);
                }
              });
      in(() -> queues.delete(topic("brief")));
      // A poll that came too late finds no queue.
      assertThat(poll.get(10, java.util.concurrent.TimeUnit.SECONDS))
          .matches(
              end ->
                  end instanceof QueryResult.Refused
                      || end.equals(new QueryResult.Seen<>(List.<Envelope>of())));
    }
  }

  @Test
  void theSameAttemptGetsTheSameMessagesWhileNoneWasChanged() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      Queues queues = rig.wired.queues();
      make(queues, "q.fifo", null);
      send(queues, "q.fifo", "g", "1", "2");
      List<Envelope> first = receive(queues, "q.fifo", 60, 0, "attempt");
      List<Envelope> again = receive(queues, "q.fifo", 60, 0, "attempt");
      assertThat(again)
          .extracting(Envelope::receipt)
          .isEqualTo(first.stream().map(Envelope::receipt).toList());
      assertThat(bodies(again)).containsExactly("1", "2");
      assertThat(receive(queues, "q.fifo", 60, 0, "another")).isEmpty();
      delete(queues, "q.fifo", again.subList(0, 1));
      assertThat(receive(queues, "q.fifo", 60, 0, "attempt")).isEmpty();
    }
  }

  @Test
  void deadLettersMoveToAQueueOfAnotherShardAndBackByATaskThatSurvivesARestart() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      Queues queues = rig.wired.queues();
      make(queues, "dead", null);
      int home = rig.wired.queues().list(topic("dead"), "", 1).getFirst().shard();
      String source = null;
      for (int i = 0; source == null; i++) {
        // of another shard than its dead letters' queue
        if (make(queues, "source" + i, new RedriveTarget(topic("dead"), 1)).shard() != home) {
          source = "source" + i;
        }
      }
      send(queues, source, "", "1", "2", "3");
      assertThat(receive(queues, source, 0, 0, "")).hasSize(3);
      List<Envelope> dead = receive(queues, "dead", 0, 5, "");
      assertThat(dead).allMatch(each -> each.attempt() == 2);
      assertThat(dead).extracting(Envelope::movedFrom).containsOnly(topic(source));
      String origin = source;
      await(() -> seen(queues.counts(topic("dead"))).ready() == 3);
      assertThat(seen(in(() -> queues.peek(topic("dead"), 10)))).hasSize(3);
      assertThat(seen(in(() -> queues.counts(topic(origin)))).ready()).isZero();
      assertThat(in(() -> queues.moves().start(topic(origin), "", 0)))
          .isInstanceOf(QueryResult.Refused.class);
      seen(in(() -> queues.moves().start(topic("dead"), "", 1)));
    }
    try (Rig rig = Rig.open(folder)) {
      Queues queues = rig.wired.queues();
      await(
          () ->
              seen(queues.moves().of(topic("dead"))).getFirst().status()
                  == MoveTask.Status.COMPLETED);
      assertThat(seen(in(() -> queues.moves().of(topic("dead")))).getFirst().moved()).isEqualTo(3);
      assertThat(seen(in(() -> queues.counts(topic("dead")))).ready()).isZero();
      String origin = queues.sources(topic("dead")).getLast().topic().substring(6);
      assertThat(bodies(receive(queues, origin, 30, 5, ""))).contains("1");
    }
  }

  /** A dead letter stays in its shard, and its queue may have another: its rules hold there too. */
  @Test
  void deadLettersGoDownAChainOfQueuesOfAnyShards() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      Queues queues = rig.wired.queues();
      make(queues, "last", null);
      QueueRecord middle = make(queues, "middle", new RedriveTarget(topic("last"), 1));
      int elsewhere = 0;
      for (int i = 0; elsewhere == 0; i++) {
        QueueRecord first = make(queues, "first" + i, new RedriveTarget(topic("middle"), 1));
        elsewhere += first.shard() == middle.shard() ? 0 : 1;
        send(queues, "first" + i, "", "m");
        assertThat(receive(queues, "first" + i, 0, 0, "")).hasSize(1);
        assertThat(receive(queues, "middle", 0, 5, "")).hasSize(1);
        List<Envelope> last = receive(queues, "last", 60, 5, "");
        assertThat(last).extracting(Envelope::movedFrom).containsExactly(topic("middle"));
        assertThat(last).extracting(Envelope::attempt).containsExactly(3);
      }
    }
  }

  @Test
  void aLookIsHeldToABoundOfBytes() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      Queues queues = rig.wired.queues();
      make(queues, "large", null);
      for (int i = 0; i < 12; i++) {
        send(queues, "large", "", "x".repeat(1 << 20));
      }
      assertThat(seen(in(() -> queues.peek(topic("large"), 1000)))).hasSize(8);
    }
  }

  @Test
  void aPurgeReachesWhatWasMovedThere() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      Queues queues = rig.wired.queues();
      make(queues, "dead", null);
      for (int i = 0; i < 6; i++) {
        make(queues, "s" + i, new RedriveTarget(topic("dead"), 1));
        send(queues, "s" + i, "", "1");
        assertThat(receive(queues, "s" + i, 0, 0, "")).hasSize(1);
      }
      await(() -> seen(queues.counts(topic("dead"))).ready() == 6);
      seen(in(() -> queues.purge(topic("dead"))));
      assertThat(seen(in(() -> queues.counts(topic("dead")))).ready()).isZero();
      assertThat(in(() -> queues.purge(topic("dead"))))
          .isEqualTo(
              new QueryResult.Refused<>(
                  new MailboxFault.QueueRefused(QueueRefusal.PURGED_RECENTLY, topic("dead"))));
    }
  }

  @Test
  void theNativeApiReadsTheSameQueue() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      Queues queues = rig.wired.queues();
      make(queues, "q.fifo", null);
      send(queues, "q.fifo", "g", "1", "2");
      String got = rig.post("/v1/recv", "{\"topic\":\"sqs/1/q.fifo\",\"max_messages\":1}");
      assertThat(got).startsWith("200").contains("\"payload_b64\":\"MQ==\"");
      assertThat(receive(queues, "q.fifo", 30, 0, "")).as("blocked by a native lease").isEmpty();
      assertThat(rig.post("/v1/ack/" + Rig.field(got, "msg_id"), "{}")).startsWith("200");
      List<Envelope> next = receive(queues, "q.fifo", 30, 0, "");
      assertThat(bodies(next)).containsExactly("2");
      assertThat(
              in(
                  () ->
                      queues.settle(
                          topic("q.fifo"),
                          List.of(
                              QueueSettle.delete(next.getFirst().message().id(), new Receipt(1))))))
          .hasOnlyElementsOfType(Outcome.Refused.class);
    }
  }

  @Test
  void grpcAndAStreamOfLinesReadTheSameQueue() throws Exception {
    try (Rig rig = Rig.open(folder);
        var calls = new GrpcCalls(rig.wired.door().port())) {
      Queues queues = rig.wired.queues();
      make(queues, "q.fifo", null);
      send(queues, "q.fifo", "g", "1", "2", "3");
      var one = new GrpcCalls.Message().text(1, topic("q.fifo")).number(2, 60_000).number(3, 1);
      UnknownFieldSet got = calls.call("Receive", one.done(), CallOptions.DEFAULT);
      UnknownFieldSet first =
          UnknownFieldSet.parseFrom(got.getField(1).getLengthDelimitedList().getFirst());
      assertThat(field(first, 5)).isEqualTo("1");
      assertThat(receive(queues, "q.fifo", 30, 0, "")).as("blocked by gRPC's lease").isEmpty();
      var ack = new GrpcCalls.Message().text(1, field(first, 1)).text(2, field(first, 11));
      calls.call("Ack", ack.done(), CallOptions.DEFAULT);
      HttpRequest lines =
          HttpRequest.newBuilder(
                  URI.create(
                      "http://127.0.0.1:%d/v1/recv/stream".formatted(rig.wired.door().port())))
              .POST(
                  HttpRequest.BodyPublishers.ofString("{\"topic\":\"sqs/1/q.fifo\",\"credit\":1}"))
              .build();
      try (var http = HttpClient.newHttpClient();
          Stream<String> stream = http.send(lines, HttpResponse.BodyHandlers.ofLines()).body()) {
        String second = stream.filter(line -> !line.isEmpty()).findFirst().orElseThrow();
        assertThat(second).contains("\"payload_b64\":\"Mg==\"");
        assertThat(receive(queues, "q.fifo", 30, 0, "")).as("blocked by the stream's").isEmpty();
        assertThat(rig.post("/v1/ack/" + Rig.field(second, "msg_id"), "{}")).startsWith("200");
        http.shutdownNow();
      }
    }
  }

  private static String field(UnknownFieldSet message, int number) {
    return message.getField(number).getLengthDelimitedList().getFirst().toString(UTF_8);
  }

  private static void await(Callable<Boolean> done) throws Exception {
    var time = new SystemTime();
    Instant limit = time.now().plus(LIMIT);
    while (!in(done)) {
      assertThat(time.now()).isBefore(limit);
      time.sleepUntil(time.now().plus(Duration.ofMillis(20)));
    }
  }
}
