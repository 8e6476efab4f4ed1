package dev.ron.ordered.rocks;

import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.Rows;
import java.nio.file.Path;

/**
 * Applies batches from where the store is, flushes now and then and says each durable index, until
 * it is killed.
 */
final class KilledMain {
  private KilledMain() {}

  static OrderedSettings settings() {
    return OrderedSettings.named("killed").sized(1 << 20, 64 << 10, 2);
  }

  /**
   * The folder, and after how many batches to flush. Memtables are full after about 100 batches, so
   * with a larger number most files are written unasked.
   */
  public static void main(String[] args) throws Exception {
    int every = Integer.parseInt(args[1]);
    try (var store = RocksOrderedStore.open(Path.of(args[0]), settings())) {
      for (long index = store.appliedIndex() + 1; true; index++) {
        store.apply(Rows.window(index), index);
        if (index % every == 0) {
          System.out.println(store.flush());
        }
      }
    }
  }
}
