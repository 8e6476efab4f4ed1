package dev.ron.client.bucket;

import dev.ron.checksum.ObjectChecksum;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Whether the bytes that came are the ones the server promised: by their count, by the checksum it
 * keeps over all of them, and by the entity tag where that is an MD5 of the bytes or of the MD5s of
 * parts whose size is known.
 *
 * <p>Threading: owned by the thread that reads.
 */
public final class ContentCheck {
  private final ObjectHead head;
  private final long partBytes;
  private final @Nullable ObjectChecksum sum;
  private final MessageDigest md5 = ObjectPayload.digest("MD5");
  private final MessageDigest md5s = ObjectPayload.digest("MD5");
  private final EtagKind kind;
  private long read;
  private long parts;

  /** What an entity tag can prove. */
  enum EtagKind {
    /** The MD5 of the bytes. */
    WHOLE,
    /** The MD5 of the MD5s of equal parts. */
    OF_PARTS,
    /** Nothing. */
    OPAQUE
  }

  /** What came of it. */
  public sealed interface Outcome {
    /** A hash fits; {@code by} names it. */
    record Fits(String by) implements Outcome {}

    /** The server sent other bytes than it says it has. */
    record Differs(String detail) implements Outcome {}

    /** The size fits, and the server gives no hash that can be computed. */
    record SizeOnly() implements Outcome {}
  }

  /**
   * @param partBytes the size of all parts but the last, if the object was put in parts and it is
   *     known
   */
  public ContentCheck(ObjectHead head, OptionalLong partBytes) {
    this.head = head;
    this.sum = head.checksum().map(value -> new ObjectChecksum(value.algorithm())).orElse(null);
    this.kind = kind(head, partBytes);
    this.partBytes = kind == EtagKind.OF_PARTS ? partBytes.orElseThrow() : Long.MAX_VALUE;
  }

  static EtagKind kind(ObjectHead head, OptionalLong partBytes) {
    if (head.keyed()) {
      return EtagKind.OPAQUE;
    }
    if (isMd5(head.etag())) {
      return EtagKind.WHOLE;
    }
    int parts = partCount(head.etag());
    return parts > 0
            && partBytes.isPresent()
            && partBytes.getAsLong() > 0
            && new PartPlan(head.size(), partBytes.getAsLong()).count() == parts
        ? EtagKind.OF_PARTS
        : EtagKind.OPAQUE;
  }

  static boolean isMd5(String etag) {
    return etag.length() == 32 && etag.chars().allMatch(HexFormat::isHexDigit);
  }

  /** How many parts an entity tag speaks of; 0 if it is none of a multipart upload. */
  static int partCount(String etag) {
    int dash = etag.indexOf('-');
    if (dash != 32 || !isMd5(etag.substring(0, dash)) || etag.length() > dash + 6) {
      return 0;
    }
    try {
      return Integer.parseInt(etag.substring(dash + 1));
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  public void update(byte[] bytes, int offset, int length) {
    if (sum != null) {
      sum.update(bytes, offset, length);
    }
    int at = offset;
    int left = kind == EtagKind.OPAQUE ? 0 : length;
    long filled = read % partBytes;
    while (left > 0) {
      int n = (int) Math.min(left, partBytes - filled);
      md5.update(bytes, at, n);
      filled += n;
      if (filled == partBytes) {
        endPart();
        filled = 0;
      }
      at += n;
      left -= n;
    }
    read += length;
  }

  private void endPart() {
    md5s.update(md5.digest());
    parts++;
  }

  /** To be asked once, after the last byte. */
  public Outcome outcome() {
    if (read != head.size()) {
      return new Outcome.Differs(
          "%d bytes came, the server promised %d".formatted(read, head.size()));
    }
    if (sum != null && head.checksum().isPresent()) {
      var promised = head.checksum().get();
      return sum.value().equals(promised)
          ? new Outcome.Fits(promised.algorithm().name())
          : new Outcome.Differs("its " + promised.algorithm() + " is another one");
    }
    return switch (kind) {
      case OPAQUE -> new Outcome.SizeOnly();
      case WHOLE -> hash(HexFormat.of().formatHex(md5.digest()));
      case OF_PARTS -> {
        if (read % partBytes != 0 || read == 0) {
          endPart();
        }
        yield hash(HexFormat.of().formatHex(md5s.digest()) + "-" + parts);
      }
    };
  }

  private Outcome hash(String computed) {
    return computed.equalsIgnoreCase(head.etag())
        ? new Outcome.Fits("MD5")
        : new Outcome.Differs(
            "the MD5 of the bytes is %s, the entity tag %s".formatted(computed, head.etag()));
  }
}
