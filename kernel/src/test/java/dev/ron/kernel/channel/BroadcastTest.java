package dev.ron.kernel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.VirtualScope;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BroadcastTest {
  private final VirtualScope virtual = VirtualScope.seeded(1);
  private final Broadcast<Integer> events = Broadcast.of(virtual.scope(), "events", 4);

  @Test
  void everySubscriberHearsEveryEventFromItsSubscriptionOn() {
    var early = events.subscribe();
    events.publish(1);
    var late = events.subscribe();
    events.publish(2);
    assertThat(early.drain()).containsExactly(1, 2);
    assertThat(late.drain()).containsExactly(2);
    assertThat(late.tryReceive()).isNull();
  }

  @Test
  void aSlowSubscriberMissesTheOldestAndItIsCounted() {
    var slow = events.subscribe();
    var fast = events.subscribe();
    for (int i = 1; i <= 10; i++) {
      events.publish(i);
      assertThat(fast.drain()).containsExactly(i);
    }
    assertThat(slow.drain())
        .containsExactlyElementsOf(IntStream.rangeClosed(7, 10).boxed().toList());
    assertThat(events.lagged()).isEqualTo(6);
    assertThat(virtual.scope().metrics().text()).contains("bus_lagged_total{topic=\"events\"} 6.0");
  }
}
