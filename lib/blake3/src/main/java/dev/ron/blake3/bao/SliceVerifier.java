package dev.ron.blake3.bao;

import dev.ron.blake3.Blake3Fault;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.CheckResult;
import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.Mode;
import dev.ron.blake3.NodeOutput;
import dev.ron.blake3.kernel.Words;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Checks a slice against a root and passes on the bytes of the range, each leaf verified before any
 * of it is written.
 *
 * <p>The slice comes from a peer that may want to deceive: memory is one leaf and the path above
 * it, whatever length the slice claims, and no length is believed before hashes confirm it.
 *
 * <p>Threading: owned by one thread.
 */
public final class SliceVerifier {
  /** The answer for a good slice. */
  public record Proof(long lengthBytes, boolean lengthProven, long writtenBytes) {}

  private final InputStream in;
  private final OutputStream out;
  private final SliceRange range;
  private final Grain grain;
  private final byte[] leaf;
  private final Blake3Hasher hasher = new Blake3Hasher();
  private final Hash root;
  private long total;
  private long consumed;
  private long written;
  private boolean lengthProven;

  private SliceVerifier(
      Hash root, SliceRange range, Grain grain, InputStream in, OutputStream out) {
    this.root = root;
    this.range = range;
    this.grain = grain;
    this.in = in;
    this.out = out;
    this.leaf = new byte[grain.bytes()];
  }

  /**
   * Verifies a slice as it arrives. On a fault, what was written before it is good but incomplete.
   *
   * <p>The proof's length is that of the whole input. It is proven only if the slice contains the
   * last leaf; otherwise it is merely what the slice says, and the written bytes are right anyway.
   *
   * @param lengthBytesMax refuses a slice of a longer input before anything else is read
   */
  public static CheckResult<Proof> verify(
      Hash root,
      SliceRange range,
      Grain grain,
      long lengthBytesMax,
      InputStream in,
      OutputStream out)
      throws IOException {
    return new SliceVerifier(root, range, grain, in, out).verify(0, lengthBytesMax);
  }

  /** The same, when the length of the input is known: then every bit of the slice is proven. */
  public static CheckResult<Proof> verifyKnownLength(
      Hash root, SliceRange range, Grain grain, long lengthBytes, InputStream in, OutputStream out)
      throws IOException {
    return new SliceVerifier(root, range, grain, in, out).verify(lengthBytes, lengthBytes);
  }

  /** The bytes of the range from a slice in memory; never more than the slice itself has. */
  public static CheckResult<byte[]> decode(Hash root, SliceRange range, Grain grain, byte[] slice) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      InputStream in = new ByteArrayInputStream(slice);
      CheckResult<Proof> checked = verify(root, range, grain, Long.MAX_VALUE, in, out);
      return switch (checked) {
        case CheckResult.Good<Proof> _ -> CheckResult.good(out.toByteArray());
        case CheckResult.Bad<Proof>(Blake3Fault fault) -> CheckResult.bad(fault);
      };
    } catch (IOException e) {
      throw new AssertionError("memory does not fail", e);
    }
  }

  private CheckResult<Proof> verify(long lengthBytesMin, long lengthBytesMax) throws IOException {
    if (!read(leaf, Long.BYTES)) {
      return CheckResult.bad(new Blake3Fault.Truncated(consumed));
    }
    total = Words.longWord(leaf, 0);
    if (total < lengthBytesMin || total > lengthBytesMax) {
      return CheckResult.bad(new Blake3Fault.LengthRefused(total, lengthBytesMax));
    }
    Blake3Fault fault = verifyNode(0, total, null);
    if (fault == null && in.read() >= 0) {
      fault = new Blake3Fault.Trailing(consumed);
    }
    return fault != null
        ? CheckResult.bad(fault)
        : CheckResult.good(new Proof(total, lengthProven, written));
  }

  /**
   * Verifies the node over these bytes and all below it.
   *
   * @param expected its chaining value; null for the root
   */
  private @Nullable Blake3Fault verifyNode(long start, long length, @Nullable Hash expected)
      throws IOException {
    if (!range.touches(total, start, length)) {
      return null;
    }
    if (length <= grain.bytes()) {
      return verifyLeaf(start, (int) length, expected);
    }
    if (!read(leaf, 2 * Hash.BYTES)) {
      return new Blake3Fault.Truncated(consumed);
    }
    if (!matches(NodeOutput.parent(Mode.PLAIN, leaf, 0), expected)) {
      return new Blake3Fault.ParentMismatch(start, length);
    }
    Hash leftValue = Hash.at(leaf, 0);
    Hash rightValue = Hash.at(leaf, Hash.BYTES);
    long left = HashTree.leftBytes(length);
    Blake3Fault fault = verifyNode(start, left, leftValue);
    return fault != null ? fault : verifyNode(start + left, length - left, rightValue);
  }

  private @Nullable Blake3Fault verifyLeaf(long start, int length, @Nullable Hash expected)
      throws IOException {
    if (!read(leaf, length)) {
      return new Blake3Fault.Truncated(consumed);
    }
    hasher.restart(start / HashTree.CHUNK_BYTES).update(leaf, 0, length);
    if (!matches(hasher.node(), expected)) {
      return new Blake3Fault.BytesMismatch(start, length);
    }
    lengthProven |= start + length == total;
    long from = Math.max(start, range.start());
    long to = Math.min(start + length, range.end());
    if (from < to) {
      out.write(leaf, (int) (from - start), (int) (to - from));
      written += to - from;
    }
    return null;
  }

  private boolean matches(NodeOutput node, @Nullable Hash expected) {
    return expected == null
        ? node.root().equals(root)
        : node.chainingValue().value().equals(expected);
  }

  private boolean read(byte[] into, int length) throws IOException {
    int n = in.readNBytes(into, 0, length);
    consumed += n;
    return n == length;
  }
}
