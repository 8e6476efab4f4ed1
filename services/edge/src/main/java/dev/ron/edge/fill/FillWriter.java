package dev.ron.edge.fill;

import dev.ron.content.ContentStore;
import dev.ron.content.PutResult;
import dev.ron.edge.EdgeFault;
import dev.ron.edge.core.StoredRange;
import dev.ron.edge.core.StoredRanges;
import dev.ron.http.Refusal;
import dev.ron.http.field.ByteRange;
import dev.ron.kernel.Scope;
import dev.ron.kernel.stream.BlockStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Brings an upstream's bytes to the requests that read along and into the store, at once and hashed
 * on the way.
 *
 * <p>The store failing does not fail the fill: readers get their bytes, and nothing is kept.
 *
 * <p>Threading: immutable; used by all workers.
 */
public final class FillWriter {
  private static final int STEP_BYTES = 64 << 10;

  private final Scope scope;
  private final ContentStore store;
  private final @Nullable Path spools;
  private final long objectBytesMax;
  private final AtomicLong spoolNumber = new AtomicLong();

  /**
   * @param spools the folder for bytes on their way; null keeps them in memory
   */
  public FillWriter(Scope scope, ContentStore store, @Nullable Path spools, long objectBytesMax) {
    this.scope = scope;
    this.store = store;
    this.spools = spools;
    this.objectBytesMax = objectBytesMax;
  }

  FillSpool spool() {
    Path path = spools == null ? null : spools.resolve("fill-" + spoolNumber.incrementAndGet());
    return new FillSpool(scope.time(), path == null ? null : scope.disk(), path);
  }

  /** A whole body; empty if the store did not take it. */
  Optional<StoredRanges> whole(UpstreamAnswer reply, FillBytes readers)
      throws IOException, InterruptedException {
    return put(reply, reply.length(), readers)
        .map(stored -> StoredRanges.whole(stored.address(), stored.sizeBytes()));
  }

  /** A range; empty if the store did not take it. */
  Optional<StoredRange> piece(UpstreamAnswer reply, ByteRange range, FillBytes readers)
      throws IOException, InterruptedException {
    return put(reply, range.bytes(), readers)
        .map(stored -> new StoredRange(range.first(), range.bytes(), stored.address(), 0));
  }

  private Optional<PutResult.Stored> put(UpstreamAnswer reply, long expected, FillBytes readers)
      throws IOException, InterruptedException {
    var source = new Source(reply.answer(), expected, objectBytesMax, readers);
    try {
      PutResult result = store.put(source);
      source.drain();
      if (result instanceof PutResult.Refused(var fault)) {
        scope.log().warn("fill-not-stored", "why", fault.detail());
      }
      return result instanceof PutResult.Stored stored ? Optional.of(stored) : Optional.empty();
    } catch (IOException failed) {
      throw failed(readers, failed);
    } catch (RuntimeException | InterruptedException stop) {
      readers.fail(Refusal.of(new EdgeFault.Unavailable("the fill was interrupted")));
      throw stop;
    } finally {
      readers.letGo();
    }
  }

  /** Passes a body on without keeping it; answers how long it was. */
  long pass(UpstreamAnswer reply, FillBytes reader) throws IOException, InterruptedException {
    var source = new Source(reply.answer(), reply.length(), Long.MAX_VALUE, reader);
    try {
      source.drain();
      return source.count;
    } catch (IOException failed) {
      throw failed(reader, failed);
    } finally {
      reader.letGo();
    }
  }

  private IOException failed(FillBytes readers, IOException why) {
    EdgeFault fault = UpstreamFetch.fault(why);
    if (fault instanceof EdgeFault.UpstreamTimeout) {
      scope.counters().ioTimeouts().labelValues("read").inc();
    }
    readers.fail(Refusal.of(fault));
    return why;
  }

  /**
   * An upstream's body, shown to the readers as it is read; ends only where it was announced to.
   */
  private static final class Source extends BlockStream {
    private final InputStream from;
    private final long expected;
    private final long bytesMax;
    private final FillBytes readers;
    private long count;
    private boolean ended;

    Source(InputStream from, long expected, long bytesMax, FillBytes readers) {
      this.from = from;
      this.expected = expected;
      this.bytesMax = bytesMax;
      this.readers = readers;
    }

    @Override
    protected int block(byte[] into, int offset, int length) throws IOException {
      if (ended) {
        return -1;
      }
      int read = from.read(into, offset, length);
      if (read < 0) {
        check(expected < 0 || count == expected, "the body is shorter than announced");
        ended = true;
        readers.end();
        return -1;
      }
      count += read;
      check(expected < 0 || count <= expected, "the body is longer than announced");
      if (count > bytesMax) {
        throw Refusal.of(new EdgeFault.BodyCap("the answer does not end"));
      }
      try {
        readers.append(into, offset, read);
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("cancelled while passing bytes on");
      }
      return read;
    }

    private static void check(boolean right, String otherwise) throws Refusal {
      if (!right) {
        throw Refusal.of(new EdgeFault.Upstream(otherwise));
      }
    }

    /** Reads to the end what no reader took, for the readers' sake. */
    void drain() throws IOException {
      var step = new byte[ended ? 0 : STEP_BYTES];
      while (!ended) {
        var _ = read(step, 0, step.length);
      }
    }
  }
}
