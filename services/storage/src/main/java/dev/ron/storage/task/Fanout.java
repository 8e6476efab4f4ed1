package dev.ron.storage.task;

import dev.ron.kernel.supervise.Threads;
import java.io.IOException;
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
final class Fanout {
  private final Threads threads;

  Fanout(Threads threads) {
    this.threads = threads;
  }

  /** What is asked. */
  interface Question<N, T> {
    T ask(N node) throws IOException, InterruptedException;
  }

  /** A node's answer, or why there is none. */
  record Answer<N, T>(N node, @Nullable T value, @Nullable IOException trouble) {}

  /** All answers, in the order of the nodes; every question ends by itself. */
  <N, T> List<Answer<N, T>> ask(List<N> nodes, Question<N, T> question)
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
    lock.lockInterruptibly();
    try {
      while (left[0] > 0) {
        changed.await();
      }
      var all = new ArrayList<Answer<N, T>>();
      for (Answer<N, T> each : answers) {
        if (each != null) {
          all.add(each);
        }
      }
      return all;
    } finally {
      lock.unlock();
      running.forEach(Thread::interrupt);
    }
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
