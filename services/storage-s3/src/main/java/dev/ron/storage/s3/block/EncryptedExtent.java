package dev.ron.storage.s3.block;

import dev.ron.content.ContentStat;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.encryption.ContentKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Sends bytes of a block that is encrypted: the segments that have them are read and decrypted, and
 * what lies before and behind is left out.
 *
 * <p>Threading: owned by the thread that reads.
 */
record EncryptedExtent(BlockStore blocks, ContentStat block, Extent extent, ContentKey key) {
  void copy(OutputStream out) throws IOException, InterruptedException {
    int plainBytes = ContentKey.plainBytes(block.sizeBytes());
    int end = extent.offset() + extent.length();
    int first = extent.offset() / ContentKey.SEGMENT_BYTES;
    int last = (end - 1) / ContentKey.SEGMENT_BYTES;
    var tail = new ByteArrayOutputStream();
    blocks.copy(block, ContentKey.tailFrom(plainBytes, first), block.sizeBytes(), tail);
    int from = first * ContentKey.SEGMENT_BYTES;
    int to = Math.min(plainBytes, (last + 1) * ContentKey.SEGMENT_BYTES);
    var opened =
        new Segments(key.open(plainBytes, tail.toByteArray(), first), from, to - from, out);
    blocks.copy(block, from, to, opened);
  }

  /** Gathers a segment, decrypts it and passes on what is wanted of it. */
  private final class Segments extends OutputStream {
    private final ContentKey.Opening opening;
    private final OutputStream out;
    private final byte[] segment;
    private int filled;
    private int at;
    private int left;

    private Segments(ContentKey.Opening opening, int from, int length, OutputStream out) {
      this.opening = opening;
      this.at = from;
      this.left = length;
      this.out = out;
      this.segment = new byte[Math.min(length, ContentKey.SEGMENT_BYTES)];
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int taken = 0;
      while (taken < length) {
        int wanted = Math.min(segment.length, left);
        int step = Math.min(length - taken, wanted - filled);
        System.arraycopy(bytes, offset + taken, segment, filled, step);
        filled += step;
        taken += step;
        if (filled == wanted) {
          pass(opening.next(segment, filled));
        }
      }
    }

    private void pass(byte[] plain) throws IOException {
      int begin = Math.max(extent.offset(), at);
      int end = Math.min(extent.offset() + extent.length(), at + plain.length);
      out.write(plain, begin - at, end - begin);
      at += plain.length;
      left -= plain.length;
      filled = 0;
    }
  }
}
