package dev.ron.rewarder.input.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.ron.rewarder.RewarderFaultException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The pages of a column without their codec, one behind the other in one array.
 *
 * <p>Threading: owned by the worker that reads the column.
 */
final class PageBytes {
  static final int PAGE_BYTES_MAX = 256 << 20;

  private static final int NONE = 0;
  private static final int SNAPPY = 1;
  private static final int GZIP = 2;
  private static final int ZSTD = 6;

  private final int codec;
  private byte[] bytes = {};
  private int kept;

  PageBytes(int codec) {
    this.codec = codec;
  }

  /** Holds all pages that were kept and the last one; until the next is added. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * Puts a page behind those that were kept.
   *
   * @return where it begins
   */
  int add(byte[] coded, int from, int to, int size, boolean compressed) throws IOException {
    if (size < 0 || ((!compressed || codec == NONE) && size != to - from)) {
      throw broken("a page of another size than it says");
    }
    if (compressed && codec == SNAPPY && !Snappy.mayBecome(to - from, size)) {
      throw broken("damaged Snappy");
    }
    room(size);
    if (compressed) {
      decode(coded, from, to, size);
    } else {
      System.arraycopy(coded, from, bytes, kept, size);
    }
    return kept;
  }

  /** The last page is not to be overwritten. */
  void keep(int size) {
    kept += size;
  }

  private void room(int size) throws RewarderFaultException {
    long needed = (long) kept + size + Snappy.SLACK_BYTES;
    if (needed > Integer.MAX_VALUE / 2) {
      throw broken("a column of more than a gibibyte");
    }
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.max(needed, Math.min(2L * bytes.length, 1 << 30)));
    }
  }

  private void decode(byte[] coded, int from, int to, int size) throws IOException {
    switch (codec) {
      case NONE -> System.arraycopy(coded, from, bytes, kept, size);
      case SNAPPY -> Snappy.decode(coded, from, to, bytes, kept, size);
      case GZIP -> {
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(coded, from, to - from))) {
          if (gzip.readNBytes(bytes, kept, size) != size) {
            throw broken("damaged gzip");
          }
        } catch (ZipException damaged) {
          throw broken("damaged gzip");
        }
      }
      case ZSTD -> {
        try {
          long count = Zstd.decompressByteArray(bytes, kept, size, coded, from, to - from);
          if (count != size) {
            throw broken("damaged zstd");
          }
        } catch (ZstdException damaged) {
          throw broken("damaged zstd");
        }
      }
      default -> throw broken("a codec that is not none, snappy, gzip or zstd");
    }
  }

  static RewarderFaultException broken(String what) {
    return RewarderFaultException.badInput("Parquet: " + what);
  }
}
