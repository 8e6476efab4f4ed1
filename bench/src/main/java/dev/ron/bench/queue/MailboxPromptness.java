package dev.ron.bench.queue;

import dev.ron.bench.load.ClosedLoop;
import dev.ron.bench.process.Peer;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Spread;
import dev.ron.kernel.time.SystemTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How late a message comes back after its visibility timeout, and how long a waiting consumer takes
 * to hear of a send, while others load the same mailbox; beside what the specification allows.
 *
 * <p>Threading: stateless.
 */
final class MailboxPromptness {
  private static final int VISIBILITY_MILLIS = 250;
  private static final double EXPIRY_MILLIS_MAX = 100;
  private static final double WAKE_MILLIS_MAX = 20;
  private static final int WAIT_MILLIS = 5_000;
  private static final int EXPIRIES = 8;
  private static final int WAKES = 40;

  private MailboxPromptness() {}

  /** What one round took at worst, in milliseconds. */
  private record Sample(double expiry, double wake) {}

  static void measure(BenchRun run, MailboxTarget ours, QueueLoad load)
      throws IOException, InterruptedException {
    Peer promise = Peer.inThisJvm("what is promised");
    Rounds<Sample> rounds =
        run.interleave(
            "mailbox promptness",
            () -> underLoad(ours, load, run.sideTime()),
            () -> new Sample(EXPIRY_MILLIS_MAX, WAKE_MILLIS_MAX));
    run.compare("expiry-late-max", "ms", promise, rounds, Sample::expiry);
    run.compare("long-poll-wake-p90", "ms", promise, rounds, Sample::wake);
  }

  private static Sample underLoad(MailboxTarget ours, QueueLoad load, Duration time)
      throws IOException, InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ClosedLoop.Sample> loading =
          threads.submit(() -> load.mixed(time.plus(Duration.ofSeconds(3))));
      double expiry = 0;
      try (MailboxTarget.Line line = ours.line()) {
        for (int i = 0; i < EXPIRIES; i++) {
          expiry = Math.max(expiry, lateMillis(line));
        }
      }
      double wake = wakeMillis(ours, threads);
      loading.get();
      return new Sample(expiry, wake);
    } catch (ExecutionException failed) {
      throw new IOException("the load failed: " + failed.getCause(), failed);
    }
  }

  /** From the end of the visibility timeout to the next delivery, both requests included. */
  private static double lateMillis(MailboxTarget.Line line) throws IOException {
    String key = "p" + System.nanoTime();
    line.post(
        "/v1/send",
        "{\"topic\":\"expiry\",\"idem_key\":\"%s\",\"payload_b64\":\"AA==\"}".formatted(key));
    line.receive("expiry", VISIBILITY_MILLIS, WAIT_MILLIS);
    long leased = System.nanoTime();
    String again = line.receive("expiry", VISIBILITY_MILLIS, WAIT_MILLIS);
    double late = (System.nanoTime() - leased) / 1e6 - VISIBILITY_MILLIS;
    line.ack(again);
    return Math.max(0.01, late);
  }

  /** From the sender's answer to the receiver's; the ninth of ten. */
  private static double wakeMillis(MailboxTarget ours, ExecutorService threads)
      throws IOException, InterruptedException, ExecutionException {
    long[] nanos = new long[WAKES];
    var time = new SystemTime();
    try (MailboxTarget.Line sender = ours.line();
        MailboxTarget.Line receiver = ours.line()) {
      for (int i = 0; i < WAKES; i++) {
        Future<Long> woken =
            threads.submit(
                () -> {
                  String got = receiver.receive("wake", VISIBILITY_MILLIS * 20, WAIT_MILLIS);
                  long heard = System.nanoTime();
                  receiver.ack(got);
                  return heard;
                });
        // Until the receiver waits; one that comes later finds the message there and is no less.
        time.sleepUntil(time.now().plus(Duration.ofMillis(20)));
        sender.post(
            "/v1/send",
            "{\"topic\":\"wake\",\"idem_key\":\"w%d\",\"payload_b64\":\"AA==\"}"
                .formatted(System.nanoTime()));
        long sent = System.nanoTime();
        nanos[i] = Math.max(0, woken.get() - sent);
      }
    }
    Arrays.sort(nanos);
    return Math.max(0.01, Spread.percentile(nanos, 0.9) / 1e6);
  }
}
