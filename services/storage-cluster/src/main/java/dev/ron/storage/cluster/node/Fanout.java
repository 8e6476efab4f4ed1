package dev.ron.storage.cluster.node;

import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The same question to several nodes at once.
 *
 * <p>Threading: stateless; each question has a thread that ends with it.
 */
public final class Fanout {
  /** Longer than every question to another node may take by itself; a disk knows no such end. */
  public static final Duration LIMIT = Duration.ofSeconds(90);

  private static final String TOO_LATE = "no answer in time";

  private final Threads threads;
  private final Time time;
  private final Duration limit;

  public Fanout(Threads threads, Time time, Duration limit) {
    this.threads = threads;
    this.time = time;
    this.limit = limit;
  }

  /** What is asked. */
  public interface Question<N, T> {
    T ask(N node) throws IOException, InterruptedException;
  }

  /** A node's answer, or why there is none. */
  public record Answer<N, T>(N node, @Nullable T value, @Nullable IOException trouble) {}

  /** Whether the answers that have come are enough. */
  public interface Enough<N, T> {
    boolean of(List<Answer<N, T>> come);
  }

  /** All answers, in the order of the nodes; one that takes too long is none. */
  public <N, T> List<Answer<N, T>> ask(List<N> nodes, Question<N, T> question)
      throws InterruptedException {
    return ask(nodes, question, _ -> false, true);
  }

  /**
   * The answers that have come when they are enough, or else all. Those that have not come yet are
   * not called off: what was asked is done there too.
   */
  public <N, T> List<Answer<N, T>> until(
      List<N> nodes, Question<N, T> question, Enough<N, T> enough) throws InterruptedException {
    return ask(nodes, question, enough, false);
  }

  private <N, T> List<Answer<N, T>> ask(
      List<N> nodes, Question<N, T> question, Enough<N, T> enough, boolean callOff)
      throws InterruptedException {
    var lock = new ReentrantLock();
    Condition changed = lock.newCondition();
    var answers = new ArrayList<@Nullable Answer<N, T>>();
    int[] left = {nodes.size()};
    var running = new ArrayList<Thread>();
    for (int i = 0; i < nodes.size(); i++) {
      answers.add(null);
    }
    for (int i = 0; i < nodes.size(); i++) {
      int at = i;
      N node = nodes.get(i);
      running.add(
          threads.start(
              "storage/ask",
              () -> {
                Answer<N, T> answer = answer(node, question);
                lock.lock();
                try {
                  answers.set(at, answer);
                  left[0]--;
                  changed.signalAll();
                } finally {
                  lock.unlock();
                }
              }));
    }
    Instant until = Deadline.in(limit, time).earlier(Deadline.current()).at();
    lock.lockInterruptibly();
    try {
      boolean waits = true;
      while (left[0] > 0 && waits && !enough.of(come(answers))) {
        waits = time.await(lock, changed, until);
      }
      var all = new ArrayList<Answer<N, T>>();
      for (int i = 0; i < nodes.size(); i++) {
        Answer<N, T> each = answers.get(i);
        all.add(each != null ? each : new Answer<>(nodes.get(i), null, new IOException(TOO_LATE)));
      }
      return all;
    } finally {
      lock.unlock();
      if (callOff) {
        running.forEach(Thread::interrupt);
      }
    }
  }

  private static <N, T> List<Answer<N, T>> come(List<@Nullable Answer<N, T>> answers) {
    var come = new ArrayList<Answer<N, T>>();
    for (Answer<N, T> each : answers) {
      if (each != null) {
        come.add(each);
      }
    }
    return come;
  }

  private static <N, T> Answer<N, T> answer(N node, Question<N, T> question) {
    try {
      return new Answer<>(node, question.ask(node), null);
    } catch (IOException e) {
      return new Answer<>(node, null, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Answer<>(node, null, new IOException("cancelled", e));
    } catch (RuntimeException e) {
      return new Answer<>(node, null, new IOException("failed: " + e, e));
    }
  }
}
