package dev.ron.mailbox.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.cluster.protocol.LeaderRequest;
import dev.ron.mailbox.cluster.protocol.OutcomeCodec;
import dev.ron.mailbox.cluster.replica.Replica;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.shard.Leadership;
import dev.ron.mailbox.shard.ShardRequest;
import dev.ron.mailbox.shard.Shards;
import dev.ron.raft.RaftGroup;
import dev.ron.raft.RaftGroupStatus;
import dev.ron.raft.RaftNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The other machines of the cluster: asks the one that leads.
 *
 * <p>Nothing is asked twice. Whether a question that was not answered was heard is not known, and
 * the caller is told so.
 *
 * <p>Threading: thread-safe; a call may wait.
 */
final class LeaderClient implements Leadership {
  private final Time time;
  private final List<Replica> replicas;
  private final RaftNode node;
  private final Shards here;
  private final Function<String, Optional<String>> doors;
  private final List<LeaderRequestQueue> outgoing;

  /**
   * @param here the shards as far as this machine knows them
   * @param doors where clients reach a machine, if they are to be sent there
   */
  LeaderClient(
      Scope scope,
      List<Replica> replicas,
      RaftNode node,
      Shards here,
      Function<String, Optional<String>> doors) {
    this.time = scope.time();
    this.replicas = replicas;
    this.node = node;
    this.here = here;
    this.doors = doors;
    this.outgoing =
        replicas.stream()
            .map(each -> new LeaderRequestQueue(scope, each.group(), leaderOf(each.group())))
            .toList();
  }

  private LeaderRequestQueue.Call leaderOf(int group) {
    return (question, answer, refuse) -> send(group, question, node.silenceMax(), answer, refuse);
  }

  private int group(int shard) {
    return shard % replicas.size();
  }

  private boolean decides(int shard) {
    return replicas.get(group(shard)).decides();
  }

  @Override
  public boolean alone() {
    return false;
  }

  @Override
  public Optional<Duration> age() {
    return Optional.of(
        node.groups().stream()
            .map(RaftGroup::status)
            .map(RaftGroupStatus::sinceLeader)
            .max(Duration::compareTo)
            .orElse(Duration.ZERO));
  }

  @Override
  public Optional<String> door(int shard) {
    return decides(shard) ? Optional.empty() : leaderElsewhere(group(shard)).flatMap(doors);
  }

  private Optional<String> leaderElsewhere(int group) {
    return node.group(group).leader().filter(name -> !name.equals(node.node()));
  }

  @Override
  public boolean ask(int shard, ShardRequest.Do ask) {
    if (decides(shard)) {
      return false;
    }
    try {
      String topic = "";
      boolean sure = true;
      MessageAccess access = allowed(ask.command());
      if (access != null) {
        Optional<String> found = topicOf(shard, access.id());
        MailboxFault beyond =
            found.map(known -> access.reach().refusal(access.id(), known)).orElse(null);
        if (beyond != null) {
          ask.turnAway(beyond);
          return true;
        }
        sure = found.isPresent();
        topic = found.orElseGet(() -> access.reach().owner().everything());
      }
      var question =
          new LeaderRequest.Do(shard, ask.command(), limit().toMillis(), Payer.currentTenant());
      outgoing
          .get(group(shard))
          .put(
              new LeaderRequestQueue.PendingRequest(
                  ask, LeaderRequest.encode(question, topic), sure));
    } catch (IOException unanswered) {
      ask.turnAway(
          new MailboxFault.Unavailable(
              "the leader did not say which topic the message is of; nothing was done"));
    } catch (InterruptedException gone) {
      Thread.currentThread().interrupt();
      ask.turnAway(new MailboxFault.Unavailable("the request was given up; nothing was done"));
    }
    return true;
  }

  /**
   * What the leader's answer means to the caller. A message that no machine knew when its topic was
   * asked for and that the leader knows now came in between: the leader could not check the topic
   * and did nothing, which says nothing about what the caller may do.
   *
   * @param sure the topic went with the question, or there was none to go with it
   */
  static Outcome said(Outcome outcome, boolean sure) {
    return !sure && outcome instanceof Outcome.Refused(MailboxFault.CapScope _)
        ? new Outcome.Refused(
            new MailboxFault.Unavailable(
                "the topic of the message was not known in time; nothing was done"))
        : outcome;
  }

  /** What is said about a message, and of which topic it may be. */
  private record MessageAccess(Ulid id, TopicReach reach) {}

  private static @Nullable MessageAccess allowed(Command command) {
    return switch (command) {
      case Command.Ack ack -> new MessageAccess(ack.id(), ack.reach());
      case Command.Nack nack -> new MessageAccess(nack.id(), nack.reach());
      case Command.Extend extend -> new MessageAccess(extend.id(), extend.reach());
      case Command.Send _,
          Command.Receive _,
          Command.Tick _,
          Command.Retain _,
          Command.Reprocess _,
          Command.Carry _,
          Command.Drop _,
          QueueCommand _ ->
          null;
    };
  }

  /**
   * A message's topic never changes, so a machine that knows it is right; this machine may not yet.
   *
   * @throws IOException if the leader cannot be asked
   */
  private Optional<String> topicOf(int shard, Ulid id) throws IOException, InterruptedException {
    if (here.look(id.shard(), each -> each.topicOf(id))
            instanceof QueryResult.Seen<Optional<String>>(Optional<String> known)
        && known.isPresent()) {
      return known;
    }
    RaftGroup group = node.group(group(shard));
    byte[] question = LeaderRequest.encode(new LeaderRequest.TopicOf(shard, id), "");
    try {
      byte[] answer = group.ask(question).get(limit().toMillis(), TimeUnit.MILLISECONDS);
      return answer.length == 0 ? Optional.empty() : Optional.of(new String(answer, UTF_8));
    } catch (ExecutionException | TimeoutException unanswered) {
      throw new IOException("no topic", unanswered);
    }
  }

  @Override
  public boolean receive(int shard, ShardRequest.Receive ask, Duration wait) {
    if (decides(shard)) {
      return false;
    }
    if (ask.claim()) {
      var question =
          new LeaderRequest.Receive(
              shard, ask.request(), wait.toMillis(), limit().toMillis(), Payer.currentTenant());
      send(
          group(shard),
          LeaderRequest.encode(question, ""),
          limit(),
          outcomes -> ask.reply().answer(received(outcomes)),
          ask::refuse);
    }
    return true;
  }

  private static ReceiveResult received(List<Outcome> outcomes) {
    List<Envelope> envelopes = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Delivered(Envelope envelope)) {
        envelopes.add(envelope);
      } else if (outcome instanceof Outcome.Refused(MailboxFault fault)) {
        return new ReceiveResult.Refused(fault);
      }
    }
    return new ReceiveResult.Messages(envelopes);
  }

  /** A leader that is silent for so long is taken for gone; so is a question that it was asked. */
  private Duration limit() {
    Duration left = Deadline.current().remaining(time.now());
    return left.compareTo(node.silenceMax()) < 0 ? left : node.silenceMax();
  }

  private void send(
      int number,
      byte[] question,
      Duration limit,
      Consumer<List<Outcome>> answer,
      Consumer<MailboxFault> refuse) {
    RaftGroup group = node.group(number);
    Optional<String> known = leaderElsewhere(number);
    if (known.isEmpty()) {
      refuse.accept(
          new MailboxFault.Unavailable(
              "group %d has no leader that this machine can reach; nothing was done"
                  .formatted(number)));
      return;
    }
    String leader = known.get();
    CompletableFuture<byte[]> asked =
        group.ask(leader, question).orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS);
    var _ =
        asked.whenComplete(
            (bytes, failed) -> {
              if (failed != null) {
                refuse.accept(unanswered(leader, failed));
                return;
              }
              try {
                answer.accept(OutcomeCodec.decode(bytes));
              } catch (IOException wrong) {
                refuse.accept(unanswered(leader, wrong));
              }
            });
  }

  private static MailboxFault unanswered(String leader, Throwable why) {
    Throwable root = why;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return new MailboxFault.Unavailable(
        "%s did not answer and whether it was done is not known (%s)"
            .formatted(leader, root.getClass().getSimpleName()));
  }
}
