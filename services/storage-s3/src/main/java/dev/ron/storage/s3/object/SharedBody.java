package dev.ron.storage.s3.object;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.checksum.ChecksumValue;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.BodyDigest;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.block.BodyWriter;
import dev.ron.storage.s3.block.ContentStream;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectEncryption;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.encryption.ClientKey;
import dev.ron.storage.s3.encryption.ContentKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of an object that another will share: nothing is moved, the new name leads to the same
 * blocks. Only where the copy is encrypted otherwise than its source, its bytes are stored anew.
 *
 * <p>The blocks are pinned first, and then the source is looked for again. If it is still there, it
 * referred to them while they were pinned, so the collector has not begun to delete them and does
 * not until they are let go. If it is not, the copy begins anew with what is there.
 *
 * <p>Threading: immutable; its blocks are its request's to let go.
 *
 * @param body pinned, and let go as a body that was sent
 * @param known what is known of the bytes without reading them
 * @param key what they are encrypted with, null if they are not
 * @param isNew whether they were stored anew
 */
public record SharedBody(
    FoundVersion source,
    BodyWriter.StoredBody body,
    SourceSums known,
    @Nullable ContentKey key,
    boolean isNew) {
  /** As much as one request may copy; clients copy more by parts. */
  private static final long BYTES_MAX = 5L << 30;

  private static final int ATTEMPTS_MAX = 8;

  /** Which bytes of a source are wanted. */
  @FunctionalInterface
  public interface Selection {
    /** Refuses what the source does not have. */
    SourceRange of(ObjectVersion version) throws Refusal;
  }

  /**
   * Pins the bytes of a source that the caller may read.
   *
   * @param algorithm which checksum of bytes that are stored anew is wanted, null for none
   */
  public static SharedBody take(
      S3Call call,
      CopySource source,
      Selection selection,
      CopyKey target,
      @Nullable ChecksumAlgorithm algorithm)
      throws IOException, InterruptedException {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      FoundVersion found = source.find(call);
      SourceRange range = selection.of(found.version());
      if (range.bytes() > BYTES_MAX) {
        throw Refusal.of(
            new S3Fault.InvalidRequest(
                "The specified copy source is larger than the maximum allowable size for a copy"
                    + " source: "
                    + BYTES_MAX));
      }
      ObjectEncryption encryption = found.version().encryption();
      ContentKey key = RequestEncryption.open(call, encryption, ClientKey.OF_SOURCE);
      Optional<SharedBody> shared =
          target.shares(encryption)
              ? attempt(call, source, found, range, key)
              : stored(call, source, found, range, key, target.key(), algorithm);
      if (shared.isPresent()) {
        return shared.get();
      }
    }
    throw Refusal.of(new S3Fault.SlowDown("the copy's source changes all the time", S3Fault.REST));
  }

  /** Reads the bytes and stores them; empty if the source went away meanwhile. */
  private static Optional<SharedBody> stored(
      S3Call call,
      CopySource source,
      FoundVersion found,
      SourceRange range,
      @Nullable ContentKey from,
      @Nullable ContentKey to,
      @Nullable ChecksumAlgorithm algorithm)
      throws IOException, InterruptedException {
    var digest = BodyDigest.of(algorithm);
    ObjectContent content = found.version().content();
    try (var in =
        new ContentStream(call.context().reader(), content, from, range.from(), range.to())) {
      BodyWriter.StoredBody body =
          call.context().writer().write(in, range.bytes(), to, false, digest::update);
      digest.finish();
      var sums = new SourceSums(digest.md5Hex(), digest.value());
      return Optional.of(new SharedBody(found, body, sums, to, true));
    } catch (Refusal lost) {
      if (source.has(call, found)) {
        throw lost;
      }
      return Optional.empty();
    }
  }

  /** Empty if the source went away meanwhile. */
  private static Optional<SharedBody> attempt(
      S3Call call,
      CopySource source,
      FoundVersion found,
      SourceRange range,
      @Nullable ContentKey key)
      throws IOException, InterruptedException {
    SourcePieces pieces = SourcePieces.of(call.view(), found.version(), range);
    BodyWriter.StoredBody body;
    try {
      body = pinned(call, found.version(), range, pieces, key);
    } catch (Refusal lost) {
      if (source.has(call, found)) {
        throw lost;
      }
      return Optional.empty();
    }
    boolean taken = false;
    try {
      if (!source.has(call, found)) {
        return Optional.empty();
      }
      if (pieces.bytes() != range.bytes()) {
        throw Refusal.of(new S3Fault.ServerError("a part of the copy's source is missing"));
      }
      taken = true;
      return Optional.of(new SharedBody(found, body, pieces.sums(found.version()), key, false));
    } finally {
      if (!taken) {
        body.unpin();
      }
    }
  }

  /** Few bytes are copied into the row: they would keep a block of four million from its end. */
  private static BodyWriter.StoredBody pinned(
      S3Call call,
      ObjectVersion version,
      SourceRange range,
      SourcePieces pieces,
      @Nullable ContentKey key)
      throws IOException, InterruptedException {
    BodyWriter writer = call.context().writer();
    if (key != null && version.content() instanceof ObjectContent.Inline) {
      return stored(call, version.content(), range.bytes());
    }
    if (key == null
        && (range.bytes() <= writer.inlineBytesMax()
            || version.content() instanceof ObjectContent.Inline)) {
      var bytes = new ByteArrayOutputStream((int) range.bytes());
      call.context().reader().copy(version.content(), key, range.from(), range.to(), bytes);
      return stored(call, new ObjectContent.Inline(bytes.toByteArray()), range.bytes());
    }
    var extents = new ArrayList<Extent>();
    boolean done = false;
    try {
      for (SourcePieces.Piece piece : pieces.pieces()) {
        switch (piece.content()) {
          case ObjectContent.Inline inline -> {
            if (inline.bytes().length > 0) {
              extents.add(writer.block(inline, (int) piece.sizeBytes()));
            }
          }
          case ObjectContent.Blocks(List<Extent> shared) -> {
            for (Extent extent : shared) {
              call.context().blocks().pins().pin(extent.block());
              extents.add(extent);
            }
          }
          case ObjectContent.Parts _ -> throw new IllegalStateException("parts in a part");
        }
      }
      done = true;
      return stored(call, new ObjectContent.Blocks(extents), range.bytes());
    } finally {
      if (!done) {
        stored(call, new ObjectContent.Blocks(extents), range.bytes()).unpin();
      }
    }
  }

  private static BodyWriter.StoredBody stored(S3Call call, ObjectContent content, long sizeBytes) {
    return new BodyWriter.StoredBody(content, sizeBytes, call.context().blocks().pins());
  }

  /**
   * What stands for the bytes in an entity tag, and their checksum.
   *
   * <p>An MD5 that is not known is not worth reading gigabytes for: of a copied range it is then
   * that of the list of its blocks, which is as good a name for the same bytes.
   *
   * @param algorithm which checksum must be there; the bytes are read for one that is not known
   */
  public SourceSums sums(S3Call call, @Nullable ChecksumAlgorithm algorithm)
      throws IOException, InterruptedException {
    boolean right =
        algorithm == null
            || (known.checksum() != null && known.checksum().algorithm() == algorithm);
    if (known.md5() != null && right) {
      return algorithm == null ? new SourceSums(known.md5(), null) : known;
    }
    if (algorithm == null && body.content() instanceof ObjectContent.Blocks(List<Extent> extents)) {
      return new SourceSums(listMd5(extents), null);
    }
    var digest = BodyDigest.of(algorithm);
    call.context().reader().copy(body.content(), key, 0, body.sizeBytes(), new DigestSink(digest));
    digest.finish();
    return new SourceSums(digest.md5Hex(), digest.value());
  }

  private static String listMd5(List<Extent> extents) {
    var digest = BodyDigest.of((ChecksumAlgorithm) null);
    for (Extent extent : extents) {
      String line = "%s %d %d\n".formatted(extent.block(), extent.offset(), extent.length());
      digest.update(ByteBuffer.wrap(line.getBytes(UTF_8)));
    }
    digest.finish();
    return digest.md5Hex();
  }

  /**
   * @param md5 32 hex digits; null if it is not known
   * @param checksum null if there is none
   */
  public record SourceSums(@Nullable String md5, @Nullable ChecksumValue checksum) {
    /** For what was computed or made up. */
    public String requireMd5() {
      if (md5 == null) {
        throw new IllegalStateException("no MD5 was asked for");
      }
      return md5;
    }
  }

  private static final class DigestSink extends OutputStream {
    private final BodyDigest digest;

    DigestSink(BodyDigest digest) {
      this.digest = digest;
    }

    @Override
    public void write(int one) {
      digest.update(ByteBuffer.wrap(new byte[] {(byte) one}));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      digest.update(ByteBuffer.wrap(bytes, offset, length));
    }
  }
}
