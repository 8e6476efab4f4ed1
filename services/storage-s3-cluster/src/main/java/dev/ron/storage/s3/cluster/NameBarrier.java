package dev.ron.storage.s3.cluster;

import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.Time;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.names.Names;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request read this machine's rows once they have everything that was answered before it
 * began: a batch of this machine that was sent later has been applied here, so all before it have.
 *
 * <p>Once no machine has led for longer than elections take, requests are refused at once: a client
 * that is held learns nothing by it, and takes a place.
 *
 * <p>All requests that wait share a batch, with the changes that go anyway. Ratis can confirm its
 * leader without an entry; why that is not used is in ADR 0053.
 *
 * <p>Threading: thread-safe; {@code lock} guards {@code waiting} and {@code rounds}.
 */
final class NameBarrier implements Names.ReadBarrier {
  /** Longer than an election takes. */
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private static final Duration REST = Duration.ofMillis(50);

  /** How soon it is seen that no machine leads any more. */
  private static final Duration LOOK = Duration.ofMillis(250);

  private final Time time;
  private final Watch<Long> wanted;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Reply<Boolean> waiting;
  private long rounds;
  private volatile BooleanSupplier isLeaderless = () -> false;
  private volatile boolean leaderless;

  NameBarrier(Scope scope) {
    this.time = scope.time();
    this.wanted = Watch.of(scope, "names-read", 0L);
  }

  /**
   * @param leaderless whether no machine has led for longer than elections take
   */
  void open(BooleanSupplier leaderless) {
    isLeaderless = leaderless;
  }

  boolean isLeaderless() {
    return isLeaderless.getAsBoolean();
  }

  @Override
  public void await() throws Refusal, InterruptedException {
    Deadline deadline = Deadline.in(LIMIT, time).earlier(Deadline.current());
    Reply<Boolean> round = null;
    while (true) {
      Boolean passed = null;
      if (!leaderless) {
        // The same one until it is answered: a batch may well take longer than a look.
        round = round == null ? join() : round;
        passed = round.await(deadline.earlier(Deadline.in(LOOK, time)));
        if (Boolean.TRUE.equals(passed)) {
          return;
        }
      }
      leaderless = isLeaderless();
      if (leaderless || !time.now().plus(REST).isBefore(deadline.at())) {
        throw Refusal.of(
            new S3Fault.SlowDown("no machine leads that a majority follows", S3Fault.REST));
      }
      if (round == null || passed != null) {
        round = null;
        time.sleepUntil(time.now().plus(REST));
      }
    }
  }

  private Reply<Boolean> join() {
    lock.lock();
    try {
      Reply<Boolean> round = waiting;
      if (round == null) {
        round = new Reply<>(time);
        waiting = round;
        rounds++;
        wanted.set(rounds);
      }
      return round;
    } finally {
      lock.unlock();
    }
  }

  /** Changes when requests wait. */
  Watch<Long> wanted() {
    return wanted;
  }

  /** What the requests that wait now are to be told, for a batch that is yet to be sent. */
  @Nullable Reply<Boolean> take() {
    lock.lock();
    try {
      Reply<Boolean> round = waiting;
      waiting = null;
      return round;
    } finally {
      lock.unlock();
    }
  }
}
