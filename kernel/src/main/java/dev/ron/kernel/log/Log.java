package dev.ron.kernel.log;

import dev.ron.kernel.log.LogLine.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.FileSystemException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
   * @param fields names and values in turn: {@code "path", path, "restarts", 3}; a failure is given
   *     as itself
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
      named.put(String.valueOf(fields[i]), words(fields[i + 1]));
    }
    sink.accept(new LogLine(wall.get(), level, service, event, named));
  }

  /** What an operator reads: no name of a package, and addresses as they are typed. */
  private static String words(@Nullable Object value) {
    return switch (value) {
      case Throwable failure -> failure(failure);
      case InetSocketAddress address -> address(address);
      case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT);
      case null, default -> String.valueOf(value);
    };
  }

  /** A sentence speaks for itself; a lone word, such as a path, is not what went wrong with it. */
  private static String failure(Throwable failure) {
    String message = failure.getMessage();
    if (message == null || message.isBlank()) {
      return failure.getClass().getSimpleName();
    }
    boolean bare = failure instanceof FileSystemException file && file.getReason() == null;
    return bare || message.indexOf(' ') < 0
        ? failure.getClass().getSimpleName() + ": " + message
        : message;
  }

  private static String address(InetSocketAddress address) {
    InetAddress resolved = address.getAddress();
    String host = resolved == null ? address.getHostString() : resolved.getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
