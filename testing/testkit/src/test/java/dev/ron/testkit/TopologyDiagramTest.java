package dev.ron.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.registry.ChannelRow;
import dev.ron.kernel.registry.Registry;
import dev.ron.kernel.registry.TaskRow;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TopologyDiagramTest {
  private final Registry registry = new Registry("edge");

  TopologyDiagramTest() {
    for (String task : new String[] {"audit", "worker-0", "worker-1"}) {
      registry.task(() -> new TaskRow("edge/" + task, "kind", "always", "running", 0, List.of()));
    }
    registry.channel(() -> new ChannelRow("work", "channel", 512, "reject new", 0, 0, 0), () -> 0);
  }

  @Test
  void itHasWhatTheRegistryHasAndEndsFromTheBottom() {
    assertThat(TopologyDiagram.markdown(registry, "http -> work -> worker-N"))
        .contains("  http -->|work: channel of 512| worker-N\n")
        .containsSubsequence(
            "supervisor->>http: shutdown",
            "supervisor->>worker-N: drain",
            "supervisor->>audit: drain",
            "supervisor->>http: release");
  }

  @Test
  void aChannelThatIsLeftOutAndAFlowOfNothingAreRefused() {
    assertThatThrownBy(() -> TopologyDiagram.markdown(registry)).hasMessage("no flow has [work]");
    for (String flow :
        new String[] {"http -> play -> worker-N", "http -> work -> idler", "http -> work"}) {
      assertThatThrownBy(() -> TopologyDiagram.markdown(registry, flow))
          .hasMessage(flow + ": not in the registry of edge");
    }
  }
}
