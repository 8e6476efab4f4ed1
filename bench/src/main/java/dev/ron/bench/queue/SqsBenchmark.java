package dev.ron.bench.queue;

import dev.ron.bench.load.ClosedLoop;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The SQS door: 1 KiB messages sent, received and deleted beside ElasticMQ, by a client of our own
 * and by the AWS SDK for Java; batches of ten beside the mailbox's own; and what a hundred idle
 * long polls cost.
 *
 * <p>Ours answers a send when the disk has it; ElasticMQ writes after it answers. Neither checks a
 * signature here. The client takes its part of the same cores, so that a rate is not the server's
 * alone: what it does in a second of its own CPU is told beside it.
 *
 * <p>Threading: immutable.
 */
public final class SqsBenchmark implements Benchmark {
  private static final int BODY_BYTES = 1024;
  private static final int CONNECTIONS = 64;
  private static final int POLLS = 100;
  private static final int POLL_SECONDS = 20;
  private static final double AIM_IDLE_PERCENT = 1;
  private static final double WARM_UP_CPU_SECONDS = 15;
  private static final int WARM_UP_ROUNDS_MAX = 40;

  private final int connections;
  private final double warmUpCpuSeconds;

  public SqsBenchmark() {
    this(CONNECTIONS, WARM_UP_CPU_SECONDS);
  }

  /** With fewer connections and less warming up, for tests of everything but the figures. */
  SqsBenchmark(int connections, double warmUpCpuSeconds) {
    this.connections = connections;
    this.warmUpCpuSeconds = warmUpCpuSeconds;
  }

  @Override
  public String name() {
    return "sqs";
  }

  @Override
  public String what() {
    return "the SQS door: durable sends, receives with deletes, batches of ten, idle long polls";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(ElasticMqPeer.find());
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    try (TempFolder folder = TempFolder.onDisk();
        MailboxTarget mailbox = MailboxTarget.start(folder.path())) {
      QueueServer door = mailbox.sqs();
      try (SqsLine line = (SqsLine) door.line()) {
        line.create();
      }
      var load = new QueueLoad(door, body(), connections);
      warmUp(door::cpuTime, load);
      beside(run, mailbox, load, folder.path());
      batches(run, load, new QueueLoad(mailbox, body(), connections));
      idle(run, door);
    }
  }

  private static byte[] body() {
    byte[] body = new byte[BODY_BYTES];
    new SplittableRandom(1).nextBytes(body);
    return body;
  }

  /** By its own CPU time, because on a busy machine a second is not a second of work. */
  private void warmUp(Supplier<CpuTime> process, QueueLoad load)
      throws IOException, InterruptedException {
    double cold = process.get().seconds();
    for (int i = 0; i < WARM_UP_ROUNDS_MAX; i++) {
      if (process.get().seconds() - cold >= warmUpCpuSeconds) {
        return;
      }
      load.mixed(Duration.ofSeconds(1));
    }
  }

  private void beside(BenchRun run, MailboxTarget mailbox, QueueLoad ours, Path folder)
      throws IOException, InterruptedException {
    Peer peer = ElasticMqPeer.find();
    try (ElasticMqPeer theirs = peer.isPresent() ? ElasticMqPeer.start(peer, folder) : null) {
      QueueLoad load = theirs == null ? null : new QueueLoad(theirs, body(), connections);
      if (theirs != null && load != null) {
        warmUp(theirs::cpuTime, load);
      }
      for (QueueLoad.Kind kind : QueueLoad.Kind.values()) {
        turns(run, "", kind, peer, ours, load);
      }
      overSdk(run, mailbox, peer, theirs);
    }
  }

  /** What is left of the difference where a client works as hard as people's do. */
  private void overSdk(
      BenchRun run, MailboxTarget mailbox, Peer peer, @Nullable ElasticMqPeer elastic)
      throws IOException, InterruptedException {
    try (SqsSdk ours = new SqsSdk(mailbox.sqs(), mailbox.sqsPort(), connections);
        SqsSdk theirs = elastic == null ? null : new SqsSdk(elastic, elastic.port(), connections)) {
      var load = new QueueLoad(ours, body(), connections);
      warmUp(CpuTime::own, load);
      QueueLoad other = theirs == null ? null : new QueueLoad(theirs, body(), connections);
      for (QueueLoad.Kind kind : List.of(QueueLoad.Kind.SEND, QueueLoad.Kind.HANDLE)) {
        turns(run, "sdk-", kind, peer, load, other);
      }
    }
  }

  private static void turns(
      BenchRun run,
      String prefix,
      QueueLoad.Kind kind,
      Peer peer,
      QueueLoad ours,
      @Nullable QueueLoad theirs)
      throws IOException, InterruptedException {
    String name = prefix + kind.caseName();
    Rounds<QueueLoad.Turn> rounds =
        run.interleave(
            "sqs " + name + " / " + peer.name(),
            () -> ours.turn(kind, run.sideTime()),
            theirs == null ? null : () -> theirs.turn(kind, run.sideTime()));
    run.compare(name + "-rate", "messages/s", peer, rounds, each -> each.sample().perSecond());
    run.compare(name + "-p99", "ms", peer, rounds, each -> each.sample().p99Millis());
    run.compare(
        name + "-per-cpu",
        "messages per CPU second of the server",
        peer,
        rounds,
        QueueLoad.Turn::perCpuSecond);
    run.compare(
        name + "-client",
        "CPU seconds of the client",
        peer,
        rounds,
        each -> each.client().seconds());
  }

  private static void compare(
      BenchRun run, String name, Peer peer, Rounds<ClosedLoop.Sample> rounds) {
    run.compare(name + "-rate", "messages/s", peer, rounds, ClosedLoop.Sample::perSecond);
    run.compare(name + "-p99", "ms", peer, rounds, ClosedLoop.Sample::p99Millis);
  }

  /** As many in one request of the mailbox's own door; a ratio of 0.7 is the aim. */
  private static void batches(BenchRun run, QueueLoad ours, QueueLoad mailbox)
      throws IOException, InterruptedException {
    Peer own = Peer.inThisJvm("ours, by the mailbox's own door");
    String text = SqsLine.text(body());
    String payload = Base64.getEncoder().encodeToString(body());
    var keys = new AtomicLong();
    Rounds<ClosedLoop.Sample> sent =
        run.interleave(
            "sqs batches",
            () -> batched(run, ours, line -> sendBatch((SqsLine) line, text)),
            () ->
                batched(
                    run,
                    mailbox,
                    line -> MailboxBenchmark.sendBatch(line, payload, keys, SqsLine.BATCH)));
    compare(run, "send-batch-10", own, sent);
    Rounds<ClosedLoop.Sample> handled =
        run.interleave(
            "sqs batches handled",
            () -> {
              ours.each(run.sideTime().dividedBy(2), line -> sendBatch((SqsLine) line, text));
              return handled(run, ours);
            },
            () -> ours.run(QueueLoad.Kind.HANDLE, run.sideTime()));
    run.compare(
        "receive-delete-batch-10-rate",
        "messages/s",
        Peer.inThisJvm("ours, one at a time"),
        handled,
        ClosedLoop.Sample::perSecond);
  }

  private static ClosedLoop.Sample handled(BenchRun run, QueueLoad ours)
      throws IOException, InterruptedException {
    var count = new AtomicLong();
    ClosedLoop.Sample sample =
        ours.each(
            run.sideTime(),
            line -> {
              int some = ((SqsLine) line).handleBatch();
              count.addAndGet(some);
              return some > 0;
            });
    ours.drain();
    return sample.of(count.get());
  }

  private static boolean sendBatch(SqsLine line, String text) throws IOException {
    line.sendBatch(text);
    return true;
  }

  private static ClosedLoop.Sample batched(
      BenchRun run, QueueLoad load, ClosedLoop.Operation<QueueLine> operation)
      throws IOException, InterruptedException {
    ClosedLoop.Sample sample = load.each(run.sideTime(), operation).times(SqsLine.BATCH);
    load.drain();
    return sample;
  }

  /** What polls that find nothing cost; a first round, which pays the compiler, is not counted. */
  private static void idle(BenchRun run, QueueServer door)
      throws IOException, InterruptedException {
    var polls = new QueueLoad(door, body(), POLLS);
    polled(polls, door);
    Rounds<Double> rounds =
        run.interleave("sqs idle polls", () -> polled(polls, door), () -> AIM_IDLE_PERCENT);
    run.compare(
        POLLS + "-idle-polls",
        "% of a core",
        Peer.inThisJvm("the aim"),
        rounds,
        percent -> percent);
  }

  private static double polled(QueueLoad polls, QueueServer door)
      throws IOException, InterruptedException {
    CpuTime before = door.cpuTime();
    ClosedLoop.Sample sample =
        polls.each(
            Duration.ofSeconds(POLL_SECONDS),
            line -> ((SqsLine) line).receive(1, POLL_SECONDS).length() > 0);
    return 100 * door.cpuTime().minus(before).seconds() / sample.seconds();
  }
}
