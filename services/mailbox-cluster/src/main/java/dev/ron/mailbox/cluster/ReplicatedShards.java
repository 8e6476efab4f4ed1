package dev.ron.mailbox.cluster;

import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.mailbox.MailboxEvent;
import dev.ron.mailbox.cluster.replica.AloneJournal;
import dev.ron.mailbox.cluster.replica.Replica;
import dev.ron.mailbox.cluster.replica.StateTransferMark;
import dev.ron.mailbox.core.state.ShardLimits;
import dev.ron.mailbox.journal.DiskUse;
import dev.ron.mailbox.journal.MailboxFolder;
import dev.ron.mailbox.journal.MailboxJournal;
import dev.ron.mailbox.shard.Leadership;
import dev.ron.mailbox.shard.MailboxLimits;
import dev.ron.mailbox.shard.ShardSlot;
import dev.ron.mailbox.shard.Shards;
import dev.ron.mailbox.shard.TopicShards;
import dev.ron.raft.RaftGroup;
import dev.ron.raft.RaftGroupStatus;
import dev.ron.raft.RaftNode;
import dev.ron.raft.RaftSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * This machine's shards, and the groups in which they are kept in step with those of others.
 *
 * <p>Threading: thread-safe once wired.
 */
public final class ReplicatedShards {
  private static final Duration TRANSFER_LIMIT = Duration.ofSeconds(10);

  private final List<Replica> replicas;
  private final RaftNode node;
  private final Shards shards;

  /**
   * What it is made of.
   *
   * @param journal limits of a group's own journal, with the folder of all of them
   * @param bounds made when the journals are there, because it asks for their size
   * @param doors where clients reach a machine, if they are to be sent there
   * @param log makes this machine's part in the groups
   */
  public record Plan(
      Path folder,
      int shardCount,
      ShardLimits limits,
      JournalSettings journal,
      RaftSettings raft,
      Function<List<MailboxJournal>, MailboxLimits> bounds,
      Function<String, Optional<String>> doors,
      RaftNode.Maker log) {}

  private ReplicatedShards(List<Replica> replicas, RaftNode node, Shards shards) {
    this.replicas = replicas;
    this.node = node;
    this.shards = shards;
  }

  /** Reads the journals of all groups; the other machines are reached once the node is open. */
  public static ReplicatedShards open(Scope scope, Plan plan, Broadcast<MailboxEvent> events)
      throws IOException {
    List<Replica> replicas = new ArrayList<>();
    for (int i = 0; i < plan.raft().groups(); i++) {
      replicas.add(replica(scope, plan, i));
    }
    RaftNode node = plan.log().make(scope, plan.raft(), replicas::get);
    var topics = new TopicShards(plan.shardCount());
    List<ShardSlot> slots = recover(scope, plan, replicas, topics, events);
    var here = new Shards(scope, topics, slots, Leadership.LOCAL);
    var answers = new LeaderServer(scope, here);
    for (Replica each : replicas) {
      each.answering(bytes -> answers.answer(each, bytes));
      each.peerCall((machine, question) -> wait(node.group(each.group()).ask(machine, question)));
    }
    var peers = new LeaderClient(scope, replicas, node, here, plan.doors());
    var cluster = new ReplicatedShards(replicas, node, new Shards(scope, topics, slots, peers));
    return cluster;
  }

  private static List<ShardSlot> recover(
      Scope scope,
      Plan plan,
      List<Replica> replicas,
      TopicShards topics,
      Broadcast<MailboxEvent> events)
      throws IOException {
    MailboxLimits bounds = plan.bounds().apply(replicas.stream().map(Replica::journal).toList());
    List<ShardSlot> slots = new ArrayList<>();
    for (int i = 0; i < plan.shardCount(); i++) {
      MailboxJournal journal = replicas.get(i % replicas.size()).journal();
      slots.add(new ShardSlot(scope, i, plan.limits(), bounds, journal, topics, events));
    }
    for (Replica each : replicas) {
      each.journal()
          .recoverAll(each.shards(), (number, image) -> slots.get(number).make(image))
          .forEach((number, shard) -> slots.get(number).recovered(shard));
    }
    return List.copyOf(slots);
  }

  private static Replica replica(Scope scope, Plan plan, int group) throws IOException {
    Path folder = plan.folder().resolve("group-" + group);
    JournalSettings all = plan.journal();
    var settings =
        JournalSettings.in(MailboxFolder.journal(folder))
            .named(all.name() + "-" + group)
            .sized(all.segmentBytes(), all.bufferBytes(), all.recordBytesMax(), all.growBytes())
            .flushedEvery(all.flushInterval());
    MailboxFolder.fixed(scope.disk(), folder, "shards", plan.shardCount());
    var mark = new StateTransferMark(scope.disk(), folder);
    if (mark.dropUnfinished()) {
      scope.log().warn("copy-dropped", "group", group, "why", "it was broken off");
    }
    var alone = new AloneJournal(scope.disk(), plan.folder(), folder);
    alone.adopt(plan.shardCount(), plan.raft());
    FileJournal file = MailboxFolder.open(scope, folder, settings);
    List<Integer> numbers =
        IntStream.range(0, plan.shardCount())
            .filter(shard -> shard % plan.raft().groups() == group)
            .boxed()
            .toList();
    return new Replica(
        scope,
        group,
        numbers,
        file,
        mark,
        alone,
        plan.shardCount(),
        DiskUse.of(scope.disk(), settings.folder()));
  }

  private static byte[] wait(CompletableFuture<byte[]> asked)
      throws IOException, InterruptedException {
    try {
      return asked.get(TRANSFER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException failed) {
      throw new IOException("the leader did not answer", failed);
    }
  }

  public Shards shards() {
    return shards;
  }

  public RaftNode node() {
    return node;
  }

  public List<RaftGroupStatus> status() {
    return node.groups().stream().map(RaftGroup::status).toList();
  }

  /** Takes a machine into every group; it is brought up to date before it counts. */
  public void join(String name, String address) throws IOException, InterruptedException {
    for (RaftGroup group : node.groups()) {
      Map<String, String> peers = peers(group);
      peers.put(name, address);
      group.change(peers);
    }
  }

  /** Lets a machine go from every group, whether it runs or not. */
  public void leave(String name) throws IOException, InterruptedException {
    for (RaftGroup group : node.groups()) {
      Map<String, String> peers = peers(group);
      if (peers.remove(name) != null) {
        group.change(peers);
      }
    }
  }

  /** Hands a group over; refused at once if the other has not answered of late. */
  public void transfer(int group, String to) throws IOException {
    for (RaftGroupStatus.Peer peer : node.group(group).status().peers()) {
      if (peer.name().equals(to) && peer.silence().compareTo(node.silenceMax()) > 0) {
        throw new IOException(
            "%s has not answered for %d s".formatted(to, peer.silence().toSeconds()));
      }
    }
    node.group(group).transfer(to, TRANSFER_LIMIT);
  }

  private static Map<String, String> peers(RaftGroup group) {
    var peers = new TreeMap<String, String>();
    group.status().peers().forEach(peer -> peers.put(peer.name(), peer.address()));
    return peers;
  }

  /** The groups on this machine, by number. */
  public List<Replica> replicas() {
    return replicas;
  }

  /** The group that keeps a shard. */
  public Replica replica(int shard) {
    return replicas.get(shard % replicas.size());
  }

  /** Sums something up over the journals. */
  public static long sum(List<MailboxJournal> journals, ToLongFunction<MailboxJournal> what) {
    return journals.stream().mapToLong(what).sum();
  }
}
