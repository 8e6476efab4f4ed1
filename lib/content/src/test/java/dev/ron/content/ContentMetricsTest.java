package dev.ron.content;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.NoThreadsLeft;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two stores in two folders of one service, and what a scrape says of each. */
@ExtendWith(NoThreadsLeft.class)
final class ContentMetricsTest {
  private final VirtualTime time = new VirtualTime();
  private final FaultyDisk disk = new FaultyDisk(time, new SplittableRandom(1));
  private final Scope scope =
      Scope.of(
          "test",
          World.seeded(time, new SplittableRandom(1), disk, Threads.virtual(), Log.silent()));
  private SegmentStore left;
  private SegmentStore right;
  private Tree tree;

  @BeforeEach
  void open() throws Exception {
    ContentMetrics metrics = ContentMetrics.in(scope);
    left = SegmentStore.open(scope, SegmentConfig.in(Path.of("/a/x")), 0, metrics);
    right = SegmentStore.open(scope, SegmentConfig.in(Path.of("/b/x")), 1, metrics);
    List<SegmentStore> stores = List.of(left, right);
    tree =
        Supervisor.named("stores")
            .children("commit", stores, Restart.ALWAYS, SegmentStore::groupCommit)
            .children("housekeeping", stores, Restart.ALWAYS, SegmentStore::housekeeping)
            .start(scope);
  }

  @AfterEach
  void close() throws Exception {
    tree.drain();
    left.close();
    right.close();
    assertThat(scope.metrics().text())
        .as("a closed store is not shown")
        .doesNotContain("_objects{");
  }

  @Test
  void eachStoreHasItsOwnObjectsAndItsOwnFigures() throws Exception {
    byte[] object = bytes(1, 1000);
    left.put(stream(object)).orThrow();
    left.put(stream(bytes(2, 100_000))).orThrow();
    assertThat(readAll(left, address(object))).isEqualTo(object);
    assertThat(right.contains(address(object))).isFalse();
    assertThat(scope.metrics().text())
        .contains(
            "content_objects{store=\"content-0\"} 2.0",
            "content_objects{store=\"content-1\"} 0.0",
            "content_object_bytes{store=\"content-0\"} 101000.0",
            "content_segments{store=\"content-0\"} 2.0",
            "content_segments{store=\"content-1\"} 0.0",
            "content_flush_seconds_count{store=\"content-0\"} 2",
            "content_integrity_failures_total{store=\"content-0\"} 0.0");
  }

  @Test
  void damageAndFailedFlushesAreCounted() throws Exception {
    byte[] object = bytes(1, 1000);
    right.put(stream(object)).orThrow();
    disk.flipBit(
        Segment.path(Path.of("/b/x"), 1), (Segment.HEAD_BYTES + RecordHeader.BYTES + 10) * 8L);
    try (ContentReader reader = right.open(address(object)).orThrow()) {
      assertThat(reader.next())
          .isEqualTo(new ContentReader.Step.Bad(new ContentFault.Corrupt(address(object), 0)));
    }
    boolean refused = false;
    for (int i = 0; i < 10 && !refused; i++) {
      disk.failFlushAfter(0); // a snapshot may be what fails instead
      refused = right.put(stream(bytes(i, 10))) instanceof PutResult.Refused;
    }
    assertThat(refused).isTrue();
    assertThat(scope.metrics().text())
        .contains(
            "content_integrity_failures_total{store=\"content-1\"} 1.0",
            "content_integrity_failures_total{store=\"content-0\"} 0.0",
            "content_flush_failures_total{store=\"content-1\"} 1.0");
  }
}
