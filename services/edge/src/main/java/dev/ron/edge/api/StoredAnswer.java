package dev.ron.edge.api;

import dev.ron.content.ContentFault;
import dev.ron.content.ContentReader;
import dev.ron.content.OpenRegion;
import dev.ron.content.OpenResult;
import dev.ron.edge.EdgeFault;
import dev.ron.edge.cache.LiveCache;
import dev.ron.edge.core.CacheRequest;
import dev.ron.edge.core.CacheStatus;
import dev.ron.edge.core.Selection;
import dev.ron.edge.core.StoredRange;
import dev.ron.edge.core.StoredResponse;
import dev.ron.http.Headers;
import dev.ron.http.field.ByteRange;
import dev.ron.http.field.ETag;
import dev.ron.http.server.ByteRanges;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers from the store: whole, a range, or that nothing has changed.
 *
 * <p>Threading: immutable.
 */
final class StoredAnswer {
  /** What a 304 repeats (RFC 9110 section 15.4.5). */
  private static final List<String> IN_NOT_MODIFIED =
      List.of(
          "Cache-Control",
          "CDN-Cache-Control",
          "Content-Location",
          "Date",
          "ETag",
          "Expires",
          "Vary");

  private final LiveCache cache;
  private final boolean multiRange;

  StoredAnswer(LiveCache cache, boolean multiRange) {
    this.cache = cache;
    this.multiRange = multiRange;
  }

  /** How an answer can be given. */
  enum Haste {
    /** On the event loop: from memory, or by handing a file to the system. */
    INLINE,
    /** On a virtual thread, which may read and hash. */
    BLOCKING
  }

  /** Empty if the bytes cannot be had this way: not at all any more, or not without waiting. */
  Optional<Answer> of(
      CacheRequest request,
      StoredResponse stored,
      CacheStatus status,
      long ageSeconds,
      Instant now,
      Haste haste)
      throws IOException {
    cache.used(stored);
    Headers head = head(stored, status, ageSeconds);
    return switch (Selection.of(request, stored, now)) {
      case Selection.NotModified _ -> Optional.of(notModified(head));
      case Selection.Whole _ -> body(request, stored.status(), head, all(stored), stored, haste);
      case Selection.Part(ByteRange range) -> {
        yield body(request, 206, parts(stored).single(head, range), range, stored, haste);
      }
      case Selection.Parts(List<ByteRange> ranges) ->
          multiRange
              ? Optional.of(
                  parts(stored)
                      .several(
                          head, ranges, (range, sink) -> write(stored.pieces().of(range), sink)))
              : Optional.of(
                  unsatisfiable(
                      stored.pieces().total(), "several ranges are not answered at once"));
      case Selection.Unsatisfiable(long total) ->
          Optional.of(unsatisfiable(total, "the range begins beyond the end"));
    };
  }

  /** The number of a stored answer is its own, so the boundary is the same each time. */
  private static ByteRanges parts(StoredResponse stored) {
    return new ByteRanges("ron-edge-" + stored.id(), stored.pieces().total());
  }

  private static @Nullable ByteRange all(StoredResponse stored) {
    long total = stored.pieces().total();
    return total == 0 ? null : new ByteRange(0, total - 1);
  }

  private static Headers head(StoredResponse stored, CacheStatus status, long ageSeconds) {
    Headers kept = stored.headers();
    var head = new Headers(kept.size() + 4);
    for (int i = 0; i < kept.size(); i++) {
      if (!kept.nameAt(i).equalsIgnoreCase("Age")) {
        head.addParsed(kept.nameAt(i), kept.valueAt(i));
      }
    }
    head.addParsed("Age", Long.toString(ageSeconds));
    if (stored.status() == 200) {
      if (!head.has("Accept-Ranges")) {
        head.addParsed("Accept-Ranges", "bytes");
      }
      ETag own = stored.ownTag();
      if (own != null) {
        head.addParsed("ETag", own.toString());
      }
    }
    return status.on(head);
  }

  private static Answer notModified(Headers head) {
    var few = new Headers(8);
    head.forEach(
        (name, value) -> {
          boolean kept = IN_NOT_MODIFIED.stream().anyMatch(name::equalsIgnoreCase);
          if (kept || name.equals("Age") || name.equals(CacheStatus.FIELD)) {
            few.addParsed(name, value);
          }
        });
    return new Answer(304, few, Answer.empty(304).body());
  }

  private static Answer unsatisfiable(long total, String why) {
    return Answer.problem(new EdgeFault.InvalidRange(why, total))
        .with("Content-Range", "bytes */" + total);
  }

  private Optional<Answer> body(
      CacheRequest request,
      int status,
      Headers head,
      @Nullable ByteRange range,
      StoredResponse stored,
      Haste haste)
      throws IOException {
    if (range == null) {
      return Optional.of(new Answer(status, head, Answer.empty(status).body()));
    }
    List<StoredRange> pieces = stored.pieces().of(range);
    if (request.isHead()) {
      return Optional.of(Answer.stream(status, head, range.bytes(), _ -> new Headers(1)));
    }
    if (pieces.size() == 1) {
      return single(status, head, pieces.getFirst(), haste);
    }
    return haste == Haste.INLINE
        ? Optional.empty()
        : Optional.of(Answer.stream(status, head, range.bytes(), sink -> write(pieces, sink)));
  }

  private Optional<Answer> single(int status, Headers head, StoredRange piece, Haste haste)
      throws IOException {
    ContentReader reader = open(piece);
    if (reader == null) {
      return Optional.empty();
    }
    Optional<OpenRegion> region = reader.openRegion();
    if (region.isPresent()) {
      return Optional.of(Answer.file(status, head, lent(reader, region.get())));
    }
    if (haste == Haste.INLINE) {
      reader.close();
      return Optional.empty();
    }
    return Optional.of(Answer.stream(status, head, piece.length(), sink -> write(reader, sink)));
  }

  /** The file stays as long as the reader is open, so the reader is closed when it was sent. */
  private static Body.Region lent(ContentReader reader, OpenRegion region) {
    return new Body.Region(region.file(), region.position(), region.lengthBytes(), reader::close);
  }

  private @Nullable ContentReader open(StoredRange piece) {
    return cache.store().open(piece.address(), piece.from(), piece.length())
            instanceof OpenResult.Opened(ContentReader reader)
        ? reader
        : null;
  }

  private Headers write(List<StoredRange> pieces, OutputStream sink) throws IOException {
    for (StoredRange piece : pieces) {
      ContentReader reader = open(piece);
      if (reader == null) {
        throw new IOException("a piece of a stored answer is gone");
      }
      write(reader, sink);
    }
    return new Headers(1);
  }

  private static Headers write(ContentReader reader, OutputStream sink) throws IOException {
    try (reader) {
      while (true) {
        switch (reader.next()) {
          case ContentReader.Step.Bytes(ByteBuffer bytes) -> {
            var step = new byte[bytes.remaining()];
            bytes.get(step);
            sink.write(step, 0, step.length);
          }
          case ContentReader.Step.End _ -> {
            return new Headers(1);
          }
          case ContentReader.Step.Bad(ContentFault fault) ->
              throw new IOException("stored bytes are damaged: " + fault.code());
        }
      }
    }
  }
}
