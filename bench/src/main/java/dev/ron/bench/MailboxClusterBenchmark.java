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
  private static final int WARM_UP_ROUNDS = 3;
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
      warmUp(ours);
      try (MailboxTarget one = MailboxTarget.start(folder.path())) {
        var alone = new QueueLoad(one, body(), connections);
        warmUp(alone);
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
  private static void warmUp(QueueLoad load) throws IOException, InterruptedException {
    IOException last = null;
    int good = 0;
    for (int i = 0; i < 10 * WARM_UP_ROUNDS && good < WARM_UP_ROUNDS; i++) {
      try {
        load.mixed(Duration.ofSeconds(1));
        good++;
      } catch (IOException notYet) {
        last = notYet;
        TIME.sleepUntil(TIME.now().plusMillis(500));
      }
    }
    if (good < WARM_UP_ROUNDS && last != null) {
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
