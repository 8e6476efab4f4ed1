package dev.ron.ordered.rocks;

import dev.ron.ordered.OrderedException;
import dev.ron.ordered.OrderedFault;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.RowBatch;
import dev.ron.ordered.Rows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Applies batches in a folder on a small disk until one fails, and says what then is so, a line for
 * each finding. The second argument says after how many batches to flush.
 */
final class FullDiskMain {
  /** Far more than the disk holds. */
  private static final int BATCHES_MAX = 10_000;

  private FullDiskMain() {}

  public static void main(String[] args) throws Exception {
    var settings = OrderedSettings.named("rows").sized(1 << 20, 1 << 20, 2);
    int every = Integer.parseInt(args[1]);
    var random = new SplittableRandom(1);
    var store = RocksOrderedStore.open(Path.of(args[0]), settings);
    store.apply(new RowBatch().put(Rows.bytes("first"), Rows.bytes("row")), 0);
    store.flush();
    try {
      for (int index = 1; index < BATCHES_MAX; index++) {
        byte[] value = new byte[100_000];
        random.nextBytes(value);
        store.apply(new RowBatch().put(Rows.bytes("row" + index), value), index);
        if (index % every == 0) {
          store.flush();
        }
      }
    } catch (OrderedException e) {
      System.out.println("failed " + e.fault().getClass().getSimpleName());
    }
    long applied = store.appliedIndex();
    System.out.println("apply " + refused(() -> store.apply(new RowBatch(), applied + 1)));
    System.out.println("flush " + refused(store::flush));
    System.out.println(
        "refusal " + store.refusal().map(OrderedFault::detail).orElse("none").contains("space"));
    System.out.println("reads " + store.row(Rows.bytes("first")).map(Rows::text).orElse("nothing"));
    System.out.println("last " + store.row(Rows.bytes("row" + applied)).isPresent());
    System.out.println("durable " + (store.durableIndex() <= applied));
    store.close();
    System.out.println("closed");
  }

  private interface Change {
    void run() throws IOException;
  }

  private static String refused(Change change) throws IOException {
    try {
      change.run();
      return "taken";
    } catch (OrderedException e) {
      return e.fault().getClass().getSimpleName();
    }
  }
}
