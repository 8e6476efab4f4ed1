package dev.ron.storage.s3.object;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.checksum.ChecksumValue;
import dev.ron.storage.s3.block.ObjectBodyReader;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.names.NameView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a range of an object is made of: its own bytes or blocks, or those of its parts.
 *
 * <p>Threading: immutable.
 */
record SourcePieces(List<Piece> pieces) {
  /**
   * @param content the bytes of the range alone
   * @param md5 null if it is not known, or the piece was cut
   * @param checksum the same
   */
  record Piece(
      ObjectContent content, long sizeBytes, @Nullable String md5, @Nullable String checksum) {}

  SourcePieces {
    pieces = List.copyOf(pieces);
  }

  static SourcePieces of(NameView view, ObjectVersion version, SourceRange range) {
    var pieces = new ArrayList<Piece>();
    if (version.content() instanceof ObjectContent.Parts(Uid upload, _)) {
      var walk = new PlacedPart.Walk();
      view.parts(
          upload,
          part -> {
            PlacedPart placed = walk.step(part);
            add(pieces, part, placed.from(), range);
            return placed.to() < range.to();
          });
    } else {
      StoredChecksum checksum = version.checksum();
      String value =
          checksum != null && checksum.kind() == StoredChecksum.Kind.FULL_OBJECT
              ? checksum.value()
              : null;
      var whole =
          new Piece(
              version.content(),
              version.sizeBytes(),
              version.etag().parts() == 0 ? version.etag().md5() : null,
              value);
      pieces.add(cut(whole, range.from(), range.to()));
    }
    return new SourcePieces(pieces);
  }

  private static void add(List<Piece> pieces, UploadPart part, long at, SourceRange range) {
    long from = Math.max(range.from(), at) - at;
    long to = Math.min(range.to(), at + part.sizeBytes()) - at;
    if (from < to) {
      var whole = new Piece(part.content(), part.sizeBytes(), part.md5(), part.checksum());
      pieces.add(cut(whole, from, to));
    }
  }

  private static Piece cut(Piece whole, long from, long to) {
    if (from == 0 && to == whole.sizeBytes()) {
      return whole;
    }
    ObjectContent content =
        switch (whole.content()) {
          case ObjectContent.Inline inline ->
              new ObjectContent.Inline(Arrays.copyOfRange(inline.bytes(), (int) from, (int) to));
          case ObjectContent.Blocks blocks ->
              new ObjectContent.Blocks(ObjectBodyReader.extents(blocks, from, to));
          case ObjectContent.Parts _ -> throw new IllegalStateException("parts in a part");
        };
    return new Piece(content, to - from, null, null);
  }

  long bytes() {
    return pieces.stream().mapToLong(Piece::sizeBytes).sum();
  }

  /** What is known of all the bytes together: of one whole piece, what was stored with it. */
  SharedBody.SourceSums sums(ObjectVersion version) {
    if (pieces.size() != 1) {
      return new SharedBody.SourceSums(null, null);
    }
    Piece only = pieces.getFirst();
    StoredChecksum checksum = version.checksum();
    ChecksumValue value =
        checksum == null || only.checksum() == null
            ? null
            : value(checksum.algorithm(), only.checksum()).orElse(null);
    return new SharedBody.SourceSums(only.md5(), value);
  }

  private static Optional<ChecksumValue> value(String algorithm, String base64) {
    return ChecksumAlgorithm.parse(algorithm).flatMap(each -> ChecksumValue.parse(each, base64));
  }
}
