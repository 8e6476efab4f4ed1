package dev.ron.kernel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairChannelTest {
  private final List<String> dropped = new ArrayList<>();
  private final Scope scope =
      Scope.of("test", World.real(Log.silent()))
          .shared(
              () ->
                  new TenantTable(
                      List.of(
                          new TenantTerms("b", 2, Map.of()), new TenantTerms("c", 4, Map.of()))));

  private Channel<String> channel(int capacity) {
    return Channel.fair(
        scope, "work", capacity, item -> item.substring(0, 1), _ -> 1, dropped::add);
  }

  @Test
  void aQuietTenantGoesNextWhateverWaitsBefore() {
    Channel<String> work = channel(100);
    for (int i = 0; i < 90; i++) {
      work.trySend("a" + i);
    }
    work.trySend("q");
    assertThat(work.receiveBatch(2)).contains("q");
  }

  @Test
  void aFullChannelTakesFromTheLongestLine() {
    Channel<String> work = channel(4);
    for (int i = 0; i < 4; i++) {
      assertThat(work.trySend("a" + i)).isInstanceOf(SendResult.Sent.class);
    }
    assertThat(work.trySend("a4")).isInstanceOf(SendResult.Full.class);
    assertThat(work.trySend("q0")).isInstanceOf(SendResult.Sent.class);
    assertThat(work.trySend("q1")).isInstanceOf(SendResult.Sent.class);
    assertThat(dropped).containsExactly("a3", "a2");
    assertThat(work.trySend("q2")).as("as long as the other").isInstanceOf(SendResult.Full.class);
    assertThat(work.depth()).isEqualTo(4);
    assertThat(work.abandon()).isEqualTo(4);
    assertThat(work.ended()).isTrue();
  }

  @Test
  void sharesUnderSaturationAreAsTheWeights() {
    Channel<String> work = channel(64);
    Map<String, Integer> served = new HashMap<>();
    for (int i = 0; i < 7000; i++) {
      for (String tenant : List.of("a", "b", "c")) {
        for (int n = 0; n < 3; n++) {
          work.trySend(tenant);
        }
      }
      served.merge(work.tryReceive(), 1, Integer::sum);
    }
    assertThat(served.get("a")).isCloseTo(1000, within(10));
    assertThat(served.get("b")).isCloseTo(2000, within(20));
    assertThat(served.get("c")).isCloseTo(4000, within(40));
  }
}
