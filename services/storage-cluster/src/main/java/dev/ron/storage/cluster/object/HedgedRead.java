package dev.ron.storage.cluster.object;

import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.Time;
import dev.ron.storage.cluster.StorageClusterMetrics;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asks one source after another, and a second at the same time if the first is slow and the budget
 * allows.
 *
 * <p>Threading: thread-safe; each race has a lock of its own.
 */
public final class HedgedRead {
  /** A node that is silent for this long is given up on, whatever the budget says. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Time time;
  private final Threads threads;
  private final Duration after;
  private final StorageClusterMetrics metrics;
  private final HedgeBudget budget;

  /** Something that can be asked for the same bytes. */
  interface Ask {
    /** Empty if it has not got them. */
    Optional<byte[]> bytes() throws IOException, InterruptedException;
  }

  public HedgedRead(
      Time time, Threads threads, Duration after, double share, StorageClusterMetrics metrics) {
    this.time = time;
    this.threads = threads;
    this.after = after;
    this.budget = new HedgeBudget(share);
    this.metrics = metrics;
  }

  /** What the first of the sources to have the bytes gives; empty if none does. */
  Outcome first(List<Ask> sources) throws InterruptedException {
    budget.read();
    return new Race(sources).run();
  }

  /**
   * What became of it.
   *
   * @param failures why sources that should have had it could not give it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Outcome(byte @Nullable [] bytes, List<String> failures) {}

  /** One read: {@code raced} guards everything. */
  private final class Race {
    private final Iterator<Ask> left;
    private final ReentrantLock raced = new ReentrantLock();
    private final Condition changed = raced.newCondition();
    private final List<String> failures = new ArrayList<>();
    private final List<Thread> running = new ArrayList<>();
    private int underWay;
    private int winner = -1;
    private byte @Nullable [] bytes;

    Race(List<Ask> sources) {
      this.left = sources.iterator();
    }

    Outcome run() throws InterruptedException {
      Instant hedgeAt = time.now().plus(after);
      Instant nextAt = hedgeAt.plus(PATIENCE);
      boolean hedged = false;
      int hedge = -1;
      raced.lockInterruptibly();
      try {
        while (bytes == null) {
          if (underWay == 0) {
            if (!left.hasNext()) {
              break;
            }
            start(left.next());
          }
          Instant until = hedged ? nextAt : hedgeAt;
          if (time.await(raced, changed, until) || bytes != null || underWay == 0) {
            continue;
          }
          if (hedged) {
            nextAt = left.hasNext() ? nextAt.plus(PATIENCE) : Instant.MAX;
            if (left.hasNext()) {
              start(left.next());
            }
          } else {
            hedged = true;
            if (left.hasNext() && budget.tryHedge()) {
              hedge = running.size();
              start(left.next());
            }
          }
        }
        count(hedge);
        return new Outcome(bytes, List.copyOf(failures));
      } finally {
        raced.unlock();
        running.forEach(Thread::interrupt);
      }
    }

    private void count(int hedge) {
      if (hedge >= 0) {
        (winner == hedge ? metrics.hedgeWins() : metrics.hedgeLosses()).inc();
      }
    }

    private void start(Ask ask) {
      underWay++;
      int number = running.size();
      running.add(threads.start("storage/read", () -> ask(ask, number)));
    }

    private void ask(Ask ask, int number) {
      byte[] found = null;
      String failure = null;
      try {
        found = ask.bytes().orElse(null);
      } catch (IOException e) {
        failure = String.valueOf(e.getMessage());
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        failure = "cancelled";
      } finally {
        done(found, failure, number);
      }
    }

    private void done(byte @Nullable [] found, @Nullable String failure, int number) {
      raced.lock();
      try {
        underWay--;
        if (bytes == null && found != null) {
          bytes = found;
          winner = number;
        }
        if (failure != null) {
          failures.add(failure);
        }
        changed.signalAll();
      } finally {
        raced.unlock();
      }
    }
  }
}
