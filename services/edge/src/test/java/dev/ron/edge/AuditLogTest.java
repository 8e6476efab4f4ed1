package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.testkit.SeedRow;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the edge does is in its log, and each record holds the one before. */
final class AuditLogTest {
  @TempDir private Path folder;

  @Test
  @SeedRow({"E26", "E62"})
  void fillsAreReadFromTheEventsAndChained() throws Exception {
    List<LogLine> lines = new CopyOnWriteArrayList<>();
    var log = new Log("", LogLine.Level.INFO, () -> Instant.EPOCH, lines::add);
    try (var origin = FakeOrigin.answering("Cache-Control: max-age=60", "kept");
        Rig rig = Rig.in(World.real(log), folder, origin.url(), "audit=true", "packs=[]")) {
      assertThat(rig.get("/a").statusCode()).isEqualTo(200);
      assertThat(rig.get("/b").statusCode()).isEqualTo(200);
      rig.awaitIdle();
      rig.tree.drain();
      assertThat(rig.metric("bus_lagged_total{topic=\"events\"}")).isZero();
    }
    List<LogLine> audit = lines.stream().filter(line -> line.event().equals("audit")).toList();
    assertThat(audit.stream().map(line -> line.fields().get("record")))
        .filteredOn(record -> record.startsWith("Filled"))
        .hasSize(2)
        .allMatch(record -> record.contains("status=200, bytes=4, stored=true"));
    String chain = "0".repeat(64);
    for (LogLine line : audit) {
      chain = AuditLog.link(chain, line.fields().get("record"));
      assertThat(line.fields()).containsEntry("chain", chain);
    }
  }
}
