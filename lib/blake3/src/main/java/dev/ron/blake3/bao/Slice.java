package dev.ron.blake3.bao;

import dev.ron.blake3.Blake3Fault;
import dev.ron.blake3.CheckResult;
import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.Levels;
import dev.ron.blake3.kernel.Words;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A range of an input with the proof that it belongs to the root: the length in eight bytes, then
 * in pre-order the parents and the leaves that the range touches. At the grain of a chunk this is
 * the format of bao, and the slice of everything is its combined encoding.
 *
 * <p>Reads only the groups the range touches, and verifies each against the outboard before it
 * writes any of it: a slice with a bad group is broken off before that group.
 *
 * <p>Threading: owned by the thread that writes it.
 */
public final class Slice {
  private final Outboard outboard;
  private final ByteSource source;
  private final SliceRange range;
  private final Grain grain;
  private final byte[] pair = new byte[2 * Hash.BYTES];
  private final byte[] group = new byte[HashTree.GROUP_BYTES];

  private Slice(Outboard outboard, ByteSource source, SliceRange range, Grain grain) {
    this.outboard = outboard;
    this.source = source;
    this.range = range;
    this.grain = grain;
  }

  /** Writes the slice; answers how many bytes it has. */
  public static CheckResult<Long> write(
      Outboard outboard, ByteSource source, SliceRange range, Grain grain, OutputStream out)
      throws IOException {
    return new Slice(outboard, source, range, grain).write(out);
  }

  /** The slice of an input that is in memory. */
  public static byte[] encode(byte[] in, SliceRange range, Grain grain) {
    Outboard outboard = new OutboardBuilder().update(in).build();
    ByteSource source = ByteSource.of(MemorySegment.ofArray(in));
    long bytes = range.sliceBytes(in.length, grain);
    ByteArrayOutputStream out = new ByteArrayOutputStream(Math.toIntExact(bytes));
    try {
      new Slice(outboard, source, range, grain).write(out).orThrow();
    } catch (IOException e) {
      throw new AssertionError("memory does not fail", e);
    }
    return out.toByteArray();
  }

  private CheckResult<Long> write(OutputStream out) throws IOException {
    byte[] header = new byte[Long.BYTES];
    Words.longWord(header, 0, outboard.lengthBytes());
    out.write(header);
    Blake3Fault fault = writeNode(0, outboard.lengthBytes(), out);
    if (fault != null) {
      return CheckResult.bad(fault);
    }
    return CheckResult.good(range.sliceBytes(outboard.lengthBytes(), grain));
  }

  private @Nullable Blake3Fault writeNode(long start, long length, OutputStream out)
      throws IOException {
    if (!range.touches(outboard.lengthBytes(), start, length)) {
      return null;
    }
    if (length <= HashTree.GROUP_BYTES) {
      return writeGroup(start / HashTree.GROUP_BYTES, out);
    }
    long left = HashTree.leftBytes(length);
    long leftGroups = left / HashTree.GROUP_BYTES;
    long first = start / HashTree.GROUP_BYTES;
    outboard.value(first, leftGroups, pair, 0);
    outboard.value(first + leftGroups, HashTree.groups(length - left), pair, Hash.BYTES);
    out.write(pair);
    Blake3Fault fault = writeNode(start, left, out);
    return fault != null ? fault : writeNode(start + left, length - left, out);
  }

  private @Nullable Blake3Fault writeGroup(long index, OutputStream out) throws IOException {
    int length = outboard.groupBytes(index);
    long offset = index * HashTree.GROUP_BYTES;
    try {
      source.read(offset, group, 0, length);
    } catch (EOFException _) {
      return new Blake3Fault.Truncated(offset);
    }
    if (grain == Grain.GROUP || length <= HashTree.CHUNK_BYTES) {
      if (!outboard.matches(index, group, 0, length)) {
        return new Blake3Fault.BytesMismatch(offset, length);
      }
      out.write(group, 0, length);
      return null;
    }
    Levels chunks = Levels.ofChunks(group, length, index * HashTree.GROUP_CHUNKS);
    if (!outboard.matches(index, chunks.top())) {
      return new Blake3Fault.BytesMismatch(offset, length);
    }
    writeInside(offset, 0, length, chunks, out);
    return null;
  }

  private void writeInside(long base, int at, int length, Levels chunks, OutputStream out)
      throws IOException {
    if (!range.touches(outboard.lengthBytes(), base + at, length)) {
      return;
    }
    if (length <= HashTree.CHUNK_BYTES) {
      out.write(group, at, length);
      return;
    }
    int left = (int) HashTree.leftBytes(length);
    int first = at / HashTree.CHUNK_BYTES;
    chunks.value(first, left / HashTree.CHUNK_BYTES, pair, 0);
    int right = (int) HashTree.chunks(length - left);
    chunks.value(first + left / HashTree.CHUNK_BYTES, right, pair, Hash.BYTES);
    out.write(pair);
    writeInside(base, at, left, chunks, out);
    writeInside(base, at + left, length - left, chunks, out);
  }
}
