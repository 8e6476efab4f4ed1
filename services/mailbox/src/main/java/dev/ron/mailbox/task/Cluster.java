package dev.ron.mailbox.task;

import dev.ron.journal.FileJournal;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.ShardLimits;
import dev.ron.mailbox.disk.CopyMark;
import dev.ron.mailbox.disk.DiskUse;
import dev.ron.mailbox.disk.MailboxFolder;
import dev.ron.mailbox.disk.MailboxJournal;
import dev.ron.raft.GroupStatus;
import dev.ron.raft.RaftGroup;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * This machine's shards, and the groups in which they are kept in step with those of others.
 *
 * <p>Threading: thread-safe once wired.
 */
public final class Cluster {
  private static final Duration TRANSFER_LIMIT = Duration.ofSeconds(10);

  private final Scope scope;
  private final List<FileJournal> files = new ArrayList<>();
  private final List<Replica> replicas = new ArrayList<>();
  private final RaftNode node;
  private final Shards shards;
  private final boolean spreads;

  /**
   * What it is made of.
   *
   * @param journal limits of a group's own journal, with the folder of all of them
   * @param bounds made when the journals are there, because it asks for their size
   * @param spreads hands leadership over until every machine has its part
   */
  public record Plan(
      Path folder,
      int shardCount,
      ShardLimits limits,
      JournalSettings journal,
      RaftSettings raft,
      Function<List<MailboxJournal>, Bounds> bounds,
      boolean spreads) {}

  private Cluster(Scope scope, Plan plan, MailboxMetrics metrics) throws IOException {
    this.scope = scope;
    this.spreads = plan.spreads();
    int groups = plan.raft().groups();
    for (int i = 0; i < groups; i++) {
      replicas.add(replica(plan, i));
    }
    this.node = new RaftNode(scope, plan.raft(), replicas::get);
    Bounds bounds = plan.bounds().apply(replicas.stream().map(Replica::journal).toList());
    var topics = new TopicShards(plan.shardCount());
    List<ShardHome> homes =
        IntStream.range(0, plan.shardCount())
            .mapToObj(
                i ->
                    new ShardHome(
                        scope,
                        i,
                        plan.limits(),
                        bounds,
                        replicas.get(i % groups).journal(),
                        topics))
            .toList();
    for (Replica each : replicas) {
      each.journal()
          .recoverAll(each.shards(), (number, image) -> homes.get(number).make(image))
          .forEach((number, shard) -> homes.get(number).recovered(shard));
    }
    this.shards =
        Shards.across(
            new ShardTasks(scope, homes.getFirst().journal(), bounds, metrics, topics, homes),
            all -> peers(all),
            plan.limits());
    var answers = new Answers(scope, shards);
    for (Replica each : replicas) {
      each.answering(bytes -> answers.answer(each, bytes));
      each.asking((machine, question) -> wait(node.group(each.group()).ask(machine, question)));
    }
    scope.readiness().derived("cluster", this::missing);
  }

  public static Cluster open(Scope scope, Plan plan, MailboxMetrics metrics) throws IOException {
    return new Cluster(scope, plan, metrics);
  }

  private Replica replica(Plan plan, int group) throws IOException {
    Path folder = plan.folder().resolve("group-" + group);
    JournalSettings all = plan.journal();
    var settings =
        JournalSettings.in(MailboxFolder.journal(folder))
            .named(all.name() + "-" + group)
            .sized(all.segmentBytes(), all.bufferBytes(), all.recordBytesMax(), all.growBytes())
            .flushedEvery(all.flushInterval());
    MailboxFolder.fixed(scope.disk(), folder, "shards", plan.shardCount());
    var mark = new CopyMark(scope.disk(), folder);
    if (mark.dropUnfinished()) {
      scope.log().warn("copy-dropped", "group", group, "why", "it was broken off");
    }
    FileJournal file = MailboxFolder.open(scope, folder, settings);
    files.add(file);
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

  private Peers peers(Shards all) {
    return new Peers(
        scope,
        replicas,
        node,
        id ->
            all.look(id.shard(), shard -> shard.topicOf(id), "peer")
                    instanceof Looked.Seen<Optional<String>>(Optional<String> found)
                ? found
                : Optional.empty());
  }

  /** Why this machine cannot serve: without a majority nothing can be decided. */
  private Optional<String> missing() {
    String without =
        node.groups().stream()
            .map(RaftGroup::status)
            .filter(status -> !status.quorum())
            .map(
                status ->
                    status.alive()
                        ? "group " + status.group() + " has no quorum"
                        : "group " + status.group() + " has failed here; restart this machine")
            .collect(Collectors.joining(", "));
    if (node.groups().isEmpty()) {
      return Optional.of("not open yet");
    }
    return without.isEmpty() ? Optional.empty() : Optional.of(without);
  }

  /** Adds everything but the door for clients. */
  public Supervisor into(Supervisor tree, SnapshotRules rules, Command.Retain retain) {
    Supervisor wider = tree;
    for (int i = 0; i < replicas.size(); i++) {
      wider = wider.child("flush-" + i, Restart.ALWAYS, files.get(i)::flushTask);
    }
    for (Replica each : replicas) {
      wider =
          wider.child(
              "propose-" + each.group(),
              Restart.ALWAYS,
              () -> new ProposeTask(scope, each, () -> node.group(each.group())));
    }
    return shards
        .tasks()
        .across(wider, replicas, rules, retain)
        .child("cluster", Restart.ALWAYS, () -> new ClusterTask(scope, node, replicas, spreads))
        .door("raft", node);
  }

  public Shards shards() {
    return shards;
  }

  public RaftNode node() {
    return node;
  }

  public List<GroupStatus> status() {
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
    for (GroupStatus.Peer peer : node.group(group).status().peers()) {
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

  /** The shards of a group. */
  public List<Integer> shardsOf(int group) {
    return replicas.get(group).shards();
  }

  /** Sums something up over the journals. */
  public static long sum(List<MailboxJournal> journals, ToLongFunction<MailboxJournal> what) {
    return journals.stream().mapToLong(what).sum();
  }
}
