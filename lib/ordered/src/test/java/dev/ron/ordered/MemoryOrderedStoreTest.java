package dev.ron.ordered;

import static dev.ron.ordered.Rows.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MemoryOrderedStoreTest extends OrderedStoreContract {
  private static final long ROOM = 64 << 20;

  @Override
  protected OrderedStore store(Path place) {
    return MemoryOrderedStore.empty(SMALL, ROOM, new SplittableRandom(1));
  }

  @Override
  protected OrderedStore opened(Path checkpoint) throws IOException {
    return MemoryOrderedStore.of(checkpoint, SMALL, ROOM, new SplittableRandom(2));
  }

  @Test
  void aFullStoreRefusesChangesAndIsStillRead() throws Exception {
    var store = MemoryOrderedStore.empty(SMALL, 1000, new SplittableRandom(1));
    store.apply(new RowBatch().put(bytes("a"), new byte[500]), 0);
    assertThatThrownBy(() -> store.apply(new RowBatch().put(bytes("b"), new byte[500]), 1))
        .isInstanceOfSatisfying(
            OrderedException.class,
            e -> assertThat(e.fault()).isInstanceOf(OrderedFault.Full.class));
    assertThatThrownBy(() -> store.apply(new RowBatch(), 2)).hasMessageContaining("no room");
    assertThat(store.refusal()).containsInstanceOf(OrderedFault.Sealed.class);
    assertThat(store.appliedIndex()).isZero();
    assertThat(store.row(bytes("a"))).isPresent();
    assertThat(store.row(bytes("b"))).isEmpty();
  }

  @Test
  void aChangedCheckpointIsCorrupt() throws Exception {
    Path copy = folder.resolve("copy");
    try (OrderedStore store = store(folder)) {
      store.apply(Rows.window(0), 0);
      store.checkpoint(copy);
    }
    Path file = copy.resolve("rows");
    byte[] right = Files.readAllBytes(file);
    for (int at = 0; at < right.length; at++) {
      byte[] wrong = right.clone();
      wrong[at] ^= 1;
      Files.write(file, wrong);
      assertThatThrownBy(() -> opened(copy))
          .as("byte %d", at)
          .isInstanceOfSatisfying(
              OrderedException.class,
              e -> assertThat(e.fault()).isInstanceOf(OrderedFault.CorruptRows.class));
    }
  }
}
