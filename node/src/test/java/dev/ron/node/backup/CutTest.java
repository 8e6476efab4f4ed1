package dev.ron.node.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.disk.RealDisk;
import dev.ron.node.NodeFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CutTest {
  @TempDir private Path folder;

  private Path pack(String place, String name) throws IOException {
    Path file = folder.resolve(place).resolve(name);
    Files.createDirectories(folder.resolve(place));
    return Files.writeString(file, place);
  }

  /** A list with a name twice is refused by every restore. */
  @Test
  void ofTwoPacksWithOneNameTheOneThatIsServedIsTaken() throws IOException {
    Path served = pack("one", "world.pmtiles");
    pack("two", "world.pmtiles");
    pack("two", "world.pmtiles.b3");
    Path other = pack("two", "town.pmtiles");
    Path promise = pack("two", "town.pmtiles.b3");
    NodeFolders below = NodeFolders.below(Files.createDirectory(folder.resolve("data")), 1);
    var folders =
        new NodeFolders(
            below.data(),
            below.mailbox(),
            below.rewarder(),
            below.edge(),
            below.disks(),
            List.of(folder.resolve("one"), folder.resolve("two"), other));
    try (Cut cut = Cut.of(new RealDisk(), folders)) {
      assertThat(cut.files())
          .extracting(CutFile::path)
          .containsExactlyInAnyOrder(served, other, promise);
      assertThat(cut.files()).extracting(CutFile::name).doesNotHaveDuplicates();
    }
  }
}
