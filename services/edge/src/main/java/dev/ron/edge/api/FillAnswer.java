package dev.ron.edge.api;

import dev.ron.edge.core.CacheRequest;
import dev.ron.edge.core.CacheStatus;
import dev.ron.edge.core.Selection;
import dev.ron.edge.core.StoredRanges;
import dev.ron.edge.core.StoredResponse;
import dev.ron.edge.core.VaryFields;
import dev.ron.edge.fill.Fill;
import dev.ron.edge.fill.FillBytes;
import dev.ron.http.Headers;
import dev.ron.http.field.ByteRange;
import dev.ron.http.field.ContentRange;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.BodySink;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers from a fill that is under way, with the bytes as they come.
 *
 * <p>Threading: immutable.
 */
final class FillAnswer {
  /** Of a thousand readers each has one, and so much on its way to its peer. */
  private static final int STEP_BYTES = 16 << 10;

  private static final int AHEAD_BYTES = 4 * STEP_BYTES;

  private FillAnswer() {}

  /**
   * Empty if the bytes can no longer be read from the first.
   *
   * @param reader of the answer's bytes, from the first on; null if there are none, or not any more
   */
  static Optional<Answer> of(
      CacheRequest request,
      Fill.Outcome.Answered answered,
      FillBytes.@Nullable Reader reader,
      CacheStatus status,
      Instant now) {
    Headers head = status.on(answered.headers().copy());
    Selection selection = selection(request, answered, now);
    if (selection instanceof Selection.NotModified) {
      if (reader != null) {
        reader.close();
      }
      return Optional.of(new Answer(304, head, Answer.empty(304).body()));
    }
    if (answered.bytes() == null) {
      // What HEAD is not told the length of has one all the same, and it need not be 0.
      return Optional.of(
          answered.length() != 0
              ? Answer.stream(answered.status(), head, answered.length(), _ -> new Headers(1))
              : new Answer(answered.status(), head, Answer.empty(answered.status()).body()));
    }
    if (reader == null) {
      return Optional.empty();
    }
    if (selection instanceof Selection.Part(ByteRange range)) {
      head.add("Content-Range", ContentRange.of(range, answered.length()).toString());
      return Optional.of(
          Answer.stream(206, head, range.bytes(), sink -> write(reader, range, sink)));
    }
    return Optional.of(
        Answer.stream(answered.status(), head, answered.length(), sink -> write(reader, sink)));
  }

  /** What the client wants of an answer whose bytes are not all there yet. */
  private static Selection selection(
      CacheRequest request, Fill.Outcome.Answered answered, Instant now) {
    if (answered.status() != 200 || request.isHead()) {
      return new Selection.Whole();
    }
    long total = Math.max(0, answered.length());
    var shown =
        StoredResponse.of(
            0,
            request.key(),
            200,
            answered.headers(),
            now,
            now,
            new VaryFields(Map.of(), false),
            new StoredRanges(List.of(), total));
    Selection selection = Selection.of(request, shown, now);
    boolean cuttable = answered.length() >= 0;
    return selection instanceof Selection.NotModified || cuttable
        ? selection
        : new Selection.Whole();
  }

  private static Headers write(FillBytes.Reader from, BodySink sink)
      throws IOException, InterruptedException {
    try (from) {
      sink.ahead(AHEAD_BYTES);
      var step = new byte[STEP_BYTES];
      for (int read = from.read(step); read >= 0; read = from.read(step)) {
        sink.write(step, 0, read);
      }
      return new Headers(1);
    }
  }

  private static Headers write(FillBytes.Reader from, ByteRange range, BodySink sink)
      throws IOException, InterruptedException {
    try (from) {
      sink.ahead(AHEAD_BYTES);
      var step = new byte[STEP_BYTES];
      long at = 0;
      while (at <= range.last()) {
        int read = from.read(step);
        if (read < 0) {
          throw new IOException("the fill ended before the range did");
        }
        int skip = Math.clamp(range.first() - at, 0, read);
        int end = (int) Math.min(read, range.last() + 1 - at);
        if (end > skip) {
          sink.write(step, skip, end - skip);
        }
        at += read;
      }
      return new Headers(1);
    }
  }
}
