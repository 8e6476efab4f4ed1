package dev.ron.bench;

import dev.ron.kernel.time.SystemTime;
import java.io.IOException;
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
final class MailboxClusterBenchmark implements Benchmark {
  private static final int BODY_BYTES = 1024;
  private static final int CONNECTIONS = 48;

  /** For the compilers of three JVMs; by CPU time, because a busy machine gives little of it. */
  private static final double WARM_UP_CPU_SECONDS = 20;

  private static final int WARM_UP_ROUNDS_MAX = 40;
  private static final SystemTime TIME = new SystemTime();

  private final int connections;

  MailboxClusterBenchmark() {
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
        MailboxClusterTarget three = MailboxClusterTarget.start(folder.path())) {
      var ours = new QueueLoad(three, body(), connections);
      warmUp(ours, three, connections < CONNECTIONS ? 1 : WARM_UP_CPU_SECONDS);
      try (MailboxTarget one = MailboxTarget.start(folder.path())) {
        var alone = new QueueLoad(one, body(), connections);
        warmUp(alone, one, connections < CONNECTIONS ? 1 : WARM_UP_CPU_SECONDS / 3);
        beside(run, ours, Peer.inThisJvm("ours, one machine"), alone);
      }
      Peer nats = NatsPeer.find(run.searchPath());
      try (NatsClusterPeer theirs =
          nats.isPresent() ? NatsClusterPeer.start(nats, folder.path()) : null) {
        beside(
            run,
            ours,
            named(nats),
            theirs == null ? null : new QueueLoad(theirs, body(), connections));
      } catch (IOException failed) {
        // A peer that stops answering costs its own figures and not ours.
        run.say("mailbox-cluster / " + nats.name() + " was broken off: " + failed.getMessage());
      }
    }
  }

  /** Says in the name when its word is worth less. */
  private static Peer named(Peer nats) throws IOException, InterruptedException {
    String suffix =
        nats.isPresent() && !NatsPeer.flushes(nats.version()) ? " R3 (does not flush)" : " R3";
    return new Peer(nats.name() + suffix, nats.installLine(), nats.versionFlag(), nats.program());
  }

  /** Until a leader is found the first sends are refused. */
  private static void warmUp(QueueLoad load, QueueServer server, double cpuSeconds)
      throws IOException, InterruptedException {
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

  private static void beside(BenchRun run, QueueLoad ours, Peer peer, @Nullable QueueLoad theirs)
      throws IOException, InterruptedException {
    for (QueueLoad.Kind kind : QueueLoad.Kind.values()) {
      Rounds<QueueLoad.Sample> rounds =
          run.interleave(
              "mailbox-cluster " + kind.caseName() + " / " + peer.name(),
              () -> ours.run(kind, run.sideTime()),
              theirs == null ? null : () -> theirs.run(kind, run.sideTime()));
      String name = kind.caseName();
      run.compare(name + "-rate", "messages/s", peer, rounds, QueueLoad.Sample::perSecond);
      run.compare(name + "-p50", "ms", peer, rounds, QueueLoad.Sample::p50Millis);
      run.compare(name + "-p99", "ms", peer, rounds, QueueLoad.Sample::p99Millis);
    }
  }

  private static byte[] body() {
    byte[] body = new byte[BODY_BYTES];
    new SplittableRandom(1).nextBytes(body);
    return body;
  }
}
