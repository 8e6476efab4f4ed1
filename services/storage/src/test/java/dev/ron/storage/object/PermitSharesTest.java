package dev.ron.storage.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.testkit.SeededThreads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three tenants that never stop share a pool by their weights; a fourth that comes goes next. */
final class PermitSharesTest {
  private static final int SERVED = 1400;

  private final Map<String, Integer> served = new HashMap<>();
  private int all;
  private int quietWaited = -1;

  private Scope scope(World world) {
    return Scope.of("test", world)
        .shared(
            () ->
                new TenantTable(
                    List.of(
                        new TenantTerms("two", 2, Map.of()),
                        new TenantTerms(TenantTable.REPAIR, 4, Map.of()))));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void sharesAreAsTheWeights(long seed) {
    var threads = new SeededThreads(seed);
    World world = threads.world(new RealDisk());
    Scope scope = scope(world);
    var permits = new Permits(scope, "get", 2, new PermitQueue(scope, "work", 64));
    threads.run(
        () -> {
          for (String tenant : List.of("one", "two", TenantTable.REPAIR)) {
            for (int i = 0; i < 6; i++) {
              world.threads().start(tenant + i, () -> loop(world, permits, tenant));
            }
          }
          world.threads().start("quiet", () -> quiet(world, permits));
        });
    assertThat(served.get("one") * 7.0 / all).isCloseTo(1, within(0.1));
    assertThat(served.get("two") * 7.0 / all / 2).isCloseTo(1, within(0.1));
    assertThat(served.get(TenantTable.REPAIR) * 7.0 / all / 4).isCloseTo(1, within(0.1));
    assertThat(quietWaited).as("served before it").isBetween(0, 6);
  }

  private void loop(World world, Permits permits, String tenant) {
    try {
      while (all < SERVED) {
        try (Permits.Place _ = permits.inner(tenant)) {
          served.merge(tenant, 1, Integer::sum);
          all++;
          world.time().sleepUntil(world.time().now().plusMillis(1));
        }
      }
    } catch (InterruptedException | Refusal e) {
      throw new AssertionError(e);
    }
  }

  private void quiet(World world, Permits permits) {
    try {
      world.time().sleepUntil(world.time().now().plusMillis(100));
      int before = all;
      try (Permits.Place _ = permits.inner("quiet")) {
        quietWaited = all - before;
      }
    } catch (InterruptedException | Refusal e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFullRoomTakesFromTheLongestLine() {
    var threads = new SeededThreads(1);
    World world = threads.world(new RealDisk());
    Scope scope = scope(world);
    var room = new PermitQueue(scope, "work", 3);
    var loud = List.of("a", "b", "c").stream().map(_ -> waiter(room, "loud")).toList();
    room.lock.lock();
    try {
      loud.forEach(each -> assertThat(room.enter(each)).isTrue());
      assertThat(room.enter(waiter(room, "loud"))).isFalse();
      assertThat(room.enter(waiter(room, "quiet"))).isTrue();
    } finally {
      room.lock.unlock();
    }
    assertThat(loud.getLast().state).isEqualTo(PermitQueue.State.GAVE_WAY);
    assertThat(loud.getFirst().state).isEqualTo(PermitQueue.State.WAITING);
  }

  private static PermitQueue.Waiter waiter(PermitQueue room, String tenant) {
    return new PermitQueue.Waiter(tenant, room.lock.newCondition());
  }
}
