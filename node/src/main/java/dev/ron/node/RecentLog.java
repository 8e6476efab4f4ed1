package dev.ron.node;

import dev.ron.kernel.log.LogLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The last lines of the log, for the admin door: a terminal that shows only warnings, or a log that
 * went to a file elsewhere, can still be read.
 *
 * <p>Threading: thread-safe without a lock. A line gets its number first and its slot then, so a
 * reader may miss one that is just being written; it sees it when it asks again from there.
 */
public final class RecentLog implements Consumer<LogLine> {
  /** About half a megabyte of ordinary lines. */
  static final int LINES_MAX = 1024;

  private final AtomicReferenceArray<Numbered> slots = new AtomicReferenceArray<>(LINES_MAX);
  private final AtomicLong next = new AtomicLong();

  /** A line and its number, which counts from the start of the node. */
  record Numbered(long number, LogLine line) {}

  @Override
  public void accept(LogLine line) {
    long number = next.getAndIncrement();
    slots.set((int) (number % LINES_MAX), new Numbered(number, line));
  }

  /** The kept lines from that number on, oldest first, up to the first that is not there yet. */
  List<Numbered> from(long number) {
    long end = next.get();
    List<Numbered> lines = new ArrayList<>();
    for (long at = Math.max(Math.max(0, number), end - LINES_MAX); at < end; at++) {
      Numbered line = slots.get((int) (at % LINES_MAX));
      if (line == null || line.number() < at) {
        break;
      }
      // A newer line in the slot: the log went round while this was read.
      if (line.number() == at) {
        lines.add(line);
      }
    }
    return lines;
  }
}
