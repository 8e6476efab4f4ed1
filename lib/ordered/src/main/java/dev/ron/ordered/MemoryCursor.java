package dev.ron.ordered;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the rows of one {@link RowTree}, which stays as it is.
 *
 * <p>Threading: one thread at a time.
 */
final class MemoryCursor implements RowCursor {
  private final RowTree rows;
  private final KeyRange range;
  private final BooleanSupplier storeIsOpen;
  private final Runnable atClose;
  private RowTree.@Nullable Node here;
  private boolean begun;
  private boolean closed;

  /**
   * @param storeIsOpen a cursor of a closed store throws, as the one on the disk must
   */
  MemoryCursor(RowTree rows, KeyRange range, BooleanSupplier storeIsOpen, Runnable atClose) {
    this.rows = rows;
    this.range = range;
    this.storeIsOpen = storeIsOpen;
    this.atClose = atClose;
  }

  @Override
  public boolean next() {
    if (!begun) {
      return seek(range.from());
    }
    checkOpen();
    return here != null && seek(Arrays.copyOf(here.key(), here.key().length + 1));
  }

  @Override
  public boolean seek(byte[] key) {
    boolean before = Arrays.compareUnsigned(key, range.from()) < 0;
    return rest(rows.atOrAfter(before ? range.from() : key));
  }

  @Override
  public boolean seekPast(byte[] prefix) {
    return seek(KeyRange.past(prefix));
  }

  @Override
  public boolean seekBefore(byte[] key) {
    boolean behind = Arrays.compareUnsigned(key, range.to()) > 0;
    return rest(rows.before(behind ? range.to() : key));
  }

  private boolean rest(RowTree.@Nullable Node found) {
    checkOpen();
    begun = true;
    boolean within =
        found != null
            && Arrays.compareUnsigned(found.key(), range.from()) >= 0
            && Arrays.compareUnsigned(found.key(), range.to()) < 0;
    here = within ? found : null;
    return within;
  }

  @Override
  public byte[] key() {
    return row().key();
  }

  @Override
  public byte[] value() {
    return row().value().clone();
  }

  private RowTree.Node row() {
    checkOpen();
    if (here == null) {
      throw new IllegalStateException("the cursor is on no row");
    }
    return here;
  }

  private void checkOpen() {
    if (closed || !storeIsOpen.getAsBoolean()) {
      throw new IllegalStateException("the cursor is closed");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      atClose.run();
    }
  }
}
