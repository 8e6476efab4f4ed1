package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.HashTree;
import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.BodyBudget;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.ObjectStore.Written;
import dev.ron.storage.object.Permits;
import dev.ron.storage.upload.Upload;
import dev.ron.storage.upload.Uploads.Begun;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * {@code PUT /o/{address}} and {@code POST /o}: an object in one request.
 *
 * <p>A body of up to 1 MiB is read before a place in the pool is taken, so that a client that
 * stalls holds none. A larger one, where the configuration takes it, is stored as it comes.
 *
 * <p>Threading: immutable.
 *
 * @param named whether the path says the address
 */
record Put(StorageContext context, boolean named) implements Verb<Put.Request, Put.Reply> {
  private static final int IN_MEMORY_BYTES = 1 << 20;

  /**
   * What is to be stored.
   *
   * @param readable whether the caller could read an object
   */
  record Request(
      Owner owner,
      @Nullable Address expected,
      Input input,
      Predicate<Address> readable,
      Instant begun) {}

  /** The bytes: all of them in memory, or as they come. */
  sealed interface Input {
    record Whole(BodyBudget.Unread body) implements Input {}

    record Streamed(InputStream in) implements Input {}
  }

  /**
   * An object that is durable.
   *
   * @param before it was there already, and the caller may know
   */
  record Reply(StoredObject object, boolean before) {
    /** A caller that could not read the object is not told either whether it was there before. */
    static Reply of(Written written, Predicate<Address> readable) throws Refusal {
      return switch (written) {
        case Written.Stored(Address address, long size, boolean fresh) ->
            new Reply(StoredObject.of(address, size), !fresh && readable.test(address));
        case Written.Refused(var fault) -> throw Refusal.of(fault);
      };
    }

    Answer answer(StorageContext context) {
      return Answer.json(before ? 200 : 201, object)
          .with("Location", "/o/" + object.address())
          .with("ETag", "\"" + object.address() + "\"")
          .with("Ron-Durability", context.durability());
    }
  }

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    Instant begun = context.time().now();
    Address expected = named ? StorageContext.address(exchange) : null;
    long most = context.config().sizes().putBytes().bytes();
    Input input =
        most <= IN_MEMORY_BYTES || announced(exchange) <= IN_MEMORY_BYTES
            ? new Input.Whole(context.body(exchange, IN_MEMORY_BYTES))
            : new Input.Streamed(exchange.body().stream());
    return new Request(context.owner(exchange), expected, input, context.readable(exchange), begun);
  }

  /** What the head says of the plain body; a coded or chunked one may be any length. */
  private static long announced(Exchange exchange) {
    long length = exchange.head().bodyLength();
    return length < 0 || exchange.headers().has("Content-Encoding") ? Long.MAX_VALUE : length;
  }

  @Override
  public Reply handle(Request request) throws IOException, InterruptedException {
    Written written = store(request.owner(), request.expected(), request.input());
    if (written instanceof Written.Stored(_, long size, _)) {
      context.metrics().bytesIn().inc(size);
      context.metrics().chunksWritten().inc(Math.ceilDiv(size, 64 << 10));
    }
    context.metrics().putSeconds().observe(context.secondsSince(request.begun()));
    return Reply.of(written, request.readable());
  }

  private Written store(Owner owner, @Nullable Address expected, Input input)
      throws IOException, InterruptedException {
    ObjectStore objects = context.views().of(owner);
    switch (input) {
      case Input.Whole(BodyBudget.Unread body) -> {
        try (BodyBudget.Held held = body.read();
            Permits.Place _ = context.puts().enter()) {
          // The operator's is hashed where it is stored. A tenant shows first that it has the
          // bytes.
          Address address =
              expected == null || !owner.isOperator()
                  ? new Address(Blake3.hash(held.bytes()))
                  : expected;
          if (expected != null && !expected.equals(address)) {
            return new Written.Refused(new StorageFault.Mismatch(expected, address));
          }
          return objects.put(address, ObjectStore.Source.of(held.bytes()));
        }
      }
      case Input.Streamed(InputStream in) -> {
        try (in;
            Permits.Place _ = context.puts().enter()) {
          return owner.isOperator()
              ? objects.putOnce(expected, in)
              : inParts(owner, objects, expected, in);
        }
      }
    }
  }

  /** Its address is known when all of it has come, and a tenant's reference is before its bytes. */
  private Written inParts(
      Owner owner, ObjectStore objects, @Nullable Address expected, InputStream in)
      throws IOException, InterruptedException {
    Upload upload;
    switch (context.uploads().begin(owner, Optional.empty())) {
      case Begun.Open(Upload begun, _) -> upload = begun;
      case Begun.Refused(StorageFault fault) -> {
        return new Written.Refused(fault);
      }
    }
    boolean stored = false;
    try {
      byte[] bytes = in.readNBytes(HashTree.PART_BYTES);
      for (int part = 0; bytes.length > 0 || part == 0; part++) {
        Optional<StorageFault> fault = upload.write(part, bytes, context.time().wall());
        if (fault.isPresent()) {
          return new Written.Refused(fault.get());
        }
        bytes = in.readNBytes(HashTree.PART_BYTES);
      }
      Written written = context.uploads().complete(upload, Optional.ofNullable(expected), objects);
      stored = written instanceof Written.Stored;
      return written;
    } finally {
      if (!stored) {
        context.uploads().drop(upload);
      }
    }
  }

  @Override
  public Answer write(Reply reply) {
    return reply.answer(context);
  }
}
