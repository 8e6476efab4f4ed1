package dev.ron.http.server;

import dev.ron.kernel.time.Time;
import io.netty.util.concurrent.EventExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What the connections of one event loop share: a tick for their timeouts, the date, a work space.
 *
 * <p>Timeouts are checked by walking all connections a few times a second. That costs less than
 * arming and disarming a timer for every request, and a timeout late by a tick harms nobody.
 *
 * <p>Threading: owned by its event loop.
 */
final class Loop {
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  /** An eighth of the shortest timeout, between these, is close enough for any of them. */
  private static final Duration TICK_MIN = Duration.ofMillis(5);

  private static final Duration TICK_MAX = Duration.ofMillis(250);

  private final EventExecutor executor;
  private final Time time;
  private final ArrayList<Swept> swept = new ArrayList<>();
  private byte[] scratch = new byte[2048];
  private byte[] date;
  private String dateText;
  private long dateSecond;

  Loop(EventExecutor executor, Time time, Duration shortestTimeout) {
    this.executor = executor;
    this.time = time;
    this.dateSecond = time.wall().getEpochSecond();
    this.dateText = DATE.format(time.wall());
    this.date = dateText.getBytes(StandardCharsets.US_ASCII);
    Duration tick = shortestTimeout.dividedBy(8);
    tick = tick.compareTo(TICK_MIN) < 0 ? TICK_MIN : tick;
    tick = tick.compareTo(TICK_MAX) > 0 ? TICK_MAX : tick;
    var _ =
        executor.scheduleAtFixedRate(
            this::tick, tick.toNanos(), tick.toNanos(), TimeUnit.NANOSECONDS);
  }

  EventExecutor executor() {
    return executor;
  }

  void add(Swept one) {
    swept.add(one);
  }

  void remove(Swept one) {
    int at = swept.lastIndexOf(one);
    if (at >= 0) {
      int last = swept.size() - 1;
      swept.set(at, swept.get(last));
      swept.remove(last);
    }
  }

  /** The value of a Date header. */
  byte[] date() {
    return date;
  }

  String dateText() {
    return dateText;
  }

  /** A work space whose content nobody relies on after returning to the loop. */
  byte[] scratch(int bytes) {
    if (scratch.length < bytes) {
      scratch = new byte[Math.max(bytes, scratch.length * 2)];
    }
    return scratch;
  }

  private void tick() {
    Instant wall = time.wall();
    if (wall.getEpochSecond() != dateSecond) {
      dateSecond = wall.getEpochSecond();
      dateText = DATE.format(wall);
      date = dateText.getBytes(StandardCharsets.US_ASCII);
    }
    Instant now = time.now();
    // Backwards: closing one connection removes it and moves the last one, seen already, there.
    for (int i = swept.size() - 1; i >= 0; i--) {
      if (i < swept.size()) {
        swept.get(i).sweep(now);
      }
    }
  }
}
