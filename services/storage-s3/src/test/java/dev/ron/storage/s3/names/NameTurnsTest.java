package dev.ron.storage.s3.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.ordered.MemoryOrderedStore;
import dev.ron.ordered.OrderedSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of names are taken in the turns of tenants, as all else that they contend for. */
@Timeout(60)
final class NameTurnsTest {
  private static final int LOUD = 12;

  private final Scope scope =
      Scope.of("s3", World.real(Log.silent()))
          .shared(() -> new TenantTable(List.of(new TenantTerms("four", 4, Map.of()))));

  /** No task takes what is asked for, so all of it stays in its lines. */
  private final Names names =
      new Names(
          scope,
          MemoryOrderedStore.empty(OrderedSettings.named("rows"), 1 << 20, new SplittableRandom(1)),
          () -> {});

  private final List<Thread> asking = new ArrayList<>();

  private void ask(String tenant, long mark) {
    var command = new NameCommand.ForgetBuried(mark);
    asking.add(
        Thread.startVirtualThread(
            () -> {
              try {
                Payer.uncounted(tenant).call(() -> names.change(command));
              } catch (Exception ended) {
                Thread.currentThread().interrupt(); // by the end of the test
              }
            }));
    while (names.inbox().depth() < asking.size()) {
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void aTenantWaitsForOneOfEachOtherAndTakesPlacesByItsWeight() throws Exception {
    for (int i = 0; i < LOUD; i++) {
      ask("one", i);
    }
    for (int i = 0; i < LOUD; i++) {
      ask("four", 100 + i);
    }
    List<Long> order =
        names.inbox().receiveBatch(2 * LOUD).stream()
            .map(each -> ((NameCommand.ForgetBuried) each.command()).sequence())
            .toList();
    assertThat(order).hasSize(2 * LOUD);
    assertThat(order.subList(0, 10).stream().filter(mark -> mark >= 100))
        .as("four of five")
        .hasSizeBetween(7, 9);
    for (Thread each : asking) {
      each.interrupt();
      each.join();
    }
  }
}
