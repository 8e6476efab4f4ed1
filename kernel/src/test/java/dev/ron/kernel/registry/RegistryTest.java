package dev.ron.kernel.registry;

import static dev.ron.kernel.channel.Overflow.DROP_OLDEST;
import static dev.ron.kernel.channel.Overflow.REJECT_NEW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.VirtualScope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.SteppedTree;
import dev.ron.kernel.supervise.Supervisor;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegistryTest {
  private final VirtualScope virtual = VirtualScope.seeded(1);

  @BeforeEach
  void wire() throws Exception {
    var scope = virtual.scope();
    Channel.<String>bounded(scope, "work", 512, REJECT_NEW).trySend("job");
    Channel.<String>bounded(scope, "inbox-0", 64, DROP_OLDEST);
    Channel.<String>bounded(scope, "inbox-1", 64, DROP_OLDEST);
    Broadcast.<String>of(scope, "events", 1024);
    Watch.of(scope, "shutdown", false);
    var unused = new RankedLock(scope.registry(), "state_meta", 1);
    assertThat(unused.rank()).isOne();
    SteppedTree.start(
            Supervisor.named("test")
                .children("worker", 2, Restart.ALWAYS, () -> now -> Next.at(Instant.MAX)),
            scope,
            virtual.time(),
            virtual.random())
        .settle();
  }

  @Test
  void theDocumentationTableHasWhatIsTrueWhateverTheLoad() {
    assertThat(RegistryTable.markdown(virtual.scope().registry()))
        .isEqualTo(
            """
            | task | restart |
            |---|---|
            | `test/worker-N` | always |

            | channel | kind | capacity | when full |
            |---|---|---:|---|
            | `work` | channel | 512 | reject new |
            | `inbox-N` | channel | 64 | drop oldest |
            | `events` | broadcast | 1024 | drop oldest |
            | `shutdown` | watch | 1 | last write wins |

            | lock | rank |
            |---|---:|
            | `state_meta` | 1 |
            """);
  }

  @Test
  void theTerminalTableHasTheFigures() {
    assertThat(RegistryTable.text(virtual.scope().registry()))
        .contains("test/worker-1  always   waiting  0")
        .contains("work      channel    1      512       0        0");
  }

  @Test
  void theJsonHasEveryRow() {
    assertThat(RegistryJson.of(virtual.scope().registry()))
        .startsWith("{\"service\":\"test\",\"url\":\"\",\"tasks\":[{\"path\":\"test/worker-0\",")
        .contains("{\"name\":\"work\",\"kind\":\"channel\",\"capacity\":512,")
        .endsWith("\"locks\":[{\"name\":\"state_meta\",\"rank\":1}]}");
    assertThat(RegistryJson.of(virtual.scope().registry(), "http://127.0.0.1:1"))
        .startsWith("{\"service\":\"test\",\"url\":\"http://127.0.0.1:1\",");
    assertThat(RegistryJson.quoted("a\"b\\c\n\u00e9")).isEqualTo("\"a\\\"b\\\\c\\u000a\\u00e9\"");
  }
}
