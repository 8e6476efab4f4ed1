package dev.ron.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.log.LogLine;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The last lines of the log, for the admin door: a terminal that shows only warnings, or a log that
 * went to a file elsewhere, can still be read.
 *
 * <p>Lines about requests have places of their own: a busy node writes a thousand of them in
 * seconds, and what happened an hour ago must not go with them.
 *
 * <p>Threading: thread-safe; {@code lock} guards everything and is held for a few instructions.
 */
public final class RecentLog implements Consumer<LogLine> {
  /** Of each kind; about half a megabyte of ordinary lines. */
  static final int LINES_MAX = 1024;

  private static final String REQUEST = "request";

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final ArrayDeque<Numbered> requests = new ArrayDeque<>();

  @GuardedBy("lock") private final ArrayDeque<Numbered> others = new ArrayDeque<>();

  @GuardedBy("lock") private long next;

  /**
   * Numbers lines from the time of a start on, in microseconds: no line of an earlier start has a
   * number as high, so a reader who asks from one of those misses nothing.
   */
  public static RecentLog since(Instant start) {
    return new RecentLog(ChronoUnit.MICROS.between(Instant.EPOCH, start));
  }

  RecentLog() {
    this(0);
  }

  private RecentLog(long first) {
    next = first;
  }

  /** A line and its number, which counts from the start of the node. */
  record Numbered(long number, LogLine line) {}

  @Override
  public void accept(LogLine line) {
    lock.lock();
    try {
      ArrayDeque<Numbered> kept = line.event().equals(REQUEST) ? requests : others;
      if (kept.size() == LINES_MAX) {
        kept.removeFirst();
      }
      kept.addLast(new Numbered(next++, line));
    } finally {
      lock.unlock();
    }
  }

  /** The number that the next line gets. */
  long next() {
    lock.lock();
    try {
      return next;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The kept lines from that number on, oldest first. A number that no line can have yet is of an
   * earlier start by a clock that was ahead: its reader goes on with all that this one wrote.
   */
  List<Numbered> from(long asked) {
    List<Numbered> lines = new ArrayList<>();
    long number;
    lock.lock();
    try {
      number = asked > next ? 0 : asked;
      lines.addAll(requests);
      lines.addAll(others);
    } finally {
      lock.unlock();
    }
    lines.removeIf(line -> line.number() < number);
    lines.sort(Comparator.comparingLong(Numbered::number));
    return lines;
  }
}
