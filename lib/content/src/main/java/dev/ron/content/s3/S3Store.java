package dev.ron.content.s3;

import dev.ron.blake3.Address;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentMetrics;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentStore;
import dev.ron.content.ContentUnavailable;
import dev.ron.content.DeleteResult;
import dev.ron.content.OpenResult;
import dev.ron.content.Pins;
import dev.ron.content.PutResult;
import dev.ron.content.Space;
import dev.ron.kernel.Scope;
import dev.ron.kernel.limit.ConcurrencyLimit;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

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
  private final S3Reads reads;
  private final ConcurrencyLimit readers;
  private final ConcurrencyLimit writers;
  private final Pins pins = new Pins();

  private S3Store(S3Calls calls) {
    this.calls = calls;
    this.bucket = new S3Bucket(calls);
    var suspects = new Suspects();
    this.upload = new S3Upload(calls, bucket, suspects);
    this.reads = new S3Reads(calls, bucket, suspects);
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
    } catch (S3Failure trouble) {
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
    } catch (S3Failure trouble) {
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
      result = reads.open(address, offset, length, permit.get());
    } catch (S3Failure trouble) {
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
        // The object first: chaining values alone are never found.
        bucket.delete(bucket.object(address));
        if (Outboard.storedBytes(size.getAsLong()) > 0) {
          bucket.delete(bucket.values(address));
        }
      } finally {
        pins.endDelete(address);
      }
      return new DeleteResult.Deleted(Instant.EPOCH);
    } catch (S3Failure trouble) {
      return new DeleteResult.Refused(trouble.fault());
    }
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) {
    return orThrow(() -> bucket.list(after, max));
  }

  /** Protects from deletes of this store alone; other stores over the bucket know nothing of it. */
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
    T ask() throws S3Failure, InterruptedException;
  }

  private static <T> T orThrow(Ask<T> ask) {
    try {
      return ask.ask();
    } catch (S3Failure trouble) {
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
