package dev.ron.bench.queue;

import dev.ron.bench.load.ClosedLoop;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.kernel.time.SystemTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a majority costs: messages of 1 KiB on three of our machines, beside one of ours, and beside
 * three NATS servers with a stream of three replicas.
 *
 * <p>All machines share this one's cores and disk, so three cost three times the work; a rate here
 * is not that of three computers.
 *
 * <p>Threading: immutable.
 */
public final class MailboxClusterBenchmark implements Benchmark {
  private static final int BODY_BYTES = 1024;
  private static final int CONNECTIONS = 48;

  /** As {@code ron up --join} sets it. */
  private static final int GROUPS = 1;

  /** What was measured before, and what a configuration by hand may have. */
  private static final int OTHER_GROUPS = 3;

  /** So many that their shards are in all groups. */
  private static final int TOPICS = 24;

  /**
   * For the compilers of three JVMs, each of which gets through Ratis and its gRPC first; by CPU
   * time, because a busy machine gives little of it. After 20 of them the rate was a third of that
   * after 150.
   */
  private static final double WARM_UP_CPU_SECONDS = 150;

  private static final int WARM_UP_ROUNDS_MAX = 120;
  private static final SystemTime TIME = new SystemTime();

  private final int connections;

  public MailboxClusterBenchmark() {
    this(CONNECTIONS);
  }

  /** With fewer connections, for tests of everything but the figures. */
  MailboxClusterBenchmark(int connections) {
    this.connections = connections;
  }

  @Override
  public String name() {
    return "mailbox-cluster";
  }

  @Override
  public String what() {
    return "1 KiB messages on three machines, beside one machine and a three-node JetStream";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(NatsPeer.find(searchPath));
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    try (TempFolder folder = TempFolder.onDisk();
        MailboxClusterTarget three = MailboxClusterTarget.start(folder.path(), GROUPS)) {
      warmUp(three, connections < CONNECTIONS ? 1 : WARM_UP_CPU_SECONDS);
      try (MailboxTarget one = MailboxTarget.start(folder.path())) {
        warmUp(one, connections < CONNECTIONS ? 1 : WARM_UP_CPU_SECONDS / 3);
        beside(run, three, Peer.inThisJvm("ours, one machine"), one);
      }
      Peer nats = NatsPeer.find(run.searchPath());
      try (NatsClusterPeer theirs =
          nats.isPresent() ? NatsClusterPeer.start(nats, folder.path()) : null) {
        beside(run, three, named(nats), theirs);
      } catch (IOException failed) {
        // A peer that stops answering costs its own figures and not ours.
        run.say("mailbox-cluster / " + nats.name() + " was broken off: " + failed.getMessage());
      }
      besideThreeGroups(run, three, folder.path().resolve("three-groups"));
    }
  }

  /** Whether it pays that each machine leads some of the shards. */
  private void besideThreeGroups(BenchRun run, MailboxClusterTarget three, Path folder)
      throws IOException, InterruptedException {
    try (MailboxClusterTarget spread = MailboxClusterTarget.start(folder, OTHER_GROUPS)) {
      warmUp(spread.over(TOPICS), connections < CONNECTIONS ? 1 : WARM_UP_CPU_SECONDS);
      Peer peer = Peer.inThisJvm("ours, three groups");
      Rounds<Timed> rounds =
          rounds(
              run,
              "topics-mixed",
              connections,
              QueueLoad.Kind.MIXED,
              three.over(TOPICS),
              peer,
              spread.over(TOPICS));
      run.compare("topics-mixed-rate", "messages/s", peer, rounds, Timed::perSecond);
      run.compare("topics-mixed-p50", "ms", peer, rounds, Timed::p50Millis);
      run.compare("topics-mixed-cpu", "ms of CPU/message", peer, rounds, Timed::cpuMillis);
    }
  }

  /** Says in the name when its word is worth less. */
  private static Peer named(Peer nats) throws IOException, InterruptedException {
    String suffix =
        nats.isPresent() && !NatsPeer.flushes(nats.version()) ? " R3 (does not flush)" : " R3";
    return new Peer(nats.name() + suffix, nats.installLine(), nats.versionFlag(), nats.program());
  }

  /** Until a leader is found the first sends are refused. */
  private void warmUp(QueueServer server, double cpuSeconds)
      throws IOException, InterruptedException {
    var load = new QueueLoad(server, body(), connections);
    IOException last = new IOException("never asked");
    double cold = server.cpuTime().seconds();
    boolean good = false;
    for (int i = 0; i < WARM_UP_ROUNDS_MAX; i++) {
      try {
        load.mixed(Duration.ofSeconds(1));
        good = true;
        if (server.cpuTime().seconds() - cold >= cpuSeconds) {
          return;
        }
      } catch (IOException notYet) {
        last = notYet;
        TIME.sleepUntil(TIME.now().plusMillis(500));
      }
    }
    if (!good) {
      throw last;
    }
  }

  private void beside(BenchRun run, QueueServer three, Peer peer, @Nullable QueueServer other)
      throws IOException, InterruptedException {
    for (QueueLoad.Kind kind : QueueLoad.Kind.values()) {
      Rounds<Timed> rounds = rounds(run, kind.caseName(), connections, kind, three, peer, other);
      String name = kind.caseName();
      run.compare(name + "-rate", "messages/s", peer, rounds, Timed::perSecond);
      run.compare(name + "-p50", "ms", peer, rounds, Timed::p50Millis);
      run.compare(name + "-p99", "ms", peer, rounds, Timed::p99Millis);
      if (kind == QueueLoad.Kind.MIXED) {
        run.compare(name + "-cpu", "ms of CPU/message", peer, rounds, Timed::cpuMillis);
      }
    }
    // Without a queue for the cores in the way: what agreement itself takes.
    Rounds<Timed> alone = rounds(run, "send-alone", 1, QueueLoad.Kind.SEND, three, peer, other);
    run.compare("send-alone-p50", "ms", peer, alone, Timed::p50Millis);
  }

  private static Rounds<Timed> rounds(
      BenchRun run,
      String name,
      int connections,
      QueueLoad.Kind kind,
      QueueServer three,
      Peer peer,
      @Nullable QueueServer other)
      throws IOException, InterruptedException {
    return run.interleave(
        "mailbox-cluster " + name + " / " + peer.name(),
        () -> timed(run, three, connections, kind),
        other == null ? null : () -> timed(run, other, connections, kind));
  }

  /** What came of a round, and what it cost all machines of that side together. */
  private record Timed(ClosedLoop.Sample sample, double cpuMillis) {
    double perSecond() {
      return sample.perSecond();
    }

    double p50Millis() {
      return sample.p50Millis();
    }

    double p99Millis() {
      return sample.p99Millis();
    }
  }

  private static Timed timed(BenchRun run, QueueServer server, int connections, QueueLoad.Kind kind)
      throws IOException, InterruptedException {
    var load = new QueueLoad(server, body(), connections);
    double before = server.cpuTime().seconds();
    ClosedLoop.Sample sample = load.run(kind, run.sideTime());
    double cpu = server.cpuTime().seconds() - before;
    return new Timed(sample, 1e3 * cpu / (sample.perSecond() * sample.seconds()));
  }

  private static byte[] body() {
    byte[] body = new byte[BODY_BYTES];
    new SplittableRandom(1).nextBytes(body);
    return body;
  }
}
