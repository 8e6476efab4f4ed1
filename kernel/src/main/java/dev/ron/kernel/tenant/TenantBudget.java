package dev.ron.kernel.tenant;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.limit.TokenLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What one tenant has used up of its rates at one door, and what it has there now.
 *
 * <p>A request is charged to all of its rates or, if one of them is used up, to none, and then it
 * is told how long all of them need. A rate lets one second's worth through at once. A body that is
 * longer passes when the rate is full, and what an answer or a body of unknown length took is owed.
 *
 * <p>Threading: thread-safe; {@code lock} guards all of it, and is a leaf.
 */
public final class TenantBudget {
  private static final Duration NEVER = Duration.ofDays(3650);

  private final String tenant;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final Map<TenantLimit, TokenLevel> rates = new EnumMap<>(TenantLimit.class);

  @GuardedBy("lock") private TenantTerms terms;

  @GuardedBy("lock") private int inFlight;

  @GuardedBy("lock") private int connections;

  TenantBudget(String tenant) {
    this.tenant = tenant;
    this.terms = TenantTerms.usual(TenantTable.DEFAULT);
  }

  /**
   * Lets one request in, which {@link #left} follows.
   *
   * @param bytesIn announced; 0 if unknown or none
   * @param onNewConnection whether its connection has to be counted, which {@link #closed} follows
   * @return null if it is in
   */
  @Nullable TenantFault admit(TenantTerms now, long bytesIn, boolean onNewConnection, Instant at) {
    lock.lock();
    try {
      take(now, at);
      TenantFault full = full(onNewConnection);
      if (full != null) {
        return full;
      }
      TenantFault over = overRates(bytesIn, at);
      if (over != null) {
        return over;
      }
      charge(TenantLimit.REQUESTS_PER_SECOND, 1, at);
      charge(TenantLimit.BYTES_IN_PER_SECOND, bytesIn, at);
      inFlight++;
      connections += onNewConnection ? 1 : 0;
      return null;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock") private @Nullable TenantFault full(boolean onNewConnection) {
    if (reached(TenantLimit.IN_FLIGHT, inFlight)) {
      return at(TenantLimit.IN_FLIGHT);
    }
    return onNewConnection && reached(TenantLimit.CONNECTIONS, connections)
        ? at(TenantLimit.CONNECTIONS)
        : null;
  }

  @GuardedBy("lock") private boolean reached(TenantLimit limit, int count) {
    OptionalLong most = terms.limit(limit);
    return most.isPresent() && count >= most.getAsLong();
  }

  @GuardedBy("lock") private TenantFault at(TenantLimit limit) {
    long allowed = terms.limit(limit).orElseThrow();
    return allowed == 0
        ? new TenantFault.Barred(tenant, limit)
        : new TenantFault.OverCount(tenant, limit, allowed);
  }

  /** The rate that needs the longest, so that the time that is told is enough for all of them. */
  @GuardedBy("lock") private @Nullable TenantFault overRates(long bytesIn, Instant now) {
    TenantLimit slowest = TenantLimit.REQUESTS_PER_SECOND;
    Duration longest = Duration.ZERO;
    for (TenantLimit limit : TenantLimit.values()) {
      long tokens =
          switch (limit) {
            case REQUESTS_PER_SECOND -> 1;
            case BYTES_IN_PER_SECOND -> Math.max(0, bytesIn);
            case BYTES_OUT_PER_SECOND -> 1; // how many it will be is not known: a debt holds it
            default -> -1;
          };
      Duration rest = tokens < 0 ? Duration.ZERO : rest(limit, tokens, now);
      if (rest.compareTo(longest) > 0) {
        longest = rest;
        slowest = limit;
      }
    }
    if (longest.isZero()) {
      return null;
    }
    return longest.equals(NEVER)
        ? new TenantFault.Barred(tenant, slowest)
        : new TenantFault.OverRate(tenant, slowest, terms.limit(slowest).orElseThrow(), longest);
  }

  @GuardedBy("lock") private Duration rest(TenantLimit limit, long tokens, Instant now) {
    OptionalLong allowed = terms.limit(limit);
    if (allowed.isEmpty()) {
      return Duration.ZERO;
    }
    TokenLevel level = rates.get(limit);
    if (level == null) {
      return tokens == 0 ? Duration.ZERO : NEVER;
    }
    return level.untilThere(tokens, now);
  }

  @GuardedBy("lock") private void charge(TenantLimit limit, long tokens, Instant now) {
    TokenLevel level = rates.get(limit);
    if (level != null && tokens > 0) {
      level.take(tokens, now);
    }
  }

  /** Bytes that were not known when the request was let in; they are owed. */
  void used(TenantLimit limit, long bytes, Instant now) {
    lock.lock();
    try {
      charge(limit, bytes, now);
    } finally {
      lock.unlock();
    }
  }

  /** The request is over; bytes that were announced and did not come are given back. */
  void left(long missingBytesIn, Instant now) {
    lock.lock();
    try {
      inFlight--;
      TokenLevel level = rates.get(TenantLimit.BYTES_IN_PER_SECOND);
      if (level != null && missingBytesIn > 0) {
        level.giveBack(missingBytesIn, now);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * How much of a limit is used up now; of a rate, how much of a second's worth, and more than that
   * while something is owed. Zero for what does not hold at a door.
   */
  long use(TenantLimit limit, Instant now) {
    lock.lock();
    try {
      TokenLevel level = rates.get(limit);
      return switch (limit) {
        case IN_FLIGHT -> inFlight;
        case CONNECTIONS -> connections;
        default -> level == null ? 0 : level.missing(now);
      };
    } finally {
      lock.unlock();
    }
  }

  void closed() {
    lock.lock();
    try {
      connections--;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it says no more than a new one would. */
  boolean isIdle(Instant now) {
    lock.lock();
    try {
      return inFlight == 0
          && connections == 0
          && rates.values().stream().allMatch(level -> level.isFull(now));
    } finally {
      lock.unlock();
    }
  }

  /** The same rate again hands out no new tokens. */
  @GuardedBy("lock") private void take(TenantTerms now, Instant at) {
    if (now.equals(terms)) {
      return;
    }
    terms = now;
    for (TenantLimit limit :
        new TenantLimit[] {
          TenantLimit.REQUESTS_PER_SECOND,
          TenantLimit.BYTES_IN_PER_SECOND,
          TenantLimit.BYTES_OUT_PER_SECOND
        }) {
      long rate = now.limit(limit).orElse(0);
      TokenLevel level = rates.get(limit);
      if (rate == 0) {
        rates.remove(limit);
      } else if (level == null) {
        rates.put(limit, new TokenLevel(rate, rate, at));
      } else {
        level.change(rate, rate, at);
      }
    }
  }
}
