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
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.Permits;
import dev.ron.storage.repair.RepairThrottle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET} and {@code HEAD /o/{address}}: the object or ranges of it.
 *
 * <p>The first bytes are read and verified before the head goes out, so an object of which nothing
 * is good is a 502. After the head a loss can only be told by cutting the connection: the client
 * sees a short body, never a wrong byte.
 *
 * <p>Threading: immutable.
 */
record Get(StorageContext desk) {
  private static final String TYPE = "application/octet-stream";

  /** An address never means other bytes; hence no date, and a year. */
  private static final String CACHE = "public, max-age=31536000, immutable";

  private static final String CACHE_PRIVATE = "private, max-age=31536000, immutable";

  Blocking handler() {
    return exchange -> {
      Instant begun = desk.time().now();
      Address address = StorageContext.address(exchange);
      String proof = exchange.query().first("proof");
      try (RepairThrottle.Reader _ = desk.upkeep().pace().reader()) {
        return proof != null
            ? new Proof(desk).answer(exchange, address, proof, begun)
            : answer(exchange, desk.stat(address), begun);
      }
    };
  }

  private Answer answer(Exchange exchange, ContentStat stat, Instant begun)
      throws IOException, InterruptedException {
    Headers headers = headers(stat.address());
    Ranges ranges = ranges(exchange, stat);
    if (ranges == null) {
      return new Answer(304, headers, new Body.Bytes(new byte[0]));
    }
    long size = stat.sizeBytes();
    headers.add("Content-Type", TYPE).add("Accept-Ranges", "bytes");
    return switch (ranges) {
      case Ranges.Whole _, Ranges.Ignored _ ->
          send(exchange, 200, headers, stat, new Span(0, size, "whole"), begun);
      case Ranges.Single(ByteRange range) ->
          send(
              exchange,
              206,
              headers.add("Content-Range", ContentRange.of(range, size).toString()),
              stat,
              new Span(range.first(), range.last() + 1, "range"),
              begun);
      case Ranges.Several(List<ByteRange> several) ->
          new GetRanges(this, stat, several).answer(headers.remove("Content-Type"), begun);
      case Ranges.Unsatisfiable(long total) ->
          Answer.problem(new StorageFault.Unsatisfiable(stat.address(), total))
              .with("Content-Range", new ContentRange.Unsatisfied(total).toString());
    };
  }

  private Headers headers(Address address) {
    return new Headers(8)
        .add("ETag", ETag.strong(address.toString()).toString())
        .add("Cache-Control", desk.config().publicRead() ? CACHE : CACHE_PRIVATE)
        .add("Vary", "Accept-Encoding");
  }

  /** What is asked for; null if the caller has it already. */
  private @Nullable Ranges ranges(Exchange exchange, ContentStat stat) throws Refusal {
    ParseResult<Conditionals> parsed =
        Conditionals.parse(name -> exchange.headers().all(name), desk.time().wall());
    if (parsed instanceof ParseResult.Bad<Conditionals>(String why)) {
      throw Refusal.of(new StorageFault.Malformed(why));
    }
    var current = Conditionals.Current.tagged(ETag.strong(stat.address().toString()));
    var method = Conditionals.Method.of(exchange.method());
    return switch (parsed.asOptional().orElseThrow().decide(method, current)) {
      case Conditionals.Decision.NotModified _ -> null;
      case Conditionals.Decision.PreconditionFailed _ ->
          throw Refusal.of(new StorageFault.PreconditionFailed(stat.address()));
      case Conditionals.Decision.Proceed(boolean rangeApplies) ->
          rangeApplies
              ? Ranges.select(exchange.headers().all("Range"), stat.sizeBytes())
              : new Ranges.Whole();
    };
  }

  /** A piece of an object, and what the metric calls it. */
  record Span(long from, long to, String label) {
    long bytes() {
      return to - from;
    }
  }

  private Answer send(
      Exchange exchange, int status, Headers headers, ContentStat stat, Span span, Instant begun)
      throws IOException, InterruptedException {
    if (exchange.method().equals("HEAD") || span.bytes() == 0) {
      return new Answer(status, headers, new Body.Stream(span.bytes(), _ -> new Headers(1)));
    }
    var transfer = desk.stock().open(stat, span.from(), span.to());
    boolean handedOver = false;
    try (Permits.Place _ = desk.gets().enter()) {
      Optional<FileRegion> region = transfer.region();
      if (region.isPresent()) {
        FileRegion found = region.get();
        Body body = Body.Region.open(found.file(), found.position(), found.lengthBytes());
        count(span.bytes(), span.label(), begun);
        return new Answer(status, headers, body);
      }
      ByteBuffer first = bytes(transfer.next());
      desk.upkeep().pace().foreground(Duration.between(begun, desk.time().now()));
      if (first.remaining() == span.bytes()) {
        byte[] all = new byte[first.remaining()];
        first.get(all);
        count(all.length, span.label(), begun);
        return new Answer(status, headers, new Body.Bytes(all));
      }
      handedOver = true;
      return new Answer(
          status,
          headers,
          new Body.Stream(span.bytes(), sink -> stream(transfer, first, span, begun, sink)));
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

  /** Sends so many bytes, a group at a time, holding a place only while one is read. */
  void copy(ObjectReader transfer, long bytes, OutputStream sink)
      throws IOException, InterruptedException {
    long left = bytes;
    while (left > 0) {
      ByteBuffer group;
      try (Permits.Place _ = desk.gets().again()) {
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
    desk.metrics().bytesOut().inc(bytes);
    desk.metrics().chunksRead().inc(Math.ceilDiv(bytes, 64 << 10));
    desk.metrics().getSeconds().labelValues("o", label).observe(desk.secondsSince(begun));
  }
}
