package dev.ron.kernel.supervise;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.Scope;
import dev.ron.kernel.ready.Readiness;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which tasks of a service are not well, as one readiness condition named {@code tasks}.
 *
 * <p>One condition for all of them keeps the metric's label set closed; the reason names each.
 *
 * <p>Threading: thread-safe; {@code lock} keeps the condition in step with the map.
 */
final class TaskHealth {
  private final Readiness.Condition condition;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final Map<String, String> ailing = new TreeMap<>();

  TaskHealth(Scope scope) {
    this.condition = scope.readiness().condition("tasks");
    condition.met();
  }

  void well(String path) {
    lock.lock();
    try {
      if (ailing.remove(path) != null) {
        tell();
      }
    } finally {
      lock.unlock();
    }
  }

  void ailing(String path, String reason) {
    lock.lock();
    try {
      ailing.put(path, reason);
      tell();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock") private void tell() {
    if (ailing.isEmpty()) {
      condition.met();
      return;
    }
    var reasons = new StringBuilder();
    ailing.forEach((path, reason) -> reasons.append(path).append(' ').append(reason).append("; "));
    condition.missing(reasons.substring(0, reasons.length() - 2));
  }
}
