package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cache is a copy of what its upstreams have, so no damage to it keeps an edge from starting. */
class CacheIndexDamageTest {
  private static final String FRESH = "Cache-Control: max-age=100";

  @TempDir private Path folder;

  @Test
  void anEdgeStartsWithAnEmptyCacheWhereTheIndexIsDamaged() throws Exception {
    try (var origin = FakeOrigin.answering(FRESH, "kept")) {
      try (Rig rig = Rig.before(folder, origin.url())) {
        for (int i = 0; i < 20; i++) {
          assertThat(rig.get("/" + i).body()).isEqualTo("kept");
        }
        rig.awaitIdle();
      }
      flip();
      try (Rig again = Rig.before(folder, origin.url())) {
        assertThat(cacheStatus(again, "/1")).startsWith("ron-edge; fwd=uri-miss");
        awaitHit(again, "/1");
      }
      try (Rig later = Rig.before(folder, origin.url())) {
        assertThat(cacheStatus(later, "/1")).as("it is kept again").startsWith("ron-edge; hit");
      }
    }
  }

  /** The sweep of bytes that no answer has may take those of a fill that found them there. */
  private static void awaitHit(Rig rig, String path) throws Exception {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!cacheStatus(rig, path).startsWith("ron-edge; hit")) {
      assertThat(System.nanoTime()).as("never a hit").isLessThan(limit);
      rig.awaitIdle();
    }
  }

  private static String cacheStatus(Rig rig, String path) throws Exception {
    return rig.get(path).headers().firstValue("Cache-Status").orElseThrow();
  }

  /** A byte in the midst of records that are behind others and before others. */
  private void flip() throws Exception {
    Path segment;
    try (Stream<Path> files = Files.walk(folder)) {
      segment =
          files
              .filter(
                  file -> file.getParent().endsWith("heads") && file.toString().endsWith(".log"))
              .findFirst()
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(segment);
    bytes[600] ^= 1;
    Files.write(segment, bytes);
  }
}
