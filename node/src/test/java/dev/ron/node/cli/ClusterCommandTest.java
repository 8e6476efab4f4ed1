package dev.ron.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import dev.ron.testkit.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** {@code ron cluster} against nodes that run: a cluster of one takes another in and lets it go. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
class ClusterCommandTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private RunningNode start(String name, String peers, boolean joins) throws Exception {
    var settings = new HashMap<String, String>();
    settings.put("node.services", "mailbox");
    settings.put("mailbox.cluster.engine", "ratis");
    settings.put("mailbox.cluster.node", name);
    settings.put("mailbox.cluster.peers", peers);
    settings.put("mailbox.cluster.groups", "2");
    settings.put("mailbox.cluster.election", "500ms");
    settings.put("mailbox.cluster.spread", "false");
    settings.put("mailbox.cluster.join", Boolean.toString(joins));
    Path data = folder.resolve(name);
    return joins ? RunningNode.startSoon(data, settings) : RunningNode.start(data, settings);
  }

  private static Said cluster(RunningNode node, String... args) {
    var all = new ArrayList<>(List.of("cluster"));
    all.addAll(List.of(args));
    all.addAll(List.of("--url", node.url("mailbox"), "--cap", node.keys().mint(List.of())));
    return Said.by(all.toArray(String[]::new));
  }

  private static void await(String what, BooleanSupplier met) throws InterruptedException {
    Instant limit = Instant.now().plus(LIMIT);
    while (!met.getAsBoolean()) {
      assertThat(Instant.now()).as(what).isBefore(limit);
      LockSupport.parkNanos(2_000_000);
    }
  }

  @Test
  void aMachineIsTakenInLeadsAndIsLetGo() throws Exception {
    String a = "127.0.0.1:" + FreePorts.one();
    String b = "127.0.0.1:" + FreePorts.one();
    try (RunningNode first = start("a", "{ a = \"%s\" }".formatted(a), false);
        RunningNode second = start("b", "{ a = \"%s\", b = \"%s\" }".formatted(a, b), true)) {
      await("a leads alone", () -> cluster(first, "status").out().split(" leads ", -1).length == 3);
      assertThat(Said.by("cluster", "status", "--url", first.url("mailbox")).exit())
          .as("without a capability")
          .isEqualTo(1);
      Said stranger = cluster(first, "transfer", "b");
      assertThat(stranger.exit()).isEqualTo(1);
      assertThat(stranger.err()).as("not a member").contains("\"code\":\"unavailable\"");

      assertThat(cluster(first, "join", "b", b)).isEqualTo(new Said(0, "{\"ok\":true}\n", ""));
      assertThat(cluster(first, "status").out()).contains("as a sees it").contains("b " + b);
      await(
          "group 1 is led by b",
          () ->
              cluster(first, "transfer", "b", "--group", "1").exit() == 0
                  && leads(cluster(second, "status", "--json").out()));

      await("a leads it again", () -> cluster(second, "transfer", "a", "--group", "1").exit() == 0);
      assertThat(cluster(first, "leave", "b")).isEqualTo(new Said(0, "{\"ok\":true}\n", ""));
      assertThat(cluster(first, "status").out()).contains("a " + a).doesNotContain("b " + b);
    }
  }

  private static boolean leads(String status) {
    return status.contains("{\"group\":1,") && status.contains("\"leads\":true");
  }
}
