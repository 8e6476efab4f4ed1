package dev.ron.kernel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.VirtualScope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.supervise.EventReader;
import dev.ron.kernel.supervise.Next;
import java.time.Instant;
import java.util.ArrayList;
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

  @Test
  void aReaderIsHandedEveryEventAndWhatItMissedIsWarnedOf() {
    var lines = new ArrayList<LogLine>();
    var log = new Log("", LogLine.Level.DEBUG, () -> Instant.EPOCH, lines::add);
    Scope scope = Scope.of("test", World.real(log));
    Broadcast<Integer> few = Broadcast.of(scope, "events", 4);
    var read = new ArrayList<Integer>();
    var reader = new EventReader<>(few, read::add);
    few.publish(1);
    assertThat(reader.run(Instant.EPOCH)).isInstanceOf(Next.Await.class);
    assertThat(read).containsExactly(1);
    assertThat(lines).isEmpty();
    IntStream.rangeClosed(2, 10).forEach(few::publish);
    reader.finish(Instant.EPOCH);
    assertThat(read).containsExactly(1, 7, 8, 9, 10);
    assertThat(lines)
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.level()).isEqualTo(LogLine.Level.WARN);
              assertThat(line.event()).isEqualTo("bus-lagged");
              assertThat(line.fields())
                  .containsEntry("topic", "events")
                  .containsEntry("missed", "5");
            });
  }
}
