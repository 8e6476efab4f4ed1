package dev.ron.kernel.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ByteSecondsTest {
  private final Map<String, Long> charged = new HashMap<>();
  private final ByteSeconds kept =
      new ByteSeconds(tenant -> (_, units) -> charged.merge(tenant, units, Long::sum));

  private static Instant at(long millis) {
    return Instant.EPOCH.plusMillis(millis);
  }

  @Test
  void bytesAreChargedForTheTimeTheyAreKept() {
    kept.change("acme", 100, at(0));
    kept.change("acme", 50, at(2_000));
    kept.change("acme", -150, at(3_500));
    kept.settle(at(9_000));
    assertThat(charged).containsEntry("acme", 200L + 225L);
    assertThat(kept.bytes("acme")).isZero();
  }

  /** However often it is settled, no part of a byte-second is lost or counted twice. */
  @Test
  void settlingMoreOftenChangesNothing() {
    for (long seed = 1; seed <= 200; seed++) {
      charged.clear();
      var random = new SplittableRandom(seed);
      var fresh = new ByteSeconds(tenant -> (_, units) -> charged.merge(tenant, units, Long::sum));
      BigInteger exact = BigInteger.ZERO;
      long now = 0;
      long bytes = 0;
      for (int i = 0; i < 100; i++) {
        long millis = random.nextLong(3_000);
        exact = exact.add(BigInteger.valueOf(bytes).multiply(BigInteger.valueOf(millis)));
        now += millis;
        if (random.nextBoolean()) {
          fresh.settle(at(now));
        } else {
          long change = random.nextLong(-bytes, 1L << 40);
          fresh.change("acme", change, at(now));
          bytes += change;
        }
      }
      fresh.settle(at(now));
      assertThat(charged.getOrDefault("acme", 0L))
          .as("seed %d", seed)
          .isEqualTo(exact.divide(BigInteger.valueOf(1000)).longValueExact());
    }
  }

  @Test
  void aClockThatStandsStillChargesNothing() {
    kept.change("acme", 100, at(5_000));
    kept.settle(at(5_000));
    kept.settle(at(4_000));
    assertThat(charged).isEmpty();
  }

  @Test
  void noTenantKeepsLessThanNothing() {
    assertThatThrownBy(() -> kept.change("acme", -1, at(0)))
        .isInstanceOf(IllegalStateException.class);
  }
}
