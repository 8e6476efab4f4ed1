package dev.ron.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.metric.Meter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counts are never more than what was counted, and less by a second for each crash at most. */
class UsageCrashTest {
  private record Count(Instant at, UsageKey key, long units) {}

  @Test
  void aCrashLosesASecondAtMostAndCountsNothingTwice() throws Exception {
    for (long seed = 1; seed <= 12; seed++) {
      play(seed, 6);
    }
  }

  @Test
  @Tag("long")
  void aHundredCrashesOfTwentySeeds() throws Exception {
    for (long seed = 1; seed <= 20; seed++) {
      play(seed, 100);
    }
  }

  private static void play(long seed, int crashes) throws Exception {
    var rig = new UsageRig(seed);
    rig.sealEvery = Duration.ofSeconds(1 + rig.random.nextInt(5));
    rig.start();
    Map<UsageKey, Long> counted = new HashMap<>();
    Map<UsageKey, Long> mayBeLost = new HashMap<>();
    for (int crash = 0; crash < crashes; crash++) {
      var recent = new ArrayDeque<Count>();
      int steps = 1 + rig.random.nextInt(60);
      for (int i = 0; i < steps; i++) {
        String tenant = "tenant" + rig.random.nextInt(3);
        long units = 1L + rig.random.nextInt(9);
        var key = new UsageKey(tenant, "mailbox.messages_sent");
        rig.usage.meter("mailbox").account(tenant).add(Meter.Unit.MESSAGES_SENT, units);
        counted.merge(key, units, Long::sum);
        recent.add(new Count(rig.time.now(), key, units));
        rig.storeDown = rig.random.nextInt(4) == 0;
        rig.tree.advance(Duration.ofMillis(rig.random.nextInt(400)));
      }
      boolean drained = rig.random.nextInt(4) == 0;
      Instant died = rig.time.now();
      if (drained) {
        rig.tree.drain();
      } else {
        recent.stream()
            .filter(each -> each.at().isAfter(died.minusSeconds(1)))
            .forEach(each -> mayBeLost.merge(each.key(), each.units(), Long::sum));
      }
      rig.crash();
      Map<UsageKey, Long> found = rig.recovered();
      String what = "seed %d, crash %d, drained %s".formatted(seed, crash, drained);
      counted.forEach(
          (key, units) ->
              assertThat(found.getOrDefault(key, 0L))
                  .as(what)
                  .isBetween(units - mayBeLost.getOrDefault(key, 0L), units));
      // From here on, what was lost is settled.
      counted.replaceAll((key, _) -> found.getOrDefault(key, 0L));
      mayBeLost.clear();
    }
    rig.storeDown = false;
    rig.sealEvery = Duration.ZERO;
    rig.tree.advance(Duration.ofSeconds(20));
    assertThat(rig.checked().findings()).as("seed %d", seed).isEmpty();
    var sealed = new HashMap<UsageKey, Long>();
    for (long number : rig.usage.files().seals()) {
      Seal seal = Seal.parse(rig.usage.files().seal(number));
      AccountingLines.read(rig.stored.get(seal.accounting()))
          .forEach((key, units) -> sealed.merge(key, units, Long::sum));
    }
    counted.values().removeIf(units -> units == 0);
    assertThat(sealed).as("seed %d", seed).isEqualTo(counted);
  }
}
