package dev.ron.edge.api;

import dev.ron.edge.EdgeFault;
import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.field.ByteRange;
import dev.ron.http.field.Conditionals;
import dev.ron.http.field.ContentRange;
import dev.ron.http.field.ETag;
import dev.ron.http.field.ParseResult;
import dev.ron.http.field.Ranges;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes with a strong validator, answered as RFC 9110 wants it: preconditions first, then ranges.
 *
 * <p>Threading: immutable.
 *
 * @param tag the address of exactly the bytes that would be sent
 * @param headers what a whole answer says about itself
 */
record Representation(ETag tag, Headers headers, long length, Source source) {
  /** A cache that keeps the bytes asks whether they still hold, since a pack can be replaced. */
  private static final String REVALIDATE = "no-cache";

  /** Makes the answer once it is decided which part is sent. */
  @FunctionalInterface
  interface Source {
    Answer answer(int status, Headers headers, long offset, long length);
  }

  static Representation of(ETag tag, Headers headers, byte[] bytes) {
    return new Representation(
        tag,
        headers,
        bytes.length,
        (status, with, offset, length) ->
            new Answer(
                status,
                with,
                new Body.Bytes(
                    length == bytes.length
                        ? bytes
                        : Arrays.copyOfRange(bytes, (int) offset, (int) (offset + length)))));
  }

  Answer answer(Exchange exchange, Instant wall) {
    ParseResult<Conditionals> read = Conditionals.parse(exchange.headers()::all, wall);
    if (!(read instanceof ParseResult.Ok<Conditionals>(Conditionals conditions))) {
      return Answer.problem(new HttpFault.Malformed(((ParseResult.Bad<Conditionals>) read).why()));
    }
    var method = Conditionals.Method.of(exchange.method());
    return switch (conditions.decide(method, Conditionals.Current.tagged(tag))) {
      case Conditionals.Decision.NotModified _ ->
          new Answer(304, validators(), new Body.Bytes(new byte[0]));
      case Conditionals.Decision.PreconditionFailed _ ->
          Answer.problem(new EdgeFault.PreconditionFailed());
      case Conditionals.Decision.Proceed(boolean rangeApplies) ->
          part(rangeApplies ? exchange.headers().all("Range") : List.of());
    };
  }

  private Answer part(List<String> range) {
    return switch (Ranges.select(range, length)) {
      case Ranges.Whole _, Ranges.Ignored _ -> source.answer(200, whole(), 0, length);
      case Ranges.Single(ByteRange part) ->
          source.answer(
              206,
              whole().add("Content-Range", ContentRange.of(part, length).toString()),
              part.first(),
              part.bytes());
      case Ranges.Several _ -> unsatisfied("several ranges are not answered; ask for one");
      case Ranges.Unsatisfiable _ -> unsatisfied("the range lies beyond the last byte");
    };
  }

  private Answer unsatisfied(String why) {
    Answer problem = Answer.problem(new EdgeFault.InvalidRange(why, length));
    return new Answer(
        problem.status(), Headers.of("Content-Range", "bytes */" + length), problem.body());
  }

  private Headers whole() {
    return headers
        .copy()
        .add("ETag", tag.toString())
        .add("Cache-Control", REVALIDATE)
        .add("Accept-Ranges", "bytes");
  }

  /** What a 304 must repeat of the 200. */
  private Headers validators() {
    var validators = Headers.of("ETag", tag.toString(), "Cache-Control", REVALIDATE);
    String vary = headers.first("Vary");
    return vary == null ? validators : validators.add("Vary", vary);
  }
}
