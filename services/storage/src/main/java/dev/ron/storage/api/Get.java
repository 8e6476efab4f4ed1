package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.content.FileRegion;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.field.ByteRange;
import dev.ron.http.field.Conditionals;
import dev.ron.http.field.ContentRange;
import dev.ron.http.field.ETag;
import dev.ron.http.field.ParseResult;
import dev.ron.http.field.Ranges;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.ByteRanges;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.MemoryLease;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Permits;
import dev.ron.storage.repair.RepairThrottle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code GET} and {@code HEAD /o/{address}}: the object or ranges of it.
 *
 * <p>The first bytes are read and verified before the head goes out, so an object of which nothing
 * is good is a 502. After the head a loss can only be told by cutting the connection: the client
 * sees a short body, never a wrong byte.
 *
 * <p>Threading: immutable.
 */
record Get(StorageContext context) implements Verb<Get.Request, Get.Reply> {
  private static final String TYPE = "application/octet-stream";

  /** An address never means other bytes; hence no date, and a year. */
  private static final String CACHE = "public, max-age=31536000, immutable";

  private static final String CACHE_PRIVATE = "private, max-age=31536000, immutable";

  /**
   * What is asked for.
   *
   * @param objects what the caller reaches
   * @param ranges the fields of that name
   */
  record Request(
      ObjectStore objects,
      Address address,
      Conditionals conditions,
      Conditionals.Method method,
      List<String> ranges,
      Instant begun) {}

  /** What there is to send. */
  sealed interface Reply {
    record NotModified(Address address) implements Reply {}

    record Whole(ContentStat stat, Body body) implements Reply {}

    record Part(ContentStat stat, ByteRange range, Body body) implements Reply {}

    record Parts(Request request, ContentStat stat, List<ByteRange> ranges) implements Reply {}

    record Unsatisfiable(ContentStat stat) implements Reply {}
  }

  /**
   * On the event loop what is in verified memory, on a thread of its own the rest. The same path
   * with a proof is a verb of its own.
   */
  Inline route() {
    Blocking plain = handler();
    Blocking proof = new Proof(context).handler();
    return exchange -> {
      if (exchange.query().first(Proof.PARAMETER) != null) {
        exchange.block(proof);
        return;
      }
      Optional<Answer> hot = hot(exchange);
      if (hot.isPresent()) {
        exchange.answer(hot.get());
      } else {
        exchange.block(plain);
      }
    };
  }

  /**
   * An answer that needs no disk and no hash; empty if there is none. What the request may read was
   * asked before.
   */
  private Optional<Answer> hot(Exchange exchange) {
    if (!exchange.method().equals("GET")) {
      return Optional.empty();
    }
    Request request;
    try {
      request = parse(exchange);
    } catch (Refusal refusal) {
      return Optional.of(Answer.problem(refusal));
    }
    Optional<MemoryLease> held = request.objects().hot(request.address(), 0, Long.MAX_VALUE);
    if (held.isEmpty()) {
      return Optional.empty();
    }
    Optional<Answer> answer = held(request, held.get());
    if (answer.isEmpty() || !(answer.get().body() instanceof Body.Region)) {
      held.get().close();
    }
    return answer;
  }

  /** The lease is the answer's if its body is a region, and the caller's otherwise. */
  private Optional<Answer> held(Request request, MemoryLease held) {
    var stat = new ContentStat(request.address(), held.length());
    var current = Conditionals.Current.tagged(ETag.strong(stat.address().toString()));
    return switch (request.conditions().decide(request.method(), current)) {
      case Conditionals.Decision.NotModified _ ->
          Optional.of(write(new Reply.NotModified(stat.address())));
      case Conditionals.Decision.PreconditionFailed _ ->
          Optional.of(Answer.problem(new StorageFault.PreconditionFailed(stat.address())));
      case Conditionals.Decision.Proceed(boolean rangeApplies) ->
          switch (Ranges.select(rangeApplies ? request.ranges() : List.of(), stat.sizeBytes())) {
            case Ranges.Whole _, Ranges.Ignored _ ->
                Optional.of(
                    write(
                        new Reply.Whole(
                            stat, region(request, held, new Span(0, stat.sizeBytes(), "whole")))));
            case Ranges.Single(ByteRange range) ->
                Optional.of(
                    write(
                        new Reply.Part(
                            stat,
                            range,
                            region(
                                request,
                                held,
                                new Span(range.first(), range.last() + 1, "range")))));
            case Ranges.Unsatisfiable _ -> Optional.of(write(new Reply.Unsatisfiable(stat)));
            case Ranges.Several _ -> Optional.empty();
          };
    };
  }

  private Body region(Request request, MemoryLease held, Span span) {
    count(span.bytes(), span.label(), request.begun());
    return new Body.Region(held.file(), held.position() + span.from(), span.bytes(), held::close);
  }

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    Instant begun = context.time().now();
    Address address = StorageContext.address(exchange);
    return switch (Conditionals.parse(exchange.headers()::all, context.time().wall())) {
      case ParseResult.Bad<Conditionals>(String why) ->
          throw Refusal.of(new StorageFault.Malformed(why));
      case ParseResult.Ok<Conditionals>(Conditionals conditions) ->
          new Request(
              context.objects(exchange),
              address,
              conditions,
              Conditionals.Method.of(exchange.method()),
              exchange.headers().all("Range"),
              begun);
    };
  }

  @Override
  public Reply handle(Request request) throws IOException, InterruptedException {
    try (RepairThrottle.Reader _ = context.upkeep().pace().reader()) {
      ContentStat stat = context.stat(request.objects(), request.address());
      var current = Conditionals.Current.tagged(ETag.strong(stat.address().toString()));
      return switch (request.conditions().decide(request.method(), current)) {
        case Conditionals.Decision.NotModified _ -> new Reply.NotModified(stat.address());
        case Conditionals.Decision.PreconditionFailed _ ->
            throw Refusal.of(new StorageFault.PreconditionFailed(stat.address()));
        case Conditionals.Decision.Proceed(boolean rangeApplies) ->
            chosen(request, stat, rangeApplies ? request.ranges() : List.of());
      };
    }
  }

  private Reply chosen(Request request, ContentStat stat, List<String> ranges)
      throws IOException, InterruptedException {
    return switch (Ranges.select(ranges, stat.sizeBytes())) {
      case Ranges.Whole _, Ranges.Ignored _ ->
          new Reply.Whole(stat, body(request, stat, new Span(0, stat.sizeBytes(), "whole")));
      case Ranges.Single(ByteRange range) ->
          new Reply.Part(
              stat, range, body(request, stat, new Span(range.first(), range.last() + 1, "range")));
      case Ranges.Several(List<ByteRange> several) -> new Reply.Parts(request, stat, several);
      case Ranges.Unsatisfiable _ -> new Reply.Unsatisfiable(stat);
    };
  }

  @Override
  public Answer write(Reply reply) {
    return switch (reply) {
      case Reply.NotModified(Address address) -> new Answer(304, headers(address), Body.Bytes.NONE);
      case Reply.Whole(ContentStat stat, Body body) -> new Answer(200, typed(stat), body);
      case Reply.Part(ContentStat stat, ByteRange range, Body body) ->
          new Answer(206, parts(stat).single(typed(stat), range), body);
      case Reply.Parts(Request request, ContentStat stat, List<ByteRange> ranges) ->
          parts(stat)
              .several(typed(stat), ranges, (range, sink) -> copy(request, stat, range, sink));
      case Reply.Unsatisfiable(ContentStat stat) ->
          Answer.problem(new StorageFault.Unsatisfiable(stat.address(), stat.sizeBytes()))
              .with("Content-Range", new ContentRange.Unsatisfied(stat.sizeBytes()).toString());
    };
  }

  /** The object cannot contain what only its own hash would produce by chance. */
  private static ByteRanges parts(ContentStat stat) {
    return new ByteRanges("ron-" + stat.address().hash().hex().substring(0, 24), stat.sizeBytes());
  }

  private Headers typed(ContentStat stat) {
    return headers(stat.address()).add("Content-Type", TYPE).add("Accept-Ranges", "bytes");
  }

  private Headers headers(Address address) {
    return new Headers(8)
        .add("ETag", ETag.strong(address.toString()).toString())
        .add("Cache-Control", context.views().isPublic(address) ? CACHE : CACHE_PRIVATE)
        .add("Vary", "Accept-Encoding");
  }

  /** A piece of an object, and what the metric calls it. */
  record Span(long from, long to, String label) {
    long bytes() {
      return to - from;
    }
  }

  private Body body(Request request, ContentStat stat, Span span)
      throws IOException, InterruptedException {
    if (request.method() == Conditionals.Method.HEAD || span.bytes() == 0) {
      return new Body.Stream(span.bytes(), _ -> new Headers(1));
    }
    Instant begun = request.begun();
    var transfer = request.objects().open(stat, span.from(), span.to());
    boolean handedOver = false;
    try (Permits.Place _ = context.gets().enter()) {
      Optional<FileRegion> region = transfer.region();
      if (region.isPresent()) {
        FileRegion found = region.get();
        Body body = Body.Region.open(found.file(), found.position(), found.lengthBytes());
        count(span.bytes(), span.label(), begun);
        return body;
      }
      ByteBuffer first = bytes(transfer.next());
      context.upkeep().pace().foreground(Duration.between(begun, context.time().now()));
      if (first.remaining() == span.bytes()) {
        byte[] all = new byte[first.remaining()];
        first.get(all);
        count(all.length, span.label(), begun);
        return new Body.Bytes(all);
      }
      handedOver = true;
      return new Body.Stream(span.bytes(), sink -> stream(transfer, first, span, begun, sink));
    } finally {
      if (!handedOver) {
        transfer.close();
      }
    }
  }

  private Headers stream(
      ObjectReader transfer, ByteBuffer first, Span span, Instant begun, OutputStream sink)
      throws IOException, InterruptedException {
    try (transfer) {
      long left = span.bytes() - first.remaining();
      write(first, sink);
      copy(transfer, left, sink);
      count(span.bytes(), span.label(), begun);
      return new Headers(1);
    }
  }

  /** Sends one of several ranges. */
  private void copy(Request request, ContentStat stat, ByteRange range, OutputStream sink)
      throws IOException, InterruptedException {
    try (var transfer = request.objects().open(stat, range.first(), range.last() + 1)) {
      copy(transfer, range.bytes(), sink);
    }
    count(range.bytes(), "ranges", request.begun());
  }

  /** Sends so many bytes, a group at a time, holding a place only while one is read. */
  private void copy(ObjectReader transfer, long bytes, OutputStream sink)
      throws IOException, InterruptedException {
    long left = bytes;
    while (left > 0) {
      ByteBuffer group;
      try (Permits.Place _ = context.gets().again()) {
        group = bytes(transfer.next());
      }
      left -= group.remaining();
      write(group, sink);
    }
  }

  private static ByteBuffer bytes(ObjectReader.Step step) throws Refusal {
    return switch (step) {
      case ObjectReader.Step.Bytes(ByteBuffer bytes) -> bytes;
      case ObjectReader.Step.End _ ->
          throw new IllegalStateException("an object shorter than its stat");
      case ObjectReader.Step.Lost(StorageFault fault) -> throw Refusal.of(fault);
    };
  }

  private static void write(ByteBuffer group, OutputStream sink) throws IOException {
    if (group.hasArray()) {
      sink.write(group.array(), group.arrayOffset() + group.position(), group.remaining());
    } else {
      byte[] copy = new byte[group.remaining()];
      group.duplicate().get(copy);
      sink.write(copy);
    }
  }

  void count(long bytes, String label, Instant begun) {
    context.metrics().bytesOut().inc(bytes);
    context.metrics().chunksRead().inc(Math.ceilDiv(bytes, 64 << 10));
    context.metrics().getSeconds().labelValues("o", label).observe(context.secondsSince(begun));
  }
}
