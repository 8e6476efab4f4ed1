package dev.ron.blake3;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads ranges of an input and passes on only bytes that have been verified against its root.
 *
 * <p>Threading: owned by one thread at a time.
 */
public final class VerifiedReader {
  private final Outboard outboard;
  private final Source source;
  private final Blake3Hasher hasher = new Blake3Hasher();
  private final byte[] group = new byte[Tree.GROUP_BYTES];

  public VerifiedReader(Outboard outboard, Source source) {
    this.outboard = outboard;
    this.source = source;
  }

  /**
   * Writes the bytes of the range to {@code out}, group by group, each verified before it is
   * written. Stops at the first bad group: what was written until then is good.
   *
   * @return how many bytes were written, fewer than asked for if the input ends before
   */
  public Checked<Long> read(long offset, long length, OutputStream out) throws IOException {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(length + " bytes from " + offset);
    }
    long end = offset + Math.min(length, Math.max(0, outboard.lengthBytes() - offset));
    long at = offset;
    while (at < end) {
      long index = at / Tree.GROUP_BYTES;
      Blake3Fault fault = load(index);
      if (fault != null) {
        return Checked.bad(fault);
      }
      int from = (int) (at % Tree.GROUP_BYTES);
      int n = (int) Math.min(outboard.groupBytes(index) - from, end - at);
      out.write(group, from, n);
      at += n;
    }
    return Checked.good(at - offset);
  }

  /** Checks the whole input, writing nothing: what a scrub does. */
  public Checked<Long> check() throws IOException {
    for (long index = 0; index < outboard.groups(); index++) {
      Blake3Fault fault = load(index);
      if (fault != null) {
        return Checked.bad(fault);
      }
    }
    return Checked.good(outboard.lengthBytes());
  }

  private @Nullable Blake3Fault load(long index) throws IOException {
    int length = outboard.groupBytes(index);
    long offset = index * Tree.GROUP_BYTES;
    try {
      source.read(offset, group, 0, length);
    } catch (EOFException _) {
      return new Blake3Fault.Truncated(offset);
    }
    hasher.restart(index * Tree.GROUP_CHUNKS).update(group, 0, length);
    return outboard.matches(index, hasher.node())
        ? null
        : new Blake3Fault.BytesMismatch(offset, length);
  }
}
