package dev.ron.http.server.dispatch;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Route;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Sets the request's deadline: the smallest of the server's own, {@code Request-Timeout} and {@code
 * Deadline}.
 *
 * <p>{@code Request-Timeout} is a number of seconds, or of milliseconds with {@code ms} after it;
 * {@code Deadline} is a calendar time such as {@code 2026-01-31T12:00:00.5Z}.
 */
public final class RequestDeadline implements Layer {
  private static final int DIGITS_MAX = 9;

  private final Time time;
  private final Duration limit;

  public RequestDeadline(Time time, Duration limit) {
    this.time = time;
    this.limit = limit;
  }

  @Override
  public @Nullable Refusal admit(Exchange exchange) {
    Duration left = exchange.route().terms().timeout().orElse(limit);
    Headers headers = exchange.headers();
    String timeout = headers.first("Request-Timeout");
    String deadline = headers.first("Deadline");
    try {
      left = timeout == null ? left : smaller(left, duration(timeout));
      left = deadline == null ? left : smaller(left, until(deadline));
    } catch (Refusal refusal) {
      return refusal;
    }
    if (left.isZero() || left.isNegative()) {
      return Refusal.of(new KernelFault.Timeout(exchange.route().op(), Duration.ZERO));
    }
    exchange.deadline(
        left.compareTo(Route.FOREVER) >= 0
            ? Deadline.NEVER
            : new Deadline(exchange.begun().plus(left)));
    return null;
  }

  private Duration until(String deadline) throws Refusal {
    try {
      return Duration.between(time.wall(), Instant.parse(deadline));
    } catch (DateTimeException | ArithmeticException notATime) {
      throw Refusal.malformed("Deadline is not a time such as 2026-01-31T12:00:00Z");
    }
  }

  private static Duration duration(String text) throws Refusal {
    boolean millis = text.endsWith("ms");
    String digits = millis ? text.substring(0, text.length() - 2) : text;
    if (digits.isEmpty() || digits.length() > DIGITS_MAX) {
      throw notATimeout();
    }
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw notATimeout();
      }
      value = value * 10 + digit;
    }
    return millis ? Duration.ofMillis(value) : Duration.ofSeconds(value);
  }

  private static Refusal notATimeout() {
    return Refusal.malformed("Request-Timeout is not seconds such as 5 or milliseconds as 500ms");
  }

  private static Duration smaller(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
