package dev.ron.bench.queue;

import dev.ron.bench.load.ClosedLoop;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.store.FlushBenchmark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Messages of 1 KiB over 64 connections, each waiting for the server's word: sent, received and
 * acknowledged, and both in turn; beside the queues that are installed.
 *
 * <p>Ours answers a send when the disk has it. What a peer's answer is worth is said with its name,
 * because a rate without a flush is another promise.
 *
 * <p>Threading: immutable.
 */
public final class MailboxBenchmark implements Benchmark {
  private static final int BODY_BYTES = 1024;
  private static final int CONNECTIONS = 64;
  private static final int BATCH = 100;
  private static final int FLUSH_PROBES = 200;
  private static final double WARM_UP_CPU_SECONDS = 15;
  private static final int WARM_UP_ROUNDS_MAX = 40;

  private final int connections;
  private final double warmUpCpuSeconds;

  public MailboxBenchmark() {
    this(CONNECTIONS, WARM_UP_CPU_SECONDS);
  }

  /** With fewer connections and less warming up, for tests of everything but the figures. */
  MailboxBenchmark(int connections, double warmUpCpuSeconds) {
    this.connections = connections;
    this.warmUpCpuSeconds = warmUpCpuSeconds;
  }

  @Override
  public String name() {
    return "mailbox";
  }

  @Override
  public String what() {
    return "1 KiB messages sent durably, received and acknowledged over 64 connections";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(
        BeanstalkdPeer.find(searchPath),
        RabbitPeer.find(),
        NatsPeer.find(searchPath),
        ElasticMqPeer.find());
  }

  /** How a peer is started in a folder. */
  private interface Starting {
    QueueServer start(Peer peer, Path folder) throws IOException, InterruptedException;
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    try (TempFolder folder = TempFolder.onDisk();
        MailboxTarget ours = MailboxTarget.start(folder.path())) {
      var load = new QueueLoad(ours, body(), connections);
      warmUp(ours, load);
      Peer beanstalkd = BeanstalkdPeer.find(run.searchPath());
      beside(run, load, beanstalkd, BeanstalkdPeer::start, folder.path());
      Peer rabbit = RabbitPeer.find();
      beside(run, load, rabbit, RabbitPeer::start, folder.path());
      Peer nats = NatsPeer.find(run.searchPath());
      beside(run, load, named(nats), NatsPeer::start, folder.path());
      beside(run, load, late(ElasticMqPeer.find()), ElasticMqPeer::start, folder.path());
      grpc(run, ours, load);
      batches(run, ours, load);
      limit(run, ours, load, folder.path());
      MailboxPromptness.measure(run, ours, load);
    }
  }

  /** Says in the name when its word is worth less. */
  private static Peer named(Peer nats) throws IOException, InterruptedException {
    return nats.isPresent() && !NatsPeer.flushes(nats.version())
        ? new Peer(
            nats.name() + " (does not flush)",
            nats.installLine(),
            nats.versionFlag(),
            nats.program())
        : nats;
  }

  private static Peer late(Peer elastic) {
    return new Peer(
        elastic.name() + " (writes after it answers)",
        elastic.installLine(),
        elastic.versionFlag(),
        elastic.program());
  }

  private static byte[] body() {
    byte[] body = new byte[BODY_BYTES];
    new SplittableRandom(1).nextBytes(body);
    return body;
  }

  /** By its own CPU time, because on a busy machine a second is not a second of work. */
  private void warmUp(MailboxTarget ours, QueueLoad load) throws IOException, InterruptedException {
    double cold = ours.cpuTime().seconds();
    for (int i = 0; i < WARM_UP_ROUNDS_MAX; i++) {
      if (ours.cpuTime().seconds() - cold >= warmUpCpuSeconds) {
        return;
      }
      load.mixed(Duration.ofSeconds(1));
    }
  }

  private void beside(BenchRun run, QueueLoad ours, Peer peer, Starting starting, Path folder)
      throws IOException, InterruptedException {
    try {
      measureBeside(run, ours, peer, starting, folder);
    } catch (IOException failed) {
      // A peer that stops answering costs its own figures and not the others'.
      run.absent("all", "messages/s", peer, "was broken off: " + failed.getMessage());
      ours.drain();
    }
  }

  private void measureBeside(
      BenchRun run, QueueLoad ours, Peer peer, Starting starting, Path folder)
      throws IOException, InterruptedException {
    try (QueueServer theirs = peer.isPresent() ? starting.start(peer, folder) : null) {
      QueueLoad load = theirs == null ? null : new QueueLoad(theirs, body(), connections);
      allKinds(run, "", ours, peer, load);
    }
  }

  private static void allKinds(
      BenchRun run, String prefix, QueueLoad ours, Peer peer, @Nullable QueueLoad theirs)
      throws IOException, InterruptedException {
    for (QueueLoad.Kind kind : QueueLoad.Kind.values()) {
      String name = prefix + kind.caseName();
      Rounds<ClosedLoop.Sample> rounds =
          run.interleave(
              "mailbox " + name + " / " + peer.name(),
              () -> ours.run(kind, run.sideTime()),
              theirs == null ? null : () -> theirs.run(kind, run.sideTime()));
      run.compare(name + "-rate", "messages/s", peer, rounds, ClosedLoop.Sample::perSecond);
      run.compare(name + "-p50", "ms", peer, rounds, ClosedLoop.Sample::p50Millis);
      run.compare(name + "-p99", "ms", peer, rounds, ClosedLoop.Sample::p99Millis);
    }
  }

  /** The same verbs over gRPC, beside HTTP/1.1. */
  private void grpc(BenchRun run, MailboxTarget ours, QueueLoad http)
      throws IOException, InterruptedException {
    var load = new QueueLoad(new MailboxGrpc(ours), body(), connections);
    allKinds(run, "grpc-", load, Peer.inThisJvm("ours, over HTTP/1.1"), http);
  }

  /** A hundred in one request, beside one at a time. */
  private static void batches(BenchRun run, MailboxTarget ours, QueueLoad load)
      throws IOException, InterruptedException {
    var keys = new AtomicLong();
    String payload = Base64.getEncoder().encodeToString(body());
    Peer single = Peer.inThisJvm("ours, one at a time");
    Rounds<ClosedLoop.Sample> rounds =
        run.interleave(
            "mailbox batches",
            () -> {
              ClosedLoop.Sample sample =
                  load.each(run.sideTime(), line -> sendBatch(line, payload, keys, BATCH));
              return sample.times(BATCH);
            },
            () -> load.run(QueueLoad.Kind.SEND, run.sideTime()));
    run.compare("send-batch-100-rate", "messages/s", single, rounds, ClosedLoop.Sample::perSecond);
    load.drain();
    Rounds<ClosedLoop.Sample> handled =
        run.interleave(
            "mailbox batches handled",
            () -> {
              load.each(run.sideTime().dividedBy(2), line -> sendBatch(line, payload, keys, BATCH));
              var count = new AtomicLong();
              ClosedLoop.Sample sample =
                  load.each(
                      run.sideTime(),
                      line -> {
                        int some = ((MailboxTarget.Line) line).handleBatch();
                        count.addAndGet(some);
                        return some > 0;
                      });
              load.drain();
              return sample.of(count.get());
            },
            () -> load.run(QueueLoad.Kind.HANDLE, run.sideTime()));
    run.compare(
        "receive-ack-batch-100-rate", "messages/s", single, handled, ClosedLoop.Sample::perSecond);
    load.drain();
    if (ours.metric("mailbox_sends_total") <= 0) {
      throw new IOException("the mailbox counted no send");
    }
  }

  static boolean sendBatch(QueueLine line, String payload, AtomicLong keys, int count)
      throws IOException {
    var messages = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      messages.add(
          "{\"topic\":\"bench\",\"idem_key\":\"b%d\",\"payload_b64\":\"%s\"}"
              .formatted(keys.getAndIncrement(), payload));
    }
    ((MailboxTarget.Line) line).sendBatch(messages);
    return true;
  }

  /** What the disk would allow: its flushes a second times the messages that share one. */
  private static void limit(BenchRun run, MailboxTarget ours, QueueLoad load, Path folder)
      throws IOException, InterruptedException {
    double records = ours.metric("mailbox_journal_records_flushed_total");
    double flushes = ours.metric("mailbox_journal_flush_seconds_count");
    ClosedLoop.Sample sends = load.run(QueueLoad.Kind.SEND, run.sideTime());
    double shared =
        (ours.metric("mailbox_journal_records_flushed_total") - records)
            / Math.max(1, ours.metric("mailbox_journal_flush_seconds_count") - flushes);
    double disk = FlushBenchmark.append(folder.resolve("flushes"), FLUSH_PROBES).perSecond();
    run.say(
        "mailbox limit: the disk flushes %.0f times a second, a flush served %.1f sends: %.0f a second; sent were %.0f"
            .formatted(disk, shared, disk * shared, sends.perSecond()));
    load.drain();
  }
}
