package dev.ron.content.s3;

import dev.ron.blake3.Address;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.bao.Outboard;
import dev.ron.blake3.bao.OutboardBuilder;
import dev.ron.content.ContentFault;
import dev.ron.content.PutResult;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * Takes a stream up: in one request if it fits into one part, else part by part, one of them in
 * memory.
 *
 * <p>S3 wants the key before the first byte, and the key is the hash of all of them. Where the
 * address is not known, the parts go to a key of their own, which the store copies when the last
 * byte has been hashed.
 *
 * <p>The object appears last and at once: its chaining values are there before it.
 *
 * <p>Threading: thread-safe; each put is its caller's.
 */
final class S3Upload {
  /** The most that S3 copies in one request. */
  static final long COPY_BYTES_MAX = 5L << 30;

  private static final int LOOK_BYTES = 64 << 10;

  private final S3Calls calls;
  private final S3Bucket bucket;
  private final Suspects suspects;

  S3Upload(S3Calls calls, S3Bucket bucket, Suspects suspects) {
    this.calls = calls;
    this.bucket = bucket;
    this.suspects = suspects;
  }

  PutResult put(@Nullable Address expected, InputStream in)
      throws IOException, InterruptedException, S3Failure {
    long max = calls.config().objectBytesMax();
    int room = (int) Math.min(calls.config().partBytes(), max + 1);
    byte[] first = new byte[Math.min(LOOK_BYTES, room)];
    int length = in.readNBytes(first, 0, first.length);
    if (length == first.length && length < room) {
      first = Arrays.copyOf(first, room);
      length += in.readNBytes(first, length, room - length);
    }
    if (length > max) {
      return new PutResult.Refused(new ContentFault.TooLarge(max));
    }
    return length < calls.config().partBytes()
        ? whole(expected, first, length)
        : new Parts(expected, in, first).put();
  }

  private PutResult whole(@Nullable Address expected, byte[] bytes, int length)
      throws InterruptedException, S3Failure {
    Outboard outboard = new OutboardBuilder().update(bytes, 0, length).build();
    var address = new Address(outboard.root());
    if (expected != null && !expected.equals(address)) {
      return new PutResult.Refused(new ContentFault.Mismatch(expected, address));
    }
    // A small object is as soon sent as asked for.
    if (length > HashTree.GROUP_BYTES && isThere(address, length)) {
      return new PutResult.Stored(address, length, false);
    }
    putValues(address, outboard);
    boolean fresh = bucket.put(bucket.object(address), bytes, length, suspects.has(address));
    if (!fresh && !isThere(address, length)) {
      // What is there has another length: it is not this object, wherever it came from.
      fresh = bucket.put(bucket.object(address), bytes, length, true);
    }
    suspects.clear(address);
    return new PutResult.Stored(address, length, fresh);
  }

  private boolean isThere(Address address, long length) throws S3Failure, InterruptedException {
    OptionalLong found = bucket.peek(bucket.object(address));
    return found.isPresent() && found.getAsLong() == length && !suspects.has(address);
  }

  private void putValues(Address address, Outboard outboard)
      throws S3Failure, InterruptedException {
    byte[] values = outboard.stored();
    if (values.length > 0) {
      bucket.put(bucket.values(address), values, values.length, true);
    }
  }

  /** An object of more than one part. */
  private final class Parts {
    private final @Nullable Address expected;
    private final InputStream in;
    private final byte[] part;
    private final OutboardBuilder builder = new OutboardBuilder();
    private final List<CompletedPart> done = new ArrayList<>();

    Parts(@Nullable Address expected, InputStream in, byte[] firstPart) {
      this.expected = expected;
      this.in = in;
      this.part = firstPart;
    }

    PutResult put() throws IOException, InterruptedException, S3Failure {
      if (expected != null && !suspects.has(expected)) {
        OptionalLong found = bucket.peek(bucket.object(expected));
        if (found.isPresent()) {
          return compare(expected, found.getAsLong());
        }
      }
      String key =
          expected != null
              ? bucket.object(expected)
              : bucket.incoming(calls.scope().secrets().nextLong());
      String upload = bucket.beginParts(key);
      PutResult result = null;
      try {
        result = put(key, upload);
      } finally {
        if (!(result instanceof PutResult.Stored)) {
          drop(key, upload);
        }
      }
      return result;
    }

    /** There is something of the name; only looks whether the caller sent the same. */
    private PutResult compare(Address address, long length) throws IOException {
      for (int count = part.length; count > 0; count = in.readNBytes(part, 0, part.length)) {
        if (builder.lengthBytes() + count > max()) {
          return tooLarge();
        }
        builder.update(part, 0, count);
      }
      Outboard outboard = builder.build();
      var actual = new Address(outboard.root());
      if (!actual.equals(address)) {
        return new PutResult.Refused(new ContentFault.Mismatch(address, actual));
      }
      if (length != outboard.lengthBytes()) {
        // Too late to send it: the stream is at its end. The next put of it will.
        suspects.add(address);
        return new PutResult.Refused(new ContentFault.Corrupt(address, 0));
      }
      return new PutResult.Stored(address, length, false);
    }

    private PutResult put(String key, String upload)
        throws IOException, InterruptedException, S3Failure {
      for (int count = part.length; count > 0; count = in.readNBytes(part, 0, part.length)) {
        if (builder.lengthBytes() + count > max()) {
          return tooLarge();
        }
        builder.update(part, 0, count);
        done.add(bucket.part(key, upload, done.size() + 1, part, count));
      }
      Outboard outboard = builder.build();
      var address = new Address(outboard.root());
      if (expected != null && !expected.equals(address)) {
        return new PutResult.Refused(new ContentFault.Mismatch(expected, address));
      }
      if (expected == null && isThere(address, outboard.lengthBytes())) {
        drop(key, upload);
        return new PutResult.Stored(address, outboard.lengthBytes(), false);
      }
      putValues(address, outboard);
      bucket.endParts(key, upload, done);
      if (expected == null) {
        try {
          bucket.copy(key, bucket.object(address));
        } finally {
          bucket.delete(key);
        }
      }
      suspects.clear(address);
      return new PutResult.Stored(address, outboard.lengthBytes(), true);
    }

    private long max() {
      long max = calls.config().objectBytesMax();
      return expected == null ? Math.min(max, COPY_BYTES_MAX) : max;
    }

    private PutResult tooLarge() {
      return new PutResult.Refused(new ContentFault.TooLarge(max()));
    }

    /** Parts that are not dropped cost money; but what ended the put is what matters. */
    private void drop(String key, String upload) throws InterruptedException {
      try {
        bucket.dropParts(key, upload);
      } catch (S3Failure trouble) {
        calls
            .scope()
            .log()
            .warn("content-parts-left", "key", key, "trouble", trouble.fault().detail());
      }
    }
  }
}
