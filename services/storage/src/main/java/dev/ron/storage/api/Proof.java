package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.blake3.bao.ByteSource;
import dev.ron.blake3.bao.Grain;
import dev.ron.blake3.bao.Outboard;
import dev.ron.blake3.bao.OutboardBuilder;
import dev.ron.blake3.bao.Slice;
import dev.ron.blake3.bao.SliceRange;
import dev.ron.content.ContentStat;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.field.Ranges;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectReaderStream;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Permits;
import dev.ron.storage.repair.RepairThrottle;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;

/**
 * {@code GET /o/{address}?proof=bao}: a range as a slice that proves itself against the address.
 *
 * <p>A slice is another representation than the object, so it is a 200 without the object's tag,
 * whatever the range.
 *
 * <p>Threading: immutable.
 */
record Proof(StorageContext context) implements Verb<Proof.Request, Proof.Reply> {
  static final String PARAMETER = "proof";
  static final String TYPE = "application/x-bao-slice";
  private static final int GROUP_BYTES = 64 << 10;

  /**
   * What is asked for.
   *
   * @param ranges the fields of that name
   * @param head only the length is wanted
   */
  record Request(
      ObjectStore objects, Address address, List<String> ranges, boolean head, Instant begun) {}

  /** Which slice it is, and its bytes. */
  record Reply(SliceRange range, Body body) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    Instant begun = context.time().now();
    Address address = StorageContext.address(exchange);
    if (!"bao".equals(exchange.query().first(PARAMETER))) {
      throw Refusal.of(new StorageFault.Malformed("proof: the only kind is bao"));
    }
    boolean head = exchange.method().equals("HEAD");
    return new Request(
        context.objects(exchange), address, exchange.headers().all("Range"), head, begun);
  }

  @Override
  public Reply handle(Request request) throws IOException, InterruptedException {
    try (RepairThrottle.Reader _ = context.upkeep().pace().reader()) {
      ContentStat stat = context.stat(request.objects(), request.address());
      SliceRange range = range(request, stat);
      long length = range.sliceBytes(stat.sizeBytes(), Grain.CHUNK);
      if (request.head()) {
        return new Reply(range, new Body.Stream(length, _ -> new Headers(1)));
      }
      Outboard outboard = outboard(request.objects(), stat);
      return new Reply(
          range, new Body.Stream(length, sink -> write(request, stat, outboard, range, sink)));
    }
  }

  @Override
  public Answer write(Reply reply) {
    Headers headers =
        Headers.of(
            "Content-Type",
            TYPE,
            "Cache-Control",
            "no-store",
            "Vary",
            "Range",
            "Ron-Slice",
            reply.range().start() + "+" + reply.range().length());
    return new Answer(200, headers, reply.body());
  }

  private static SliceRange range(Request request, ContentStat stat) throws Refusal {
    return switch (Ranges.select(request.ranges(), stat.sizeBytes())) {
      case Ranges.Whole _, Ranges.Ignored _ -> new SliceRange(0, stat.sizeBytes());
      case Ranges.Single(var range) -> new SliceRange(range.first(), range.bytes());
      case Ranges.Several _ ->
          throw Refusal.of(new StorageFault.Malformed("a proof is of one range"));
      case Ranges.Unsatisfiable(long total) ->
          throw Refusal.of(new StorageFault.Unsatisfiable(stat.address(), total));
    };
  }

  /** From a copy that keeps it; otherwise from hashing the object, which finds out the same. */
  private Outboard outboard(ObjectStore objects, ContentStat stat)
      throws IOException, InterruptedException {
    try (Permits.Place _ = context.gets().enter();
        var transfer = objects.open(stat, 0, Long.MAX_VALUE)) {
      var kept = transfer.outboard();
      if (kept.isPresent()) {
        return kept.get();
      }
      var builder = new OutboardBuilder();
      byte[] group = new byte[GROUP_BYTES];
      InputStream in = new ObjectReaderStream(transfer);
      for (int n = in.readNBytes(group, 0, group.length);
          n > 0;
          n = in.readNBytes(group, 0, group.length)) {
        builder.update(group, 0, n);
      }
      return builder.build();
    } catch (ObjectReaderStream.LostException _) {
      throw Refusal.of(new StorageFault.Integrity(stat.address(), 0));
    }
  }

  private Headers write(
      Request request, ContentStat stat, Outboard outboard, SliceRange range, OutputStream sink)
      throws IOException {
    long first = Math.min(range.start(), Math.max(0, stat.sizeBytes() - 1));
    long from = first / GROUP_BYTES * GROUP_BYTES;
    try (var stream = new ObjectReaderStream(request.objects().open(stat, from, Long.MAX_VALUE))) {
      var buffered = new BufferedOutputStream(sink, GROUP_BYTES);
      if (!Slice.write(outboard, inOrder(stream), range, Grain.CHUNK, buffered).isGood()) {
        throw new IOException("a group was damaged while its proof was written");
      }
      buffered.flush();
    }
    new Get(context)
        .count(range.sliceBytes(stat.sizeBytes(), Grain.CHUNK), "proof", request.begun());
    return new Headers(1);
  }

  /** The groups of a slice are asked for in their order, so a stream can answer them. */
  private ByteSource inOrder(InputStream in) {
    return (_, into, at, length) -> {
      try (Permits.Place _ = context.gets().again()) {
        if (in.readNBytes(into, at, length) < length) {
          throw new EOFException("the object ends before its size");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("cancelled while reading", e);
      }
    };
  }
}
