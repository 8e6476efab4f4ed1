package dev.ron.content;

import dev.ron.blake3.Address;
import dev.ron.blake3.Checked;
import dev.ron.blake3.Outboard;
import dev.ron.blake3.Tree;
import dev.ron.kernel.Scope;
import dev.ron.kernel.limit.ConcurrencyLimit;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * A store in a bucket of any S3-compatible service, for what one's own disks have no room for.
 *
 * <p>Nothing that comes back is believed: every group is held against the address before it is
 * handed out. Sizes in {@link #stat} and {@link #list} are what the bucket says. There is no grace:
 * a delete is final. A reader that is open reads on after a delete as long as its connection lasts.
 * {@link #space} asks once for every thousand objects; what is free, the bucket does not tell.
 *
 * <p>It opens without asking; {@link #check} says whether the bucket can be used.
 *
 * <p>Threading: thread-safe.
 */
public final class S3Store implements ContentStore, AutoCloseable {
  private final S3Calls calls;
  private final S3Bucket bucket;
  private final S3Upload upload;
  private final ConcurrencyLimit readers;
  private final ConcurrencyLimit writers;
  private final Pins pins = new Pins();
  private final Suspects suspects = new Suspects();

  private S3Store(S3Calls calls) {
    this.calls = calls;
    this.bucket = new S3Bucket(calls);
    this.upload = new S3Upload(calls, bucket, suspects);
    this.readers = ConcurrencyLimit.fixed(calls.scope().time(), calls.config().readersMax());
    this.writers = ConcurrencyLimit.fixed(calls.scope().time(), calls.config().writersMax());
  }

  /**
   * @param name of this store among those of the scope: the label of its metrics
   */
  public static S3Store open(Scope scope, S3Config config, String name, ContentMetrics metrics) {
    return new S3Store(new S3Calls(scope, config, name, metrics));
  }

  /** What keeps the bucket from being used, for a start or a readiness check to say. */
  public Optional<ContentFault> check() throws InterruptedException {
    try {
      bucket.check();
      return Optional.empty();
    } catch (S3Trouble trouble) {
      return Optional.of(trouble.fault());
    }
  }

  @Override
  public PutResult put(InputStream in) throws IOException, InterruptedException {
    return putAny(null, in);
  }

  @Override
  public PutResult put(Address expected, InputStream in) throws IOException, InterruptedException {
    return putAny(expected, in);
  }

  private PutResult putAny(@Nullable Address expected, InputStream in)
      throws IOException, InterruptedException {
    Optional<ConcurrencyLimit.Permit> permit = writers.tryEnter();
    if (permit.isEmpty()) {
      return new PutResult.Refused(new ContentFault.Busy("remote puts", writers.limit()));
    }
    try (ConcurrencyLimit.Permit _ = permit.get()) {
      return upload.put(expected, in);
    } catch (S3Trouble trouble) {
      return new PutResult.Refused(trouble.fault());
    }
  }

  @Override
  public OpenResult open(Address address, long offset, long length) {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(length + " bytes from " + offset);
    }
    Optional<ConcurrencyLimit.Permit> permit = readers.tryEnter();
    if (permit.isEmpty()) {
      return new OpenResult.Refused(new ContentFault.Busy("remote readers", readers.limit()));
    }
    OpenResult result = new OpenResult.Refused(new ContentFault.Closed());
    try {
      result = open(address, offset, length, permit.get());
    } catch (S3Trouble trouble) {
      result = new OpenResult.Refused(trouble.fault());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      result = new OpenResult.Refused(new ContentFault.Late("the read"));
    } finally {
      if (result instanceof OpenResult.Refused) {
        permit.get().close();
      }
    }
    return result;
  }

  private OpenResult open(Address address, long offset, long length, ConcurrencyLimit.Permit permit)
      throws S3Trouble, InterruptedException {
    long first = offset - offset % Tree.GROUP_BYTES;
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
    boolean toTheEnd = end > Long.MAX_VALUE - Tree.GROUP_BYTES;
    return toTheEnd
        ? Long.MAX_VALUE
        : Math.max(1, Math.ceilDiv(end, (long) Tree.GROUP_BYTES)) * Tree.GROUP_BYTES - 1;
  }

  private OpenResult opened(
      Address address,
      long size,
      long offset,
      long wanted,
      ConcurrencyLimit.Permit permit,
      @Nullable ResponseInputStream<GetObjectResponse> stream)
      throws S3Trouble, InterruptedException {
    if (offset > size) {
      return new OpenResult.Refused(new ContentFault.OutOfRange(address, offset, size));
    }
    Optional<Outboard> outboard = outboard(address, size);
    if (outboard.isEmpty()) {
      boolean gone = bucket.length(bucket.object(address)).isEmpty();
      return new OpenResult.Refused(
          gone ? new ContentFault.NotFound(address) : corrupt(address, offset / Tree.GROUP_BYTES));
    }
    long end = Math.min(wanted, size);
    var stat = new ContentStat(address, size);
    return new OpenResult.Opened(
        new S3Reader(this, stat, outboard.get(), permit, offset, end, stream));
  }

  /** The chaining values, if they are there and lead to the address. */
  private Optional<Outboard> outboard(Address address, long size)
      throws S3Trouble, InterruptedException {
    long expected = size > calls.config().objectBytesMax() ? -1 : Outboard.storedBytes(size);
    byte[] stored = new byte[(int) Math.max(0, expected)];
    if (expected < 0
        || (expected > 0 && !fill(stored, bucket.get(bucket.values(address), 0, expected - 1)))) {
      return Optional.empty();
    }
    return Outboard.open(address.hash(), size, stored) instanceof Checked.Good<Outboard>(var good)
        ? Optional.of(good)
        : Optional.empty();
  }

  private boolean fill(byte[] into, S3Bucket.Got got) throws S3Trouble, InterruptedException {
    if (!(got instanceof S3Bucket.Got.Body(var stream, _))) {
      return false;
    }
    try (stream) {
      return stream.readNBytes(into, 0, into.length) == into.length;
    } catch (IOException e) {
      throw S3Trouble.broken(e, calls.config());
    }
  }

  /** What a reader asks for again: from a group's first byte on. */
  ResponseInputStream<GetObjectResponse> fetch(Address address, long first, long end)
      throws S3Trouble, InterruptedException {
    S3Bucket.Got got = bucket.get(bucket.object(address), first, lastOfGroup(end));
    if (got instanceof S3Bucket.Got.Body(var stream, _)) {
      return stream;
    }
    throw new S3Trouble(new ContentFault.NotFound(address), false);
  }

  /** Counts it, and lets the next put of the address write over what is there. */
  ContentFault corrupt(Address address, long group) {
    calls.corrupt();
    suspects.add(address);
    return new ContentFault.Corrupt(address, group);
  }

  S3Calls calls() {
    return calls;
  }

  @Override
  public Optional<ContentStat> stat(Address address) {
    return orThrow(
        () -> {
          OptionalLong size = bucket.length(bucket.object(address));
          return size.isPresent()
              ? Optional.of(new ContentStat(address, size.getAsLong()))
              : Optional.empty();
        });
  }

  @Override
  public DeleteResult delete(Address address) throws InterruptedException {
    try {
      OptionalLong size = bucket.length(bucket.object(address));
      if (size.isEmpty()) {
        return new DeleteResult.Refused(new ContentFault.NotFound(address));
      }
      if (!pins.beginDelete(address)) {
        return new DeleteResult.Refused(
            pins.has(address)
                ? new ContentFault.Pinned(address)
                : new ContentFault.Busy("deletes of one object", 1));
      }
      try {
        // The object first: chaining values alone are found by nobody.
        bucket.delete(bucket.object(address));
        if (Outboard.storedBytes(size.getAsLong()) > 0) {
          bucket.delete(bucket.values(address));
        }
      } finally {
        pins.endDelete(address);
      }
      return new DeleteResult.Deleted(Instant.EPOCH);
    } catch (S3Trouble trouble) {
      return new DeleteResult.Refused(trouble.fault());
    }
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) {
    return orThrow(() -> bucket.list(after, max));
  }

  /** Protects from deletes of this store alone; others who use the bucket know nothing of it. */
  @Override
  public boolean pin(Address address) {
    if (!pins.addUnlessDeleting(address)) {
      return false;
    }
    boolean there = false;
    try {
      there = contains(address);
    } finally {
      if (!there) {
        pins.remove(address);
      }
    }
    return there;
  }

  @Override
  public void unpin(Address address) {
    pins.remove(address);
  }

  @Override
  public Space space() {
    long objects = 0;
    long bytes = 0;
    List<ContentStat> page = list(null, 1000);
    while (!page.isEmpty()) {
      objects += page.size();
      bytes += page.stream().mapToLong(ContentStat::sizeBytes).sum();
      page = list(page.getLast().address(), 1000);
    }
    return new Space(objects, bytes, bytes, Long.MAX_VALUE);
  }

  private interface Ask<T> {
    T ask() throws S3Trouble, InterruptedException;
  }

  private static <T> T orThrow(Ask<T> ask) {
    try {
      return ask.ask();
    } catch (S3Trouble trouble) {
      throw new ContentUnavailable(trouble.fault());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new ContentUnavailable(new ContentFault.Late("the remote request"));
    }
  }

  @Override
  public void close() {
    calls.close();
  }
}
