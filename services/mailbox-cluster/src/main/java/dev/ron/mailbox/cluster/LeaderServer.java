package dev.ron.mailbox.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.cluster.protocol.LeaderRequest;
import dev.ron.mailbox.cluster.protocol.OutcomeCodec;
import dev.ron.mailbox.cluster.replica.Replica;
import dev.ron.mailbox.cluster.replica.StateTransfer;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.shard.Shards;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * Answers what other machines ask this one about shards that it leads.
 *
 * <p>Each question has a thread of its own, as a request has; more than so many at a time are
 * refused.
 *
 * <p>Threading: thread-safe.
 */
final class LeaderServer {
  private static final int AT_ONCE_MAX = 1024;

  /** Apart: a machine that joins shall not wait for all that wait for messages. */
  private static final int COPIES_MAX = 8;

  private final Scope scope;
  private final Shards here;
  private final Semaphore places;
  private final Semaphore copies;

  /**
   * @param here as a machine alone sees them: what this machine does not decide is not passed on
   */
  LeaderServer(Scope scope, Shards here) {
    this(scope, here, AT_ONCE_MAX, COPIES_MAX);
  }

  LeaderServer(Scope scope, Shards here, int atOnceMax, int copiesMax) {
    this.scope = scope;
    this.here = here;
    this.places = new Semaphore(atOnceMax);
    this.copies = new Semaphore(copiesMax);
  }

  CompletableFuture<byte[]> answer(Replica replica, ByteBuffer bytes) {
    var done = new CompletableFuture<byte[]>();
    int number = LeaderRequest.number(bytes);
    Semaphore room = number == LeaderRequest.COPY ? copies : places;
    if (!room.tryAcquire()) {
      if (number == LeaderRequest.COPY || number == LeaderRequest.TOPIC_OF) {
        // An outcome in the place of their answers would be read as a part of the state, or a
        // topic.
        return CompletableFuture.failedFuture(new IOException("too many machines ask"));
      }
      var busy = new MailboxFault.Saturated("peers", AT_ONCE_MAX, Duration.ofSeconds(1));
      done.complete(OutcomeCodec.encode(List.of(new Outcome.Refused(busy))));
      return done;
    }
    scope
        .world()
        .threads()
        .start(
            "mailbox/answer",
            () -> {
              try {
                done.complete(answered(replica, LeaderRequest.decode(bytes)));
              } catch (Exception failed) {
                done.completeExceptionally(failed);
              } finally {
                room.release();
              }
            });
    return done;
  }

  private byte[] answered(Replica replica, LeaderRequest question) throws Exception {
    return switch (question) {
      case LeaderRequest.Do todo ->
          within(todo.millis(), () -> OutcomeCodec.encode(decided(List.of(todo))));
      case LeaderRequest.Many(List<LeaderRequest.Do> all) ->
          within(
              all.stream().mapToLong(LeaderRequest.Do::millis).max().orElse(0),
              () -> OutcomeCodec.encode(decided(all)));
      case LeaderRequest.Receive receive ->
          within(
              receive.millis(),
              () -> as(receive.tenant(), () -> OutcomeCodec.encode(received(receive))));
      case LeaderRequest.TopicOf topic ->
          within(
              Duration.ofSeconds(5).toMillis(),
              () ->
                  switch (here.look(topic.shard(), it -> it.topicOf(topic.id()))) {
                    case QueryResult.Seen<Optional<String>>(Optional<String> found) ->
                        found.orElse("").getBytes(UTF_8);
                    case QueryResult.Refused<Optional<String>> _ -> new byte[0];
                  });
      case LeaderRequest.Copy copy ->
          StateTransfer.part(copy, replica, replica.journal().journal());
    };
  }

  /** Each tenant's stand in its own line, in their order. */
  private List<Outcome> decided(List<LeaderRequest.Do> all) throws Exception {
    var places = new LinkedHashMap<String, List<Integer>>();
    for (int i = 0; i < all.size(); i++) {
      places.computeIfAbsent(all.get(i).tenant(), _ -> new ArrayList<>()).add(i);
    }
    var replies = new TreeMap<Integer, Reply<Outcome>>();
    for (Map.Entry<String, List<Integer>> each : places.entrySet()) {
      List<Shards.ShardCommand> commands =
          each.getValue().stream()
              .map(i -> new Shards.ShardCommand(all.get(i).shard(), all.get(i).command()))
              .toList();
      List<Reply<Outcome>> theirs = as(each.getKey(), () -> here.submitAll(commands));
      for (int i = 0; i < theirs.size(); i++) {
        replies.put(each.getValue().get(i), theirs.get(i));
      }
    }
    var outcomes = new ArrayList<Outcome>();
    for (Reply<Outcome> each : replies.values()) {
      outcomes.add(here.await(each));
    }
    return outcomes;
  }

  /** The machine that took the request in charges for it; here it takes its tenant's turns. */
  private static <T> T as(String tenant, Callable<T> work) throws Exception {
    return tenant.isEmpty() ? work.call() : Payer.uncounted(tenant).call(work);
  }

  private byte[] within(long millis, Callable<byte[]> work) throws Exception {
    return Deadline.in(Duration.ofMillis(millis), scope.time()).call(work);
  }

  private List<Outcome> received(LeaderRequest.Receive receive) throws InterruptedException {
    Duration wait = Duration.ofMillis(receive.waitMillis());
    return switch (here.receiveFrom(receive.shard(), receive.request(), wait)) {
      case ReceiveResult.Messages messages ->
          messages.envelopes().stream().<Outcome>map(Outcome.Delivered::new).toList();
      case ReceiveResult.Refused(MailboxFault fault) -> List.of(new Outcome.Refused(fault));
    };
  }
}
