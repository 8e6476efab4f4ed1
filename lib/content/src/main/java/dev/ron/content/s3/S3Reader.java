package dev.ron.content.s3;

import dev.ron.blake3.HashTree;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentReader;
import dev.ron.content.ContentStat;
import dev.ron.content.FileRegion;
import dev.ron.kernel.limit.ConcurrencyLimit;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Reads a range of a remote object as it arrives, a group at a time, each held against its chaining
 * value before it is handed out.
 *
 * <p>An answer that breaks off is asked for again from the group it broke off in.
 *
 * <p>Threading: owned by one thread at a time.
 */
final class S3Reader implements ContentReader {
  private static final Step END = new Step.End();

  private final S3Reads reads;
  private final ContentStat stat;
  private final Outboard outboard;
  private final ConcurrencyLimit.Permit permit;
  private final long offset;
  private final long end;
  private final byte[] group;
  private long at;
  private @Nullable ResponseInputStream<GetObjectResponse> stream;
  private @Nullable ContentFault fault;

  /**
   * @param stream begins with the group of {@code offset}; null to ask for it when it is needed
   */
  S3Reader(
      S3Reads reads,
      ContentStat stat,
      Outboard outboard,
      ConcurrencyLimit.Permit permit,
      long offset,
      long end,
      @Nullable ResponseInputStream<GetObjectResponse> stream) {
    this.reads = reads;
    this.stat = stat;
    this.outboard = outboard;
    this.permit = permit;
    this.offset = offset;
    this.end = end;
    this.at = offset;
    this.stream = stream;
    this.group = new byte[(int) Math.min(HashTree.GROUP_BYTES, stat.sizeBytes())];
  }

  @Override
  public ContentStat stat() {
    return stat;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public long remaining() {
    return end - at;
  }

  @Override
  public Step next() {
    if (fault != null) {
      return new Step.Bad(fault);
    }
    if (at >= end) {
      return END;
    }
    long index = at / HashTree.GROUP_BYTES;
    int length = outboard.groupBytes(index);
    try {
      fetch(index, length);
    } catch (S3Failure trouble) {
      return bad(trouble.fault());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return bad(new ContentFault.Late("the read"));
    }
    if (!outboard.matches(index, group, 0, length)) {
      return bad(reads.corrupt(stat.address(), index));
    }
    int from = (int) (at % HashTree.GROUP_BYTES);
    int until = (int) Math.min(length, end - index * HashTree.GROUP_BYTES);
    at += until - from;
    return new Step.Bytes(ByteBuffer.wrap(group, from, until - from).slice());
  }

  /** Fills the buffer with one group, asking again a bounded number of times. */
  private void fetch(long index, int length) throws S3Failure, InterruptedException {
    for (int tries = 1; ; tries++) {
      if (Deadline.current().passed(reads.calls().scope().time().now())) {
        throw new S3Failure(new ContentFault.Late("the read"), false);
      }
      var source = stream;
      if (source == null) {
        source = reads.fetch(stat.address(), index * HashTree.GROUP_BYTES, end);
        stream = source;
      }
      IOException broken;
      try {
        if (source.readNBytes(group, 0, length) == length) {
          return;
        }
        broken = new IOException("it is shorter than it said");
      } catch (IOException e) {
        broken = e;
      }
      letGo();
      S3Failure trouble = S3Failure.broken(broken, reads.calls().config());
      if (tries >= reads.calls().config().triesMax()) {
        throw trouble;
      }
    }
  }

  private Step bad(ContentFault why) {
    fault = why;
    letGo();
    return new Step.Bad(why);
  }

  private void letGo() {
    if (stream != null) {
      // Closing would read the rest first, to use the connection again.
      stream.abort();
      stream = null;
    }
  }

  /** The bytes are not in a file of this machine. */
  @Override
  public Optional<FileRegion> region() {
    return Optional.empty();
  }

  @Override
  public void close() {
    var left = stream;
    stream = null;
    if (left != null && at >= end) {
      try {
        left.close();
      } catch (IOException _) {
        left.abort();
      }
    } else if (left != null) {
      left.abort();
    }
    permit.close();
  }
}
