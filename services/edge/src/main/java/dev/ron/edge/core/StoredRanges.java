package dev.ron.edge.core;

import dev.ron.blake3.Address;
import dev.ron.http.field.ByteRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is stored of an answer's bytes: all of them, or some ranges (RFC 9111 section 3.3).
 *
 * <p>The pieces are in order and do not overlap. A whole answer is one piece, unless it grew out of
 * ranges: they are combined by being listed together, not by being copied (section 3.4).
 *
 * <p>Threading: immutable.
 *
 * @param total bytes of the whole answer
 */
public record StoredRanges(List<StoredRange> pieces, long total) {
  /** More pieces than this are not worth their bookkeeping; the whole is asked for instead. */
  static final int PIECES_MAX = 64;

  public StoredRanges {
    pieces = List.copyOf(pieces);
    long at = 0;
    for (StoredRange piece : pieces) {
      if (piece.offset() < at || piece.end() > total) {
        throw new IllegalArgumentException("pieces out of order or out of bounds: " + pieces);
      }
      at = piece.end();
    }
  }

  public static StoredRanges whole(Address address, long length) {
    return new StoredRanges(
        length == 0 ? List.of() : List.of(new StoredRange(0, length, address, 0)), length);
  }

  public static StoredRanges none() {
    return new StoredRanges(List.of(), 0);
  }

  public boolean complete() {
    return (pieces.size() == 1 && pieces.getFirst().length() == total)
        || missing(new ByteRange(0, Math.max(0, total - 1))).isEmpty();
  }

  public long storedBytes() {
    return pieces.stream().mapToLong(StoredRange::length).sum();
  }

  /** The first stretch of a range that is not stored. */
  public Optional<ByteRange> missing(ByteRange wanted) {
    if (total == 0) {
      return Optional.empty();
    }
    long at = wanted.first();
    for (StoredRange piece : pieces) {
      if (piece.offset() > at) {
        return Optional.of(new ByteRange(at, Math.min(wanted.last(), piece.offset() - 1)));
      }
      at = Math.max(at, piece.end());
      if (at > wanted.last()) {
        return Optional.empty();
      }
    }
    return Optional.of(new ByteRange(at, wanted.last()));
  }

  /** The pieces of a range that is stored in full. */
  public List<StoredRange> of(ByteRange range) {
    if (pieces.size() == 1) {
      return List.of(pieces.getFirst().cut(range.first(), range.last() + 1));
    }
    return pieces.stream()
        .filter(piece -> piece.end() > range.first() && piece.offset() <= range.last())
        .map(piece -> piece.cut(range.first(), range.last() + 1))
        .toList();
  }

  /** With another piece; what overlaps is taken from it. Empty if there would be too many. */
  public Optional<StoredRanges> with(StoredRange added) {
    var all = new ArrayList<StoredRange>();
    for (StoredRange piece : pieces) {
      if (piece.offset() < added.offset()) {
        all.add(piece.cut(piece.offset(), Math.min(piece.end(), added.offset())));
      }
      if (piece.end() > added.end()) {
        all.add(piece.cut(Math.max(piece.offset(), added.end()), piece.end()));
      }
    }
    all.add(added);
    all.sort(Comparator.comparingLong(StoredRange::offset));
    return all.size() > PIECES_MAX || added.end() > total
        ? Optional.empty()
        : Optional.of(new StoredRanges(all, total));
  }

  public List<Address> addresses() {
    return pieces.stream().map(StoredRange::address).distinct().toList();
  }
}
