package dev.ron.kernel.log;

import dev.ron.kernel.log.LogLine.Level;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Writes events: a fixed name and a few fields, never a sentence built from a payload.
 *
 * <p>The callers keep secrets out: a token is only ever passed as its hash prefix, a body not at
 * all.
 *
 * <p>Threading: immutable; the sink must be thread-safe.
 */
public final class Log {
  private static final Log SILENT = new Log("", Level.ERROR, () -> Instant.EPOCH, line -> {});

  private final String service;
  private final Level least;
  private final Supplier<Instant> wall;
  private final Consumer<LogLine> sink;

  public Log(String service, Level least, Supplier<Instant> wall, Consumer<LogLine> sink) {
    this.service = service;
    this.least = least;
    this.wall = wall;
    this.sink = sink;
  }

  /** For tests that do not look at logs. */
  public static Log silent() {
    return SILENT;
  }

  public Log named(String otherService) {
    return new Log(otherService, least, wall, sink);
  }

  public void debug(String event, Object... fields) {
    write(Level.DEBUG, event, fields);
  }

  public void info(String event, Object... fields) {
    write(Level.INFO, event, fields);
  }

  public void warn(String event, Object... fields) {
    write(Level.WARN, event, fields);
  }

  public void error(String event, Object... fields) {
    write(Level.ERROR, event, fields);
  }

  /**
   * @param fields names and values in turn: {@code "path", path, "restarts", 3}
   */
  private void write(Level level, String event, Object... fields) {
    if (level.compareTo(least) < 0) {
      return;
    }
    if (fields.length % 2 != 0) {
      throw new IllegalArgumentException(
          "fields of " + event + " are not names and values in turn");
    }
    Map<String, String> named = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      named.put(String.valueOf(fields[i]), String.valueOf(fields[i + 1]));
    }
    sink.accept(new LogLine(wall.get(), level, service, event, named));
  }
}
