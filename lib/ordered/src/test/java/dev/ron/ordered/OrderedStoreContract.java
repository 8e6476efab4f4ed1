package dev.ron.ordered;

import static dev.ron.ordered.Rows.bytes;
import static dev.ron.ordered.Rows.keys;
import static dev.ron.ordered.Rows.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.testkit.Seeds;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every ordered store does, whatever it stands on. */
public abstract class OrderedStoreContract {
  /** Small, so that random tests reach files and merges. */
  protected static final OrderedSettings SMALL =
      new OrderedSettings("rows", 1 << 20, 64 << 10, 2, 2, 512, 4);

  @TempDir protected Path folder;

  /** A new one with {@link #SMALL} settings, in a folder that is not there yet. */
  protected abstract OrderedStore store(Path place) throws IOException;

  /** A store with the rows of a checkpoint. */
  protected abstract OrderedStore opened(Path checkpoint) throws IOException;

  private OrderedStore store() throws IOException {
    return store(folder.resolve("store"));
  }

  private static RowBatch rows(String... keys) {
    var batch = new RowBatch();
    for (String key : keys) {
      batch.put(bytes(key), bytes("v-" + key));
    }
    return batch;
  }

  @Test
  void aNewStoreHasNothing() throws Exception {
    try (OrderedStore store = store()) {
      assertThat(store.appliedIndex()).isEqualTo(OrderedStore.NOTHING_APPLIED);
      assertThat(store.durableIndex()).isEqualTo(OrderedStore.NOTHING_APPLIED);
      assertThat(store.row(bytes("a"))).isEmpty();
      assertThat(keys(store, KeyRange.all())).isEmpty();
      assertThat(store.refusal()).isEmpty();
    }
  }

  @Test
  void aBatchIsAppliedInItsOrderAndCarriesItsIndex() throws Exception {
    try (OrderedStore store = store()) {
      var batch = new RowBatch().put(bytes("a"), bytes("1")).put(bytes("b"), bytes("2"));
      batch.delete(bytes("a")).put(bytes("c"), new byte[0]).put(bytes("b"), bytes("3"));
      batch.deleteRange(KeyRange.withPrefix(bytes("c"))).put(bytes("c1"), bytes("4"));
      store.apply(batch, 7);
      assertThat(store.appliedIndex()).isEqualTo(7);
      assertThat(store.row(bytes("a"))).isEmpty();
      assertThat(store.row(bytes("b")).map(Rows::text)).contains("3");
      assertThat(keys(store, KeyRange.all())).containsExactly("b", "c1");
      store.apply(new RowBatch(), 9);
      assertThat(store.flush()).isEqualTo(9);
      assertThat(store.durableIndex()).isEqualTo(9);
      for (long stale : new long[] {9, 8, -1}) {
        assertThatThrownBy(() -> store.apply(rows("z"), stale))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThat(keys(store, KeyRange.all())).containsExactly("b", "c1");
    }
  }

  @Test
  void keysAreOrderedAsUnsignedBytes() throws Exception {
    try (OrderedStore store = store()) {
      byte[][] ordered = {{0}, {0, 0}, {0, 1}, {1}, {127}, {-128}, {-1}, {-1, 0}, {-1, -1}};
      var batch = new RowBatch();
      for (int i = ordered.length - 1; i >= 0; i--) {
        batch.put(ordered[i], new byte[] {(byte) i});
      }
      store.apply(batch, 0);
      try (RowCursor cursor = store.scan(KeyRange.from(new byte[0]))) {
        for (byte[] key : ordered) {
          assertThat(cursor.next()).isTrue();
          assertThat(cursor.key()).isEqualTo(key);
        }
        assertThat(cursor.next()).isFalse();
        assertThat(cursor.next()).isFalse();
        assertThat(cursor.seekBefore(new byte[] {0})).as("the index is no row").isFalse();
      }
    }
  }

  @Test
  void aCursorStaysWithinItsRange() throws Exception {
    try (OrderedStore store = store()) {
      store.apply(rows("a", "b/1", "b/2", "b/2/x", "b/3", "c"), 0);
      KeyRange inB = KeyRange.withPrefix(bytes("b/"));
      assertThat(keys(store, inB)).containsExactly("b/1", "b/2", "b/2/x", "b/3");
      assertThat(keys(store, inB.after(bytes("b/2")))).containsExactly("b/2/x", "b/3");
      assertThat(keys(store, inB.after(bytes("a")))).hasSize(4);
      assertThat(keys(store, inB.after(bytes("z")))).isEmpty();
      assertThat(keys(store, KeyRange.of(bytes("b/2"), bytes("b/3")))).hasSize(2);
      assertThat(keys(store, KeyRange.of(bytes("c"), bytes("b")))).isEmpty();
      try (RowCursor cursor = store.scan(inB)) {
        assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
        assertThat(cursor.seek(bytes("a"))).isTrue();
        assertThat(text(cursor.key())).isEqualTo("b/1");
        assertThat(text(cursor.value())).isEqualTo("v-b/1");
        assertThat(cursor.seekPast(bytes("b/2"))).isTrue();
        assertThat(text(cursor.key())).isEqualTo("b/3");
        assertThat(cursor.next()).isFalse();
        assertThat(cursor.next()).isFalse();
        assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
        assertThat(cursor.seek(bytes("c"))).isFalse();
        assertThat(cursor.seekPast(new byte[] {-1, -1})).isFalse();
        assertThat(cursor.seekBefore(bytes("z"))).isTrue();
        assertThat(text(cursor.key())).isEqualTo("b/3");
        assertThat(cursor.seekBefore(bytes("b/2"))).isTrue();
        assertThat(text(cursor.key())).isEqualTo("b/1");
        assertThat(cursor.next()).isTrue();
        assertThat(text(cursor.key())).isEqualTo("b/2");
        assertThat(cursor.seekBefore(bytes("b/1"))).isFalse();
        assertThat(cursor.seekBefore(bytes("a"))).isFalse();
      }
    }
  }

  @Test
  void aCursorSeesTheRowsOfItsBirth() throws Exception {
    try (OrderedStore store = store()) {
      store.apply(rows("a", "b", "c"), 0);
      try (RowCursor cursor = store.scan(KeyRange.all())) {
        store.apply(new RowBatch().deleteRange(KeyRange.all()).put(bytes("d"), bytes("")), 1);
        store.flush();
        assertThat(Rows.keys(cursor)).containsExactly("a", "b", "c");
        assertThat(cursor.seek(bytes("b"))).isTrue();
      }
      assertThat(keys(store, KeyRange.all())).containsExactly("d");
    }
  }

  @Test
  void theBytesAreTheStoresOwnFromTheApplyOn() throws Exception {
    try (OrderedStore store = store()) {
      byte[] key = bytes("k");
      byte[] value = bytes("v");
      store.apply(new RowBatch().put(key, value), 0);
      key[0] = 'x';
      value[0] = 'x';
      store.row(bytes("k")).orElseThrow()[0] = 'y';
      assertThat(store.row(bytes("k")).map(Rows::text)).contains("v");
    }
  }

  @Test
  void whatIsTooLargeIsRefused() throws Exception {
    byte[] longest = new byte[OrderedStore.KEY_BYTES_MAX];
    byte[] largest = new byte[OrderedStore.VALUE_BYTES_MAX];
    var batch = new RowBatch().put(longest, largest);
    for (int bytes : new int[] {0, OrderedStore.KEY_BYTES_MAX + 1}) {
      assertThatThrownBy(() -> batch.put(new byte[bytes], longest)).hasMessageContaining("key of");
      assertThatThrownBy(() -> batch.delete(new byte[bytes])).hasMessageContaining("key of");
    }
    assertThatThrownBy(() -> batch.put(longest, new byte[OrderedStore.VALUE_BYTES_MAX + 1]))
        .hasMessageContaining("value of");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 64; i++) {
                batch.put(longest, largest);
              }
            })
        .hasMessageContaining("batch of more than");
    try (OrderedStore store = store()) {
      store.apply(new RowBatch().put(longest, largest), 0);
      assertThat(store.row(longest))
          .hasValueSatisfying(found -> assertThat(found).hasSize(1 << 20));
      assertThatThrownBy(() -> store.row(new byte[0])).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void cursorsHaveALimit() throws Exception {
    try (OrderedStore store = store()) {
      var open = new RowCursor[4];
      for (int i = 0; i < open.length; i++) {
        open[i] = store.scan(KeyRange.all());
      }
      assertThat(store.usage().cursors()).isEqualTo(4);
      assertThatThrownBy(() -> store.scan(KeyRange.all()))
          .isInstanceOfSatisfying(
              OrderedException.class,
              e -> assertThat(e.fault()).isInstanceOf(OrderedFault.Busy.class));
      open[0].close();
      open[0].close();
      store.scan(KeyRange.all()).close();
      assertThatThrownBy(open[0]::next).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void afterTheCloseEverythingThrows() throws Exception {
    OrderedStore store = store();
    store.apply(rows("a"), 3);
    RowCursor cursor = store.scan(KeyRange.all());
    assertThat(cursor.next()).isTrue();
    store.close();
    store.close();
    assertClosed(() -> store.row(bytes("a")));
    assertClosed(() -> store.scan(KeyRange.all()));
    assertClosed(() -> store.apply(rows("b"), 4));
    assertClosed(store::flush);
    assertClosed(() -> store.checkpoint(folder.resolve("copy")));
    assertClosed(store::usage);
    assertClosed(cursor::next);
    assertClosed(() -> cursor.seek(bytes("a")));
    assertClosed(cursor::key);
    assertClosed(cursor::value);
    cursor.close();
    assertThat(store.appliedIndex()).isEqualTo(3);
    assertThat(store.durableIndex()).isEqualTo(3);
  }

  private static void assertClosed(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessageContaining("clos");
  }

  @Test
  void randomBatchesLeaveTheRowsOfAModel() {
    Seeds.forEach(
        20,
        (seed, random) -> {
          var model = new RowModel(random);
          try (OrderedStore store = store(folder.resolve("model" + seed))) {
            for (int index = 0; index < 60; index++) {
              store.apply(model.batch(1 + random.nextInt(60)), index);
              if (random.nextInt(8) == 0) {
                assertThat(store.flush()).isEqualTo(index);
              }
              model.compareAPlace(store);
            }
            model.compareAll(store);
            Path copy = folder.resolve("copy" + seed);
            assertThat(store.checkpoint(copy)).isEqualTo(59);
            try (OrderedStore opened = opened(copy)) {
              assertThat(opened.appliedIndex()).isEqualTo(59);
              model.compareAll(opened);
            }
          }
        });
  }

  /** Batch i puts row i and takes row i - 100 away, so the rows tell the index. */
  @Test
  void aCheckpointIsAPrefixWhileBatchesGoOn() throws Exception {
    try (OrderedStore store = store()) {
      var stop = new AtomicBoolean();
      var failure = new AtomicReference<Throwable>();
      Thread writes = Thread.ofPlatform().start(() -> applyWindows(store, stop, failure));
      try {
        for (int round = 0; round < 5; round++) {
          long before = store.appliedIndex();
          Path copy = folder.resolve("copy" + round);
          long index = store.checkpoint(copy);
          assertThat(index).isGreaterThanOrEqualTo(before);
          try (OrderedStore opened = opened(copy)) {
            assertThat(opened.appliedIndex()).isEqualTo(index);
            Rows.assertWindow(opened, index);
            opened.apply(rows("later"), index + 1);
          }
          long seen = index;
          Rows.await(() -> store.appliedIndex() > seen + 500 || failure.get() != null);
        }
      } finally {
        stop.set(true);
        writes.join();
      }
      assertThat(failure).hasNullValue();
      Rows.assertWindow(store, store.appliedIndex());
      assertThatThrownBy(() -> store.checkpoint(folder.resolve("copy0")))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
  }

  private static void applyWindows(
      OrderedStore store, AtomicBoolean stop, AtomicReference<Throwable> failure) {
    try {
      for (long index = 0; !stop.get(); index++) {
        store.apply(Rows.window(index), index);
      }
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    }
  }
}
