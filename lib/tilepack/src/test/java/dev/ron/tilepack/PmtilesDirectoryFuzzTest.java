package dev.ron.tilepack;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.tilepack.tile.TileId;

/**
 * The directory parser under a coverage-guided fuzzer. An ordinary build replays the corpus in this
 * class's resources; with {@code JAZZER_FUZZ=1} and {@code -Dron.fuzz.hooks=true} it searches for
 * more.
 */
class PmtilesDirectoryFuzzTest {
  private static final DirectoryBounds BOUNDS = new DirectoryBounds(0, TileId.END, 1000, 1 << 20);

  /** A directory that was let in can be followed everywhere without another question. */
  @FuzzTest(maxDuration = "40s")
  void anyBytesAreADirectoryOrAFault(byte[] bytes) {
    PmtilesDirectory directory;
    try {
      directory = PmtilesDirectory.parse(bytes, BOUNDS);
    } catch (PackRefusal _) {
      return;
    }
    long end = 0;
    for (int i = 0; i < directory.count(); i++) {
      long section = directory.isLeaf(i) ? BOUNDS.leafBytes() : BOUNDS.tileBytes();
      require(directory.id(i) >= end, "ascending");
      require(directory.find(directory.id(i)) == i, "found where it begins");
      require(directory.offset(i) >= 0, "within its section");
      require(directory.offset(i) + directory.length(i) <= section, "within its section");
      end = directory.id(i) + Math.max(1, directory.run(i));
      require(end <= TileId.END, "a tile");
    }
    require(directory.weightBytes() < 64 + 6L * bytes.length, "in proportion to its bytes");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }
}
