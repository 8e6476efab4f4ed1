package dev.ron.content;

import dev.ron.blake3.Checked;
import dev.ron.blake3.Outboard;
import dev.ron.blake3.Tree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of an object where it lies in its segment.
 *
 * <p>Threading: owned by one thread at a time.
 */
final class SegmentReader implements ContentReader {
  private static final Step END = new Step.End();

  private final Catalogue catalogue;
  private final @Nullable VerifiedGroups verified;
  private final Lease lease;
  private final Entry entry;
  private final ContentStat stat;
  private final long offset;
  private final long end;
  private long at;
  private @Nullable Outboard outboard;

  /** Made with the first step: whoever only wants the region has no use for it. */
  private byte[] group = {};

  /**
   * @param verified null if every read is to be verified
   */
  SegmentReader(
      Catalogue catalogue,
      @Nullable VerifiedGroups verified,
      Lease lease,
      Entry entry,
      long offset,
      long end) {
    this.catalogue = catalogue;
    this.verified = verified;
    this.lease = lease;
    this.entry = entry;
    this.stat = new ContentStat(entry.key().address(), entry.length());
    this.offset = offset;
    this.end = end;
    this.at = offset;
  }

  @Override
  public ContentStat stat() {
    return stat;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public long remaining() {
    return end - at;
  }

  @Override
  public Step next() {
    // An empty object has one group too, but no byte that could be wrong.
    if (at >= end) {
      return END;
    }
    if (group.length == 0) {
      group = new byte[(int) Math.min(Tree.GROUP_BYTES, entry.length())];
    }
    long index = at / Tree.GROUP_BYTES;
    int from = (int) (at % Tree.GROUP_BYTES);
    int length = (int) Math.min(Tree.GROUP_BYTES, entry.length() - index * Tree.GROUP_BYTES);
    int until = (int) Math.min(length, end - index * Tree.GROUP_BYTES);
    try {
      if (verified != null && verified.has(entry, index, index + 1)) {
        return fill(at, from, until - from) ? handOut(from, until) : corrupt(index);
      }
      if (!fill(index * Tree.GROUP_BYTES, 0, length) || !matches(index, length)) {
        return corrupt(index);
      }
    } catch (IOException e) {
      return new Step.Bad(DiskTrouble.fault(e));
    }
    if (verified != null) {
      verified.add(entry, index);
    }
    return handOut(from, until);
  }

  private Step handOut(int from, int until) {
    at += until - from;
    return new Step.Bytes(ByteBuffer.wrap(group, from, until - from).slice());
  }

  private boolean fill(long objectOffset, int to, int length) throws IOException {
    ByteBuffer into = ByteBuffer.wrap(group, to, length);
    return lease.file().read(into, dataAt() + objectOffset) == length;
  }

  private boolean matches(long index, int length) throws IOException {
    Outboard values = outboard;
    if (values == null) {
      byte[] stored = new byte[(int) Outboard.storedBytes(entry.length())];
      lease.file().read(ByteBuffer.wrap(stored), dataAt() + entry.length());
      var opened = Outboard.open(stat.address().hash(), entry.length(), stored);
      if (!(opened instanceof Checked.Good<Outboard>(Outboard good))) {
        return false;
      }
      values = good;
      outboard = good;
    }
    return values.matches(index, group, 0, length);
  }

  private Step corrupt(long index) {
    catalogue.index().flag(entry, Entry.CORRUPT);
    return new Step.Bad(new ContentFault.Corrupt(stat.address(), index));
  }

  private long dataAt() {
    return entry.offset() + RecordHeader.BYTES;
  }

  @Override
  public Optional<FileRegion> region() {
    long first = at / Tree.GROUP_BYTES;
    long afterLast = Math.ceilDiv(end, Tree.GROUP_BYTES);
    boolean trusted = verified != null && (at >= end || verified.has(entry, first, afterLast));
    return trusted
        ? Optional.of(new FileRegion(lease.segment().path(), dataAt() + at, remaining()))
        : Optional.empty();
  }

  @Override
  public void close() {
    lease.close();
  }
}
