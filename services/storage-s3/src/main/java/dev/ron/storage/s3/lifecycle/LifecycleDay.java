package dev.ron.storage.s3.lifecycle;

import java.time.Duration;

/**
 * How long a day of a rule is. Days end at midnight, so what is to go after some days goes at the
 * next midnight after them; a day that was made shorter, to see rules at work, ends when it is
 * over.
 *
 * <p>Threading: immutable.
 */
record LifecycleDay(Duration length) {
  /** As calendars have it. */
  static final LifecycleDay CALENDAR = new LifecycleDay(Duration.ofDays(1));

  long after(long millis, int days) {
    long day = length.toMillis();
    long end = millis + days * day;
    boolean whole = length.equals(CALENDAR.length);
    return whole ? Math.ceilDiv(end, day) * day : end;
  }
}
