package dev.ron.content.store;

import dev.ron.blake3.CheckResult;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentReader;
import dev.ron.content.ContentStat;
import dev.ron.content.FileRegion;
import dev.ron.content.OpenRegion;
import dev.ron.content.index.IndexEntry;
import dev.ron.content.index.VerifiedGroups;
import dev.ron.content.segment.DiskFailure;
import dev.ron.content.segment.Lease;
import dev.ron.content.segment.RecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of an object where it lies in its segment.
 *
 * <p>Threading: owned by one thread at a time.
 */
final class SegmentContentReader implements ContentReader {
  private static final Step END = new Step.End();
  private static final byte[] NONE = {};

  private final ContentCatalogue catalogue;
  private final @Nullable VerifiedGroups verified;
  private final Lease lease;
  private final IndexEntry entry;
  private final ContentStat stat;
  private final long offset;
  private final long end;
  private byte[] group = NONE;
  private long at;
  private @Nullable Outboard outboard;

  /**
   * @param verified null if every read is to be verified
   */
  SegmentContentReader(
      ContentCatalogue catalogue,
      @Nullable VerifiedGroups verified,
      Lease lease,
      IndexEntry entry,
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
      // Not before it is needed: a range that leaves by file region never does.
      group = new byte[(int) Math.min(HashTree.GROUP_BYTES, entry.length())];
    }
    long index = at / HashTree.GROUP_BYTES;
    int from = (int) (at % HashTree.GROUP_BYTES);
    int length =
        (int) Math.min(HashTree.GROUP_BYTES, entry.length() - index * HashTree.GROUP_BYTES);
    int until = (int) Math.min(length, end - index * HashTree.GROUP_BYTES);
    try {
      if (verified != null && verified.has(entry, index, index + 1)) {
        return fill(at, from, until - from) ? handOut(from, until) : corrupt(index);
      }
      if (!fill(index * HashTree.GROUP_BYTES, 0, length) || !matches(index, length)) {
        return corrupt(index);
      }
    } catch (IOException e) {
      return new Step.Bad(DiskFailure.fault(e));
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
    Outboard values = values();
    return values != null && values.matches(index, group, 0, length);
  }

  /** Null if what is stored is not the tree of this address. */
  private @Nullable Outboard values() throws IOException {
    if (outboard == null) {
      byte[] stored = new byte[(int) Outboard.storedBytes(entry.length())];
      lease.file().read(ByteBuffer.wrap(stored), dataAt() + entry.length());
      var opened = Outboard.open(stat.address().hash(), entry.length(), stored);
      outboard = opened instanceof CheckResult.Good<Outboard>(Outboard good) ? good : null;
    }
    return outboard;
  }

  @Override
  public Optional<Outboard> outboard() {
    try {
      return Optional.ofNullable(values());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private Step corrupt(long index) {
    catalogue.corrupt(entry);
    return new Step.Bad(new ContentFault.Corrupt(stat.address(), index));
  }

  private long dataAt() {
    return entry.offset() + RecordHeader.BYTES;
  }

  @Override
  public Optional<FileRegion> region() {
    long first = at / HashTree.GROUP_BYTES;
    long afterLast = Math.ceilDiv(end, HashTree.GROUP_BYTES);
    boolean trusted = verified != null && (at >= end || verified.has(entry, first, afterLast));
    return trusted
        ? Optional.of(new FileRegion(lease.segment().path(), dataAt() + at, remaining()))
        : Optional.empty();
  }

  @Override
  public Optional<OpenRegion> openRegion() {
    Optional<FileRegion> region = region();
    if (region.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new OpenRegion(lease.channel(), region.get().position(), region.get().lengthBytes()));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    lease.close();
  }
}
