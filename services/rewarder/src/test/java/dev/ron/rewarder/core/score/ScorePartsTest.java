package dev.ron.rewarder.core.score;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import dev.ron.testkit.Seeds;
import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whether lines wait, and in how many tables they end, cannot be seen in the scores. */
final class ScorePartsTest {
  private static final long[] MEMORY = {0, 1 << 20, 16 << 20, 512 << 20};
  private static final int POOLS = 3;

  /** What was added, by actor, as plainly as can be. */
  private static final class Plain {
    private final TreeMap<String, BigInteger[]> sums = new TreeMap<>();
    private final TreeMap<String, Integer> bad = new TreeMap<>();

    void add(String actor, int pool, BigInteger value) {
      BigInteger[] all =
          sums.computeIfAbsent(
              actor, _ -> new BigInteger[] {BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO});
      all[pool] = all[pool].add(value);
    }

    void bad(String actor, int bits) {
      for (int pool = 0; pool < POOLS; pool++) {
        add(actor, pool, BigInteger.ZERO);
      }
      bad.merge(actor, bits, (a, b) -> a | b);
    }

    String text() {
      var text = new StringBuilder();
      sums.forEach(
          (actor, all) ->
              text.append(
                  "%s %s %s %s %d%n"
                      .formatted(actor, all[0], all[1], all[2], bad.getOrDefault(actor, 0))));
      return text.toString();
    }
  }

  private static String text(ScoreParts parts) {
    parts.settle();
    var text = new StringBuilder();
    try (ScoreCursor cursor = new SortedScores(parts).open()) {
      while (cursor.next()) {
        String actor =
            new String(cursor.actorBuffer(), cursor.actorOffset(), cursor.actorLength(), UTF_8);
        text.append(
            "%s %s %s %s %d%n"
                .formatted(
                    actor, cursor.score(0), cursor.score(1), cursor.score(2), cursor.badLines()));
      }
    }
    return text.toString();
  }

  private static void lines(SplittableRandom random, int count, ScoreParts to, Plain plain) {
    int actors = 1 + random.nextInt(2 * count);
    for (int i = 0; i < count; i++) {
      int number = random.nextInt(actors);
      // Some are shorter than a word, some begin alike for longer than one.
      String actor = number % 3 == 0 ? "" + number : "did:ron:node-" + number;
      byte[] bytes = ("<" + actor + ">").getBytes(UTF_8);
      int pool = random.nextInt(POOLS);
      if (random.nextInt(50) == 0) {
        int bits = 1 << random.nextInt(4);
        to.addBadLines(bytes, 1, bytes.length - 2, bits);
        plain.bad(actor, bits);
      } else {
        long high = random.nextInt(20) == 0 ? random.nextLong(1L << 50) : random.nextInt(1 << 20);
        long low = random.nextLong();
        to.add(bytes, 1, bytes.length - 2, pool, high, low);
        plain.add(actor, pool, new BigInteger(1, new Wide(high, low).bytes()));
      }
    }
  }

  @Test
  void theScoresAreTheSumsWhateverTheMemory() {
    Seeds.forEach(
        12,
        (_, random) -> {
          int count = 1 << random.nextInt(16);
          long seed = random.nextLong();
          for (long memory : MEMORY) {
            var parts = new ScoreParts(POOLS, memory);
            var plain = new Plain();
            lines(new SplittableRandom(seed), count, parts, plain);
            assertThat(text(parts)).as("memory %d", memory).isEqualTo(plain.text());
            assertThat(parts.overflowed()).isFalse();
          }
        });
  }

  @Test
  void oneTakesAnotherWhetherTheyAreSplitOrNot() {
    Seeds.forEach(
        8,
        (_, random) -> {
          var plain = new Plain();
          var all = new ScoreParts(POOLS, MEMORY[random.nextInt(MEMORY.length)]);
          lines(
              new SplittableRandom(random.nextLong()),
              random.nextBoolean() ? 100 : 20_000,
              all,
              plain);
          for (int i = 0; i < 3; i++) {
            var more = new ScoreParts(POOLS, MEMORY[random.nextInt(MEMORY.length)]);
            lines(
                new SplittableRandom(random.nextLong()),
                random.nextBoolean() ? 100 : 20_000,
                more,
                plain);
            all.addAll(more);
            assertThat(more.size()).isZero();
          }
          assertThat(text(all)).isEqualTo(plain.text());
        });
  }

  @Test
  void anOverflowIsSeenWhereverItHappensAndNotForgotten() {
    byte[] actor = {'a'};
    for (long memory : MEMORY) {
      var parts = new ScoreParts(1, memory);
      for (int i = 0; i < 20_000; i++) {
        byte[] other = ("actor-" + i).getBytes(UTF_8);
        parts.add(other, 0, other.length, 0, 0, 1);
      }
      parts.add(actor, 0, 1, 0, Long.MAX_VALUE, -1);
      assertThat(parts.overflowed()).as("2^127 - 1 fits").isFalse();
      parts.add(actor, 0, 1, 0, 0, 1);
      parts.settle();
      assertThat(parts.overflowed()).as("one more does not").isTrue();
      parts.clear();
      assertThat(parts.size()).isZero();
      var taker = new ScoreParts(1, memory);
      taker.addAll(parts);
      assertThat(taker.overflowed()).as("memory %d", memory).isTrue();
    }
  }
}
