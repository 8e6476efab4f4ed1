package dev.ron.mailbox.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The table beside a map and a queue. */
final class AgedTableTest {
  @Test
  void itHoldsWhatAMapAndAQueueHold() {
    Seeds.forEach(60, (_, random) -> new Life(random).live(6_000));
  }

  @Test
  void anEntryCostsLittleMoreThanItsWords() {
    var table = new AgedTable(5);
    for (long i = 0; i < 100_000; i++) {
      table.add(i, ~i, i, i, i);
    }
    assertThat(table.bytes() / 100_000.0).isLessThan(56);
    for (long i = 0; i < 99_999; i++) {
      table.removeOldest();
    }
    assertThat(table.bytes()).isLessThan(100_000);
    assertThat(table.find(99_999, ~99_999L)).isEqualTo(99_999);
  }

  private static final class Life {
    private final RandomGenerator random;
    private final Map<Long, Long> newest = new HashMap<>();
    private final ArrayDeque<long[]> queue = new ArrayDeque<>();
    private AgedTable real = new AgedTable(3);
    private long made;

    Life(RandomGenerator random) {
      this.random = random;
    }

    void live(int steps) throws IOException {
      int keys = 1 + random.nextInt(5_000);
      boolean shrinks = false;
      for (int i = 0; i < steps; i++) {
        shrinks = random.nextInt(500) == 0 ? !shrinks : shrinks;
        if (queue.isEmpty() || random.nextInt(10) < (shrinks ? 2 : 8)) {
          long key = random.nextInt(keys);
          long value = made++;
          real.add(key, ~key, value);
          queue.add(new long[] {key, ~key, value});
          newest.put(key, value);
        } else {
          long[] oldest = queue.remove();
          real.removeOldest();
          newest.remove(oldest[0], oldest[2]);
        }
        check(random.nextInt(keys));
        if (random.nextInt(2_000) == 0) {
          checkAll();
          real = new AgedTable(real.freeze());
          checkAll();
        }
      }
      checkAll();
    }

    private void check(long key) {
      long found = real.find(key, ~key);
      Long known = newest.get(key);
      assertThat(found < 0 ? null : Long.valueOf(real.word(found, 2))).isEqualTo(known);
    }

    private void checkAll() throws IOException {
      newest.keySet().forEach(this::check);
      List<List<Long>> entries = new ArrayList<>();
      var bytes = new ByteArrayOutputStream();
      real.freeze().write((chunk, length) -> bytes.write(chunk, 0, length));
      LongBuffer words = ByteBuffer.wrap(bytes.toByteArray()).asLongBuffer();
      while (words.hasRemaining()) {
        entries.add(List.of(words.get(), words.get(), words.get()));
      }
      assertThat(entries)
          .isEqualTo(queue.stream().map(each -> List.of(each[0], each[1], each[2])).toList());
    }
  }
}
