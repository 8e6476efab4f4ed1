package dev.ron.mailbox.task;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.disk.MailboxJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The tasks that work on shards, for the supervisor.
 *
 * <p>Threading: immutable.
 */
public record ShardTasks(
    Scope scope,
    MailboxJournal journal,
    Bounds bounds,
    MailboxMetrics metrics,
    TopicShards topics,
    List<ShardHome> homes) {
  /** Those of a machine that is alone. */
  public Supervisor into(
      Supervisor tree, boolean waitsForDisk, SnapshotRules rules, Command.Retain retain) {
    var captures = SnapshotTask.captures(scope, homes.size());
    return tree.children("shard", homes, Restart.ALWAYS, home -> loop(home, waitsForDisk))
        .child(
            "snapshot",
            Restart.ALWAYS,
            () -> new SnapshotTask(scope, homes, journal, metrics, rules, captures))
        .child("retention", Restart.ALWAYS, () -> new RetentionSweep(homes, retain, scope.time()));
  }

  private Task loop(ShardHome home, boolean waitsForDisk) {
    try {
      return new ShardLoop(
          home, journal.facts(), bounds, topics, metrics, scope.secrets(), waitsForDisk);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped during recovery", stop);
    }
  }

  /** The task that watches what a change of the shards' number left over. */
  public Task rebalancer(long replayMillis, Rebalancer.Keeping keeping) {
    return new Rebalancer(scope, homes, topics.layout(), replayMillis, keeping);
  }

  /** Those of a machine that is not alone: a snapshot's task for each group. */
  Supervisor across(
      Supervisor tree, List<Replica> replicas, SnapshotRules rules, Command.Retain retain) {
    Supervisor wider =
        tree.children(
            "shard",
            homes,
            Restart.ALWAYS,
            home -> replicaLoop(home, replicas.get(home.number() % replicas.size())));
    for (Replica replica : replicas) {
      List<ShardHome> own = replica.shards().stream().map(homes::get).toList();
      String name = "captures-" + replica.group();
      var captures = SnapshotTask.captures(scope, name, own.size());
      wider =
          wider.child(
              "snapshot-" + replica.group(),
              Restart.ALWAYS,
              () -> new SnapshotTask(scope, own, replica.journal(), metrics, rules, captures));
    }
    return wider.child(
        "retention", Restart.ALWAYS, () -> new RetentionSweep(homes, retain, scope.time()));
  }

  private Task replicaLoop(ShardHome home, Replica replica) {
    try {
      return new ReplicaLoop(home, replica, bounds, topics, metrics, scope.secrets());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped during recovery", stop);
    }
  }
}
