package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.registry.ChannelRow;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is configured as the size of a queue is the size of the queue that runs. */
@Timeout(120)
final class CapacitiesTest {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "gateway.events", "11",
          "edge.events", "12",
          "mailbox.events", "13",
          "storage.events", "14",
          "rewarder.events", "15",
          "rewarder.queue", "16",
          "storage.durability.repair_queue", "17");

  @TempDir private Path data;

  @Test
  void everySizeOfAQueueIsASetting() throws Exception {
    try (RunningNode node = RunningNode.start(data, SETTINGS)) {
      assertThat(sizes(node, "gateway", "events")).containsExactly(11);
      assertThat(sizes(node, "edge", "events")).containsExactly(12);
      assertThat(sizes(node, "mailbox", "events")).containsExactly(13);
      assertThat(sizes(node, "storage", "events")).containsExactly(14);
      assertThat(sizes(node, "rewarder", "events")).containsExactly(15);
      for (String queue : List.of("work_req", "work", "results", "intents")) {
        assertThat(sizes(node, "rewarder", queue)).as(queue).containsExactly(16);
      }
      assertThat(sizes(node, "storage", "repair")).containsExactly(17);
    }
  }

  private static List<Integer> sizes(RunningNode node, String service, String queue) {
    return node.node().urls().keySet().stream()
        .filter(scope -> scope.service().equals(service))
        .flatMap(scope -> scope.registry().channels().stream())
        .filter(row -> row.name().equals(queue))
        .map(ChannelRow::capacity)
        .toList();
  }
}
