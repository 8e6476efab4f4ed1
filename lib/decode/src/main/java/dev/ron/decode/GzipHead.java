package dev.ron.decode;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The head of a gzip member (RFC 1952 section 2.3), read byte by byte, because it may arrive so.
 * The names and extra fields in it are skipped, not kept: they have no length limit of their own.
 *
 * <p>Threading: owned by its {@link GzipStage}.
 */
final class GzipHead {
  private static final int HCRC = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xe0;
  private static final int[] MAGIC = {0x1f, 0x8b, 8};

  private enum Part {
    FIXED,
    EXTRA_LENGTH,
    EXTRA_BYTES,
    NAME,
    COMMENT,
    CHECK,
    END
  }

  private final CRC32 check = new CRC32();
  private Part part = Part.FIXED;
  private int flags;
  private int at;
  private int number;
  private boolean started;

  boolean started() {
    return started;
  }

  /** HUNGRY, BROKEN, or DONE when the head is over. */
  DecodeStage.Flow read(ByteBuffer in) {
    while (part != Part.END) {
      if (!in.hasRemaining()) {
        return DecodeStage.Flow.HUNGRY;
      }
      started = true;
      int octet = in.get() & 0xff;
      if (part != Part.CHECK) {
        check.update(octet);
      }
      if (!accept(octet)) {
        return DecodeStage.Flow.BROKEN;
      }
    }
    return DecodeStage.Flow.DONE;
  }

  private boolean accept(int octet) {
    switch (part) {
      case FIXED -> {
        if (at < 3 && octet != MAGIC[at]) {
          return false;
        }
        flags = at == 3 ? octet : flags;
        if (++at == 10) {
          next(Part.EXTRA_LENGTH);
        }
        return (flags & RESERVED) == 0;
      }
      case EXTRA_LENGTH -> {
        number |= octet << (8 * at);
        if (++at == 2) {
          next(number == 0 ? Part.NAME : Part.EXTRA_BYTES);
        }
      }
      case EXTRA_BYTES -> {
        if (++at == number) {
          next(Part.NAME);
        }
      }
      case NAME -> {
        if (octet == 0) {
          next(Part.COMMENT);
        }
      }
      case COMMENT -> {
        if (octet == 0) {
          next(Part.CHECK);
        }
      }
      case CHECK -> {
        int wanted = (int) (check.getValue() >>> (8 * at)) & 0xff;
        if (octet != wanted) {
          return false;
        }
        if (++at == 2) {
          next(Part.END);
        }
      }
      case END -> throw new IllegalStateException("the head is over");
    }
    return true;
  }

  /** Goes to a part, or past it if the flags say that it is not there. */
  private void next(Part wanted) {
    part = wanted;
    at = 0;
    if (part == Part.EXTRA_LENGTH && (flags & EXTRA) == 0) {
      part = Part.NAME;
    }
    if (part == Part.NAME && (flags & NAME) == 0) {
      part = Part.COMMENT;
    }
    if (part == Part.COMMENT && (flags & COMMENT) == 0) {
      part = Part.CHECK;
    }
    if (part == Part.CHECK && (flags & HCRC) == 0) {
      part = Part.END;
    }
  }
}
