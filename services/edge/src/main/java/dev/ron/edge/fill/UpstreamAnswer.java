package dev.ron.edge.fill;

import dev.ron.http.Headers;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.field.ContentRange;
import dev.ron.http.field.ETag;
import dev.ron.http.field.ParseResult;
import java.time.Instant;
import java.util.Optional;

/**
 * An upstream's answer with the times a cache counts from.
 *
 * <p>Threading: owned by the worker that asked.
 *
 * @param length what it says of its body, -1 for nothing
 */
record UpstreamAnswer(ClientAnswer answer, Instant asked, Instant came, long length)
    implements AutoCloseable {
  int status() {
    return answer.status();
  }

  Headers headers() {
    return answer.headers();
  }

  Optional<ETag> tag() {
    return Optional.ofNullable(headers().first("ETag"))
        .map(ETag::parse)
        .flatMap(ParseResult::asOptional);
  }

  Optional<ContentRange.Part> part() {
    return Optional.ofNullable(headers().first("Content-Range"))
        .map(ContentRange::parse)
        .flatMap(ParseResult::asOptional)
        .filter(ContentRange.Part.class::isInstance)
        .map(ContentRange.Part.class::cast);
  }

  @Override
  public void close() {
    answer.close();
  }
}
