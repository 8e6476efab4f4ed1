package dev.ron.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.log.Log;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class WorldTest {
  private final World world = World.real(Log.silent());

  @Test
  void theNextSecretCannotBeComputedFromThoseBefore() {
    for (int i = 0; i < 1000; i++) {
      assertThat(foretold(world.secrets())).isFalse();
    }
  }

  /** Shows that the attack works where it should. */
  @Test
  void theNextChanceCan() {
    assertThat(foretold(world.chance())).isTrue();
  }

  @Test
  void noSecretIsHandedOutTwice() throws Exception {
    var source = new SecretSource(new Counting());
    List<Thread> threads = new ArrayList<>();
    List<List<Long>> taken = new ArrayList<>();
    for (int t = 0; t < 200; t++) {
      var mine = new ArrayList<Long>();
      taken.add(mine);
      threads.add(
          world
              .threads()
              .start(
                  "test/secrets",
                  () -> {
                    for (int i = 0; i < 1000; i++) {
                      mine.add(source.nextLong());
                    }
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    }
    var all = new HashSet<Long>();
    taken.forEach(all::addAll);
    assertThat(all).hasSize(200_000);
  }

  /** The JDK's quick generator adds the same to its state each time. */
  private static boolean foretold(RandomGenerator random) {
    long first = state(random.nextLong());
    long second = state(random.nextLong());
    return state(random.nextLong()) == second + (second - first);
  }

  /** The mixing of {@code ThreadLocalRandom}, backwards. */
  private static long state(long mixed) {
    long z = unshift(mixed, 33) * inverse(0xc4ceb9fe1a85ec53L);
    z = unshift(z, 33) * inverse(0xff51afd7ed558ccdL);
    return unshift(z, 33);
  }

  private static long unshift(long value, int bits) {
    return value ^ (value >>> bits);
  }

  /** By Newton's steps, each of which doubles the bits that are right. */
  private static long inverse(long odd) {
    long x = odd;
    for (int i = 0; i < 6; i++) {
      x *= 2 - odd * x;
    }
    return x;
  }

  /** Hands out 1, 2, 3 and so on, eight bytes each. */
  private static final class Counting extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private final AtomicLong last = new AtomicLong();

    @Override
    public void nextBytes(byte[] bytes) {
      ByteBuffer into = ByteBuffer.wrap(bytes);
      while (into.hasRemaining()) {
        into.putLong(last.incrementAndGet());
      }
    }
  }
}
