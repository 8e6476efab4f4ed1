package dev.ron.node.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Blake3;
import dev.ron.kernel.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that several nodes keep their backups in. */
class FolderRepositoryTest {
  private static final int ROUNDS = 200;

  @TempDir private Path folder;

  /** Nodes with the same packs, or with the same objects, have the same pieces. */
  @Test
  void severalPutTheSamePieceAtOnce() throws Exception {
    byte[] piece = new byte[64 << 10];
    String name = BackupRepository.piece(Blake3.hash(piece).hex());
    var repository = new FolderRepository(new RealDisk(), folder);
    Callable<Void> puts =
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            repository.put(name, piece);
          }
          return null;
        };
    together(puts, puts);
    assertThat(repository.get(name, piece.length)).isEqualTo(piece);
    assertThat(repository.list("pieces")).containsOnlyKeys(name);
    try (var left = Files.list(repository.folder().resolve(name).getParent())) {
      assertThat(left).as("no draft is left").hasSize(1);
    }
  }

  @Test
  void aListIsReadWhileAnotherNodePuts() throws Exception {
    var repository = new FolderRepository(new RealDisk(), folder);
    Callable<Void> puts =
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            repository.put("pieces/aa/piece-" + i, new byte[] {1});
          }
          return null;
        };
    Callable<Void> lists =
        () -> {
          while (repository.list("pieces").size() < ROUNDS) {
            Thread.onSpinWait();
          }
          return null;
        };
    together(puts, lists);
  }

  private static void together(Callable<Void> one, Callable<Void> other)
      throws InterruptedException, ExecutionException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> each : threads.invokeAll(List.of(one, other))) {
        each.get();
      }
    }
  }

  /** What has a name after a loss of power has every folder on the way to it. */
  @Test
  void everyFolderThatIsMadeIsFlushedIntoTheOneAboveIt() throws Exception {
    var flushed = new ArrayList<Path>();
    new FolderRepository(WatchedDisk.flushes(flushed::add), folder.resolve("new"))
        .put("pieces/ab/abcd", new byte[] {1});
    assertThat(flushed)
        .containsExactly(
            folder,
            folder.resolve("new"),
            folder.resolve("new/pieces"),
            folder.resolve("new/pieces/ab"));
  }

  @Test
  void whatIsNoFileIsNoPiece() throws Exception {
    var repository = new FolderRepository(new RealDisk(), folder);
    Files.createDirectories(folder.resolve("pieces/aa/folder"));
    Files.createSymbolicLink(folder.resolve("pieces/aa/zeros"), Path.of("/dev/zero"));
    assertThat(repository.list("pieces")).isEmpty();
    for (String name : List.of("folder", "zeros")) {
      assertThatThrownBy(() -> repository.get("pieces/aa/" + name, 10))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is no file");
    }
  }
}
