package dev.ron.kernel.tenant;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What one tenant gets: its weight where tenants contend, and its limits.
 *
 * <p>Threading: immutable.
 *
 * @param weight its share beside the weights of the others that contend
 * @param limits those that are set; zero allows nothing
 */
public record TenantTerms(String name, int weight, Map<TenantLimit, Long> limits) {
  public static final int WEIGHT_MAX = 1000;

  /** Rates have a burst of one second's worth, and levels must fit. */
  public static final long RATE_MAX = 1L << 32;

  /** As a capability names a tenant. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}");

  public TenantTerms {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name = \"%s\" must be 1 to 64 of A-Z a-z 0-9 . _ : -, starting with a letter or digit"
              .formatted(name));
    }
    if (weight < 1 || weight > WEIGHT_MAX) {
      throw new IllegalArgumentException(
          "weight = %d, must be 1 to %d".formatted(weight, WEIGHT_MAX));
    }
    limits = Map.copyOf(limits);
    limits.forEach(TenantTerms::check);
  }

  /** Weight one and no limit. */
  static TenantTerms usual(String name) {
    return new TenantTerms(name, 1, Map.of());
  }

  private static void check(TenantLimit limit, long value) {
    boolean rate = limit.word().endsWith("_per_second");
    if (value < 0 || (rate && value > RATE_MAX)) {
      throw new IllegalArgumentException(
          "%s = %d, must be 0 to %s".formatted(limit.word(), value, rate ? "2^32" : "2^63"));
    }
  }

  /** Empty if there is no such limit. */
  public OptionalLong limit(TenantLimit which) {
    Long value = limits.get(which);
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /** The same with another limit. */
  public TenantTerms with(TenantLimit limit, long value) {
    Map<TenantLimit, Long> more = new EnumMap<>(TenantLimit.class);
    more.putAll(limits);
    more.put(limit, value);
    return new TenantTerms(name, weight, more);
  }
}
