package dev.ron.kernel.metric;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Charges tenants for what they keep, by bytes and seconds.
 *
 * <p>It remembers nothing by itself: the service that keeps the things says what there is when it
 * starts, and each change once it is durable. A tenant is charged at each change and at each {@link
 * #settle}, so a crash loses the time since the last one, and the time that the service does not
 * run is not charged.
 *
 * <p>Threading: thread-safe; a tenant is changed and charged in one step.
 */
public final class ByteSeconds {
  private static final int MILLIS = 1000;

  private final Meter meter;
  private final Map<String, Holding> holdings = new ConcurrentHashMap<>();

  /**
   * @param milliseconds bytes times milliseconds that are charged when they are a byte-second
   */
  private record Holding(long bytes, Instant since, long milliseconds) {}

  public ByteSeconds(Meter meter) {
    this.meter = meter;
  }

  /**
   * @param bytes more, or fewer
   * @param now by a clock that never goes back
   */
  public void change(String tenant, long bytes, Instant now) {
    holdings.compute(
        tenant,
        (_, before) -> {
          Holding charged = before == null ? new Holding(0, now, 0) : charged(tenant, before, now);
          long sum = Math.addExact(charged.bytes(), bytes);
          if (sum < 0) {
            throw new IllegalStateException("%s keeps %d bytes".formatted(tenant, sum));
          }
          return new Holding(sum, charged.since(), charged.milliseconds());
        });
  }

  /** Charges all tenants up to now. */
  public void settle(Instant now) {
    for (String tenant : holdings.keySet()) {
      holdings.computeIfPresent(tenant, (_, before) -> kept(charged(tenant, before, now)));
    }
  }

  private static @Nullable Holding kept(Holding holding) {
    return holding.bytes() == 0 ? null : holding;
  }

  private Holding charged(String tenant, Holding holding, Instant now) {
    long millis = Duration.between(holding.since(), now).toMillis();
    if (millis <= 0) {
      return holding;
    }
    long part =
        Math.addExact(Math.multiplyExact(holding.bytes(), millis % MILLIS), holding.milliseconds());
    long units = Math.addExact(Math.multiplyExact(holding.bytes(), millis / MILLIS), part / MILLIS);
    if (units > 0) {
      meter.account(tenant).add(Meter.Unit.OBJECT_BYTE_SECONDS, units);
    }
    return new Holding(holding.bytes(), holding.since().plusMillis(millis), part % MILLIS);
  }

  /** What a tenant keeps now. */
  public long bytes(String tenant) {
    Holding holding = holdings.get(tenant);
    return holding == null ? 0 : holding.bytes();
  }
}
