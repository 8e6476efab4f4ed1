package dev.ron.ordered.rocks;

import static dev.ron.ordered.Rows.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.ordered.KeyRange;
import dev.ron.ordered.OrderedException;
import dev.ron.ordered.OrderedFault;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.OrderedStoreContract;
import dev.ron.ordered.RowBatch;
import dev.ron.ordered.RowCursor;
import dev.ron.ordered.Rows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RocksOrderedStoreTest extends OrderedStoreContract {
  @Override
  protected OrderedStore store(Path place) throws IOException {
    return RocksOrderedStore.open(place, SMALL);
  }

  @Override
  protected OrderedStore opened(Path checkpoint) throws IOException {
    return RocksOrderedStore.open(checkpoint, SMALL);
  }

  @Test
  void theRowsAndTheIndexOutliveAClose() throws Exception {
    try (OrderedStore store = store(folder)) {
      for (long index = 0; index < 1000; index++) {
        store.apply(Rows.window(index), index);
      }
      assertThat(store.durableIndex()).as("nothing was flushed on purpose").isEqualTo(-1);
    }
    try (OrderedStore store = store(folder)) {
      assertThat(store.appliedIndex()).isEqualTo(999);
      assertThat(store.durableIndex()).isEqualTo(999);
      Rows.assertWindow(store, 999);
      assertThat(store.usage().diskBytes()).isPositive();
    }
    assertThat(folder.resolve("native")).doesNotExist();
  }

  @Test
  void aStoreThatIsOpenDoesNotOpenAgain() throws Exception {
    try (OrderedStore store = store(folder)) {
      assertThatThrownBy(() -> store(folder))
          .isInstanceOfSatisfying(
              OrderedException.class,
              e -> assertThat(e.fault()).isInstanceOf(OrderedFault.Failed.class));
      store.apply(Rows.window(0), 0);
    }
  }

  /** A native call into freed memory would end this JVM. */
  @Test
  void readersAndWritersThatMeetTheCloseGetAnException() throws Exception {
    for (int round = 0; round < 20; round++) {
      OrderedStore store = store(folder.resolve("round" + round));
      store.apply(Rows.window(0), 0);
      var wrong = new AtomicReference<Throwable>();
      var busy = new CountDownLatch(4);
      var threads = new ArrayList<Thread>();
      threads.add(loop(busy, wrong, () -> store.row(bytes("a"))));
      threads.add(loop(busy, wrong, () -> scan(store)));
      RowCursor cursor = store.scan(KeyRange.all());
      threads.add(loop(busy, wrong, () -> cursor.seek(new byte[] {1})));
      threads.add(loop(busy, wrong, () -> store.apply(more(store), store.appliedIndex() + 1)));
      busy.await();
      store.close();
      for (Thread thread : threads) {
        thread.join();
      }
      cursor.close();
      assertThat(wrong).hasNullValue();
    }
  }

  private static RowBatch more(OrderedStore store) {
    return Rows.window(store.appliedIndex() + 1);
  }

  private static void scan(OrderedStore store) throws IOException {
    try (RowCursor cursor = store.scan(KeyRange.all())) {
      while (cursor.next()) {
        cursor.value();
      }
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Repeats the step until the store is closed. */
  private static Thread loop(CountDownLatch busy, AtomicReference<Throwable> wrong, Step step) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                for (int i = 0; true; i++) {
                  step.run();
                  if (i == 3) {
                    busy.countDown();
                  }
                }
              } catch (IllegalStateException closed) {
                // what this test is for
              } catch (IOException | RuntimeException e) {
                wrong.set(e);
                busy.countDown();
              }
            });
  }

  @Test
  void manyDeletesDoNotStayInMemory() throws Exception {
    try (var store = RocksOrderedStore.open(folder, OrderedSettings.named("rows"))) {
      var batch = new RowBatch();
      for (int i = 0; i < 32_767; i++) {
        batch.delete(bytes("row" + i));
      }
      store.apply(batch, 0);
      assertThat(store.usage().diskBytes()).isZero();
      store.apply(new RowBatch().delete(bytes("last")), 1);
      Rows.await(() -> diskBytes(store) > 0);
      assertThat(store.durableIndex()).as("only a flush that was waited for counts").isEqualTo(-1);
    }
  }

  private static long diskBytes(OrderedStore store) {
    try {
      return store.usage().diskBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A filter over this many rows is larger than a shard of so small a cache: kept whole it would
   * not stay, and each look would read it again.
   */
  @Test
  void aRowThatIsAskedForAgainIsNotReadAgain() throws Exception {
    try (var store =
        RocksOrderedStore.open(folder, OrderedSettings.named("rows").sized(1 << 20, 32 << 20, 4))) {
      for (int batch = 0; batch < 80; batch++) {
        var rows = new RowBatch();
        for (int row = 0; row < 10_000; row++) {
          rows.put(bytes("row%07d".formatted(batch * 10_000 + row)), bytes("v"));
        }
        store.apply(rows, batch);
        if (batch % 20 == 19) {
          store.flush();
        }
      }
      Rows.await(() -> tables() == 1);
      byte[] key = bytes("row0400000");
      assertThat(store.row(key)).isNotNull();
      long before = readBytes();
      for (int look = 0; look < 500; look++) {
        store.row(key);
      }
      assertThat(readBytes() - before).as("read in 500 looks").isLessThan(16 << 20);
    }
  }

  private int tables() {
    try (var files = Files.list(folder)) {
      return (int) files.filter(file -> file.toString().endsWith(".sst")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What this process has read from files, also from those that the system had in memory. */
  private static long readBytes() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/io"))) {
      return lines
          .filter(line -> line.startsWith("rchar: "))
          .mapToLong(line -> Long.parseLong(line.substring(7)))
          .sum();
    }
  }

  @Test
  void changedBytesOnTheDiskAreCorruption() throws Exception {
    try (OrderedStore store = store(folder)) {
      for (long index = 0; index < 50; index++) {
        store.apply(Rows.window(index), index);
      }
    }
    try (var files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".sst")).toList()) {
        byte[] content = Files.readAllBytes(file);
        content[100] ^= 0x55;
        Files.write(file, content);
      }
    }
    assertThatThrownBy(
            () -> {
              try (OrderedStore store = store(folder)) {
                scan(store);
              }
            })
        .isInstanceOfSatisfying(
            OrderedException.class,
            e -> assertThat(e.fault()).isInstanceOf(OrderedFault.CorruptRows.class));
  }
}
