package dev.ron.http.server.connection;

import dev.ron.kernel.time.Time;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
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
 * <p>Timeouts are checked by walking all connections, which costs less than arming and disarming a
 * timer for every request. The walk comes quickly while something must be on time: a deadline that
 * is near, a peer that is watched for progress. Otherwise a few times a second.
 *
 * <p>Threading: owned by its event loop.
 */
public final class EventLoopContext {
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  /** An eighth of the shortest timeout, between these, is close enough for any of them. */
  private static final Duration TICK_MIN = Duration.ofMillis(5);

  /** A stall is noticed at one tick and ended at another: at most 50 ms late in all. */
  private static final Duration TICK_QUICK = Duration.ofMillis(25);

  /** While nothing has to be on time. */
  private static final Duration TICK_CALM = Duration.ofMillis(250);

  private final EventExecutor executor;
  private final Time time;
  private final ArrayList<TimeoutSweep> swept = new ArrayList<>();
  private final Duration quick;
  private byte[] scratch = new byte[2048];
  private byte[] date;
  private String dateText;
  private long dateSecond;
  private boolean calm = true;
  private ScheduledFuture<?> timer;

  public EventLoopContext(EventExecutor executor, Time time, Duration shortestTimeout) {
    this.executor = executor;
    this.time = time;
    this.dateSecond = time.wall().getEpochSecond();
    this.dateText = DATE.format(time.wall());
    this.date = dateText.getBytes(StandardCharsets.US_ASCII);
    Duration part = shortestTimeout.dividedBy(8);
    this.quick = larger(TICK_MIN, part.compareTo(TICK_QUICK) < 0 ? part : TICK_QUICK);
    this.timer = executor.schedule(this::tick, TICK_CALM.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static Duration larger(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  /** Something began that may have to be on time: looks soon. */
  public void awake() {
    if (calm) {
      timer.cancel(false);
      arm(quick);
    }
  }

  private void arm(Duration delay) {
    calm = delay.compareTo(quick) > 0;
    timer = executor.schedule(this::tick, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  public EventExecutor executor() {
    return executor;
  }

  public void add(TimeoutSweep one) {
    swept.add(one);
  }

  public void remove(TimeoutSweep one) {
    int at = swept.lastIndexOf(one);
    if (at >= 0) {
      int last = swept.size() - 1;
      swept.set(at, swept.get(last));
      swept.remove(last);
    }
  }

  /** The value of a Date header. */
  public byte[] date() {
    return date;
  }

  public String dateText() {
    return dateText;
  }

  /** A work space whose content must not be relied on after returning to the loop. */
  public byte[] scratch(int bytes) {
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
    Instant due = now.plus(TICK_CALM);
    try {
      // Backwards: closing one connection removes it and moves the last one, seen already, there.
      for (int i = swept.size() - 1; i >= 0; i--) {
        if (i < swept.size()) {
          Instant wanted = swept.get(i).sweep(now);
          due = wanted.isBefore(due) ? wanted : due;
        }
      }
    } finally {
      // A deadline has passed a moment after it, so the tick comes then and not just before.
      arm(larger(quick, Duration.between(now, due).plusMillis(1)));
    }
  }
}
