package dev.ron.content.s3;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentStat;
import dev.ron.content.OpenResult;
import dev.ron.kernel.limit.ConcurrencyLimit;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Opens ranges of remote objects: whole groups are asked for, and the chaining values to hold them
 * against.
 *
 * <p>Threading: thread-safe.
 */
final class S3Reads {
  private final S3Calls calls;
  private final S3Bucket bucket;
  private final Suspects suspects;

  S3Reads(S3Calls calls, S3Bucket bucket, Suspects suspects) {
    this.calls = calls;
    this.bucket = bucket;
    this.suspects = suspects;
  }

  S3Calls calls() {
    return calls;
  }

  /** The permit is the reader's from here on, if there is one. */
  OpenResult open(Address address, long offset, long length, ConcurrencyLimit.Permit permit)
      throws S3Failure, InterruptedException {
    long first = offset - offset % HashTree.GROUP_BYTES;
    long wanted = length > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + length;
    S3Bucket.Got got = bucket.get(bucket.object(address), first, lastOfGroup(wanted));
    return switch (got) {
      case S3Bucket.Got.Missing _ -> new OpenResult.Refused(new ContentFault.NotFound(address));
      case S3Bucket.Got.Beyond _ -> {
        OptionalLong size = bucket.length(bucket.object(address));
        yield size.isEmpty()
            ? new OpenResult.Refused(new ContentFault.NotFound(address))
            : opened(address, size.getAsLong(), offset, wanted, permit, null);
      }
      case S3Bucket.Got.Body(var stream, long size) -> {
        OpenResult result = null;
        try {
          result = opened(address, size, offset, wanted, permit, stream);
        } finally {
          if (!(result instanceof OpenResult.Opened)) {
            stream.abort();
          }
        }
        yield result;
      }
    };
  }

  /** The last byte to ask for, so that the last group can be verified. */
  private static long lastOfGroup(long end) {
    boolean toTheEnd = end > Long.MAX_VALUE - HashTree.GROUP_BYTES;
    return toTheEnd
        ? Long.MAX_VALUE
        : Math.max(1, Math.ceilDiv(end, (long) HashTree.GROUP_BYTES)) * HashTree.GROUP_BYTES - 1;
  }

  private OpenResult opened(
      Address address,
      long size,
      long offset,
      long wanted,
      ConcurrencyLimit.Permit permit,
      @Nullable ResponseInputStream<GetObjectResponse> stream)
      throws S3Failure, InterruptedException {
    if (offset > size) {
      return new OpenResult.Refused(new ContentFault.OutOfRange(address, offset, size));
    }
    Optional<Outboard> outboard = outboard(address, size);
    if (outboard.isEmpty()) {
      boolean gone = bucket.length(bucket.object(address)).isEmpty();
      return new OpenResult.Refused(
          gone
              ? new ContentFault.NotFound(address)
              : corrupt(address, offset / HashTree.GROUP_BYTES));
    }
    long end = Math.min(wanted, size);
    var stat = new ContentStat(address, size);
    return new OpenResult.Opened(
        new S3Reader(this, stat, outboard.get(), permit, offset, end, stream));
  }

  /** The chaining values, if they are there and lead to the address. */
  private Optional<Outboard> outboard(Address address, long size)
      throws S3Failure, InterruptedException {
    long expected = size > calls.config().objectBytesMax() ? -1 : Outboard.storedBytes(size);
    byte[] stored = new byte[(int) Math.max(0, expected)];
    if (expected < 0
        || (expected > 0 && !fill(stored, bucket.get(bucket.values(address), 0, expected - 1)))) {
      return Optional.empty();
    }
    return Outboard.open(address.hash(), size, stored)
            instanceof CheckResult.Good<Outboard>(var good)
        ? Optional.of(good)
        : Optional.empty();
  }

  private boolean fill(byte[] into, S3Bucket.Got got) throws S3Failure, InterruptedException {
    if (!(got instanceof S3Bucket.Got.Body(var stream, _))) {
      return false;
    }
    try (stream) {
      return stream.readNBytes(into, 0, into.length) == into.length;
    } catch (IOException e) {
      throw S3Failure.broken(e, calls.config());
    }
  }

  /** What a reader asks for again: from a group's first byte on. */
  ResponseInputStream<GetObjectResponse> fetch(Address address, long first, long end)
      throws S3Failure, InterruptedException {
    S3Bucket.Got got = bucket.get(bucket.object(address), first, lastOfGroup(end));
    if (got instanceof S3Bucket.Got.Body(var stream, _)) {
      return stream;
    }
    throw new S3Failure(new ContentFault.NotFound(address), false);
  }

  /** Counts it, and lets the next put of the address write over what is there. */
  ContentFault corrupt(Address address, long group) {
    calls.corrupt();
    suspects.add(address);
    return new ContentFault.Corrupt(address, group);
  }
}
