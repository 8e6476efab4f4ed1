package dev.ron.storage.s3.object;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.field.ByteRange;
import dev.ron.http.field.Ranges;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.object.MemoryLease;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Caller;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.encryption.ContentKey;
import dev.ron.storage.s3.lifecycle.ExpirationField;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends an object, a range of it or one of its parts; HEAD sends what is known of it.
 *
 * <p>Threading: stateless.
 */
public record GetObject() implements S3Verb.Hot<GetObject.Request, GetObject.Reply> {
  /** Up to here a body is read before the head is sent, so that a lost block is an error. */
  private static final long WHOLE_BYTES_MAX = 64 << 10;

  /** What was asked for, of a version that is there. */
  public record Request(S3Call call, FoundVersion found, RequestConditions.ReadVerdict verdict) {}

  /**
   * @param partial whether the span is less than the object
   * @param parts how many parts the object has; 0 where that was not asked for
   * @param checksum of what is sent, null if it is not known
   * @param key what the object is encrypted with, null if it is not
   */
  public record Reply(
      Request request,
      Span span,
      boolean partial,
      int parts,
      @Nullable StoredChecksum checksum,
      @Nullable ContentKey key) {
    private Reply(
        Request request, Span span, boolean partial, int parts, @Nullable StoredChecksum checksum) {
      this(request, span, partial, parts, checksum, null);
    }

    private Reply with(@Nullable ContentKey opened) {
      return new Reply(request, span, partial, parts, checksum, opened);
    }
  }

  /** Bytes from one to before another. */
  record Span(long from, long to) {
    long bytes() {
      return to - from;
    }
  }

  @Override
  public S3Action action(S3Call call) {
    return call.query().has("versionId") ? S3Action.GET_VERSION : S3Action.GET;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    if (call.caller() instanceof S3Caller.Anonymous && AnswerOverrides.isGiven(call)) {
      throw Refusal.of(
          new S3Fault.InvalidRequest(
              "Request specific response headers cannot be used for anonymous" + " GET requests."));
    }
    FoundVersion found = FoundVersion.of(call, call.bucket());
    return new Request(call, found, RequestConditions.ofRead(call, "", found.version()));
  }

  @Override
  public Reply handle(Request request) throws Refusal {
    Reply reply = selected(request);
    return reply.with(
        RequestEncryption.openRead(request.call(), request.found().version().encryption()));
  }

  /** Which bytes are meant. */
  private static Reply selected(Request request) throws Refusal {
    ObjectVersion version = request.found().version();
    if (request.verdict() == RequestConditions.ReadVerdict.NOT_MODIFIED) {
      return new Reply(request, new Span(0, version.sizeBytes()), false, 0, null);
    }
    Optional<String> part = request.call().query().value("partNumber");
    List<String> ranges = request.call().exchange().headers().all("Range");
    if (part.isPresent()) {
      if (!ranges.isEmpty()) {
        throw Refusal.of(
            new S3Fault.InvalidRequest("Cannot specify both Range header and partNumber"));
      }
      return part(request, part.get());
    }
    var whole = new Span(0, version.sizeBytes());
    if (!ranges.isEmpty() && !RequestConditions.rangeApplies(request.call(), version)) {
      return new Reply(request, whole, false, 0, version.checksum());
    }
    return switch (Ranges.select(ranges, version.sizeBytes())) {
      case Ranges.Single(ByteRange range) ->
          range(request, new Span(range.first(), range.last() + 1));
      case Ranges.Unsatisfiable _ ->
          throw Refusal.of(new S3Fault.InvalidRange(ranges.getFirst(), version.sizeBytes()));
      case Ranges.Whole _, Ranges.Ignored _, Ranges.Several _ ->
          new Reply(request, whole, false, 0, version.checksum());
    };
  }

  private static Reply range(Request request, Span span) {
    ObjectVersion version = request.found().version();
    boolean whole = span.bytes() == version.sizeBytes();
    return new Reply(request, span, true, 0, whole ? version.checksum() : null);
  }

  private static Reply part(Request request, String text) throws Refusal {
    int number = PlacedPart.number(text);
    ObjectVersion version = request.found().version();
    if (!(version.content() instanceof ObjectContent.Parts(Uid upload, int count))) {
      if (number != 1) {
        throw noPart(number, version);
      }
      return new Reply(request, new Span(0, version.sizeBytes()), true, 0, version.checksum());
    }
    PlacedPart part =
        PlacedPart.of(request.call().view(), upload, number)
            .orElseThrow(() -> noPart(number, version));
    return new Reply(
        request, new Span(part.from(), part.to()), true, count, part.checksum(version));
  }

  private static Refusal noPart(int number, ObjectVersion version) {
    return Refusal.of(
        new S3Fault.InvalidPart(
            "The requested partnumber "
                + number
                + " is not satisfiable; the object has "
                + Math.max(1, version.etag().parts())));
  }

  @Override
  public Optional<Answer> hot(Reply reply) throws Refusal {
    S3Call call = reply.request().call();
    ObjectVersion version = reply.request().found().version();
    Span span = reply.span();
    if (reply.request().verdict() == RequestConditions.ReadVerdict.NOT_MODIFIED
        || !call.method().equals("GET")) {
      return Optional.empty();
    }
    List<MemoryLease> held = call.context().reader().hot(version, span.from(), span.to());
    if (held.isEmpty()) {
      return Optional.empty();
    }
    boolean written = false;
    try {
      Headers headers = headers(reply);
      int status = status(reply, headers);
      call.context().metrics().bytesOut().inc(span.bytes());
      written = true;
      return Optional.of(new Answer(status, headers, regions(held)));
    } finally {
      if (!written) {
        held.forEach(MemoryLease::close);
      }
    }
  }

  private static Body.Regions regions(List<MemoryLease> held) {
    return new Body.Regions(
        held.stream()
            .map(each -> new Body.Region(each.file(), each.position(), each.length(), each::close))
            .toList());
  }

  @Override
  public Answer write(Reply reply) throws Exception {
    Headers headers = headers(reply);
    if (reply.request().verdict() == RequestConditions.ReadVerdict.NOT_MODIFIED) {
      return new Answer(304, headers, Body.Bytes.NONE);
    }
    int status = status(reply, headers);
    return body(reply, status, headers);
  }

  /** What is said of the version, sent or not. */
  private static Headers headers(Reply reply) throws Refusal {
    S3Call call = reply.request().call();
    ObjectVersion version = reply.request().found().version();
    Headers headers = ObjectFields.answer(version, reply.request().found().versioned());
    RequestEncryption.add(headers, call, version.encryption());
    if (!call.query().has("versionId")) {
      ExpirationField.of(call.view(), call.bucket(), call.key(), version)
          .ifPresent(value -> headers.add(ExpirationField.NAME, value));
    }
    return headers;
  }

  /** Adds what is said of the bytes that are sent. */
  private static int status(Reply reply, Headers headers) throws Refusal {
    S3Call call = reply.request().call();
    AnswerOverrides.apply(call, headers);
    Span span = reply.span();
    if (reply.parts() > 0) {
      headers.add("x-amz-mp-parts-count", Integer.toString(reply.parts()));
    }
    if (reply.checksum() != null && wantsChecksum(call)) {
      ObjectFields.addChecksum(headers, reply.checksum());
    }
    if (!reply.partial() || span.bytes() == 0) {
      return 200;
    }
    headers.add(
        "Content-Range",
        "bytes %d-%d/%d"
            .formatted(span.from(), span.to() - 1, reply.request().found().version().sizeBytes()));
    return 206;
  }

  private static Answer body(Reply reply, int status, Headers headers) throws Exception {
    S3Call call = reply.request().call();
    ObjectVersion version = reply.request().found().version();
    ContentKey key = reply.key();
    Span span = reply.span();
    if (call.method().equals("HEAD")) {
      return Answer.unsent(status, headers, span.bytes());
    }
    call.context().metrics().bytesOut().inc(span.bytes());
    List<MemoryLease> hot = call.context().reader().hot(version, span.from(), span.to());
    if (!hot.isEmpty()) {
      return new Answer(status, headers, regions(hot));
    }
    if (span.bytes() <= WHOLE_BYTES_MAX) {
      var bytes = new ByteArrayOutputStream((int) span.bytes());
      call.context().reader().copy(version.content(), key, span.from(), span.to(), bytes);
      return new Answer(status, headers, new Body.Bytes(bytes.toByteArray()));
    }
    return Answer.stream(
        status,
        headers,
        span.bytes(),
        out -> {
          call.context().reader().copy(version.content(), key, span.from(), span.to(), out);
          return new Headers(1);
        });
  }

  private static boolean wantsChecksum(S3Call call) {
    return "enabled".equalsIgnoreCase(call.header("x-amz-checksum-mode"));
  }
}
