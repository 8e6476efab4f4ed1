package dev.ron.storage.s3.block;

import dev.ron.blake3.Address;
import dev.ron.blake3.Subtree;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.OwnWait;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.Time;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.encryption.ContentKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a body into blocks and stores them while the next one comes.
 *
 * <p>Small bodies stay whole: they go into the row of their object. What is stored stays pinned
 * until the body is closed, after its name was written or the request failed.
 *
 * <p>Threading: thread-safe; each body is its request's own.
 *
 * @param inlineBytesMax bodies up to this size go into the row
 * @param alone whether blocks are stored by this machine and no other
 */
public record BodyWriter(
    BlockStore blocks,
    BlockMemory memory,
    Threads threads,
    Time time,
    int inlineBytesMax,
    boolean alone) {
  private static final int STEP_BYTES = 64 << 10;

  /** So that the disk is busy while a block comes, and memory stays small. */
  private static final int BLOCKS_IN_FLIGHT = 3;

  /**
   * A body that is durable but for its name.
   *
   * @param address of one in several blocks, if it was asked for
   */
  public record StoredBody(
      ObjectContent content, long sizeBytes, @Nullable Address address, BlockPins pins) {
    public StoredBody(ObjectContent content, long sizeBytes, BlockPins pins) {
      this(content, sizeBytes, null, pins);
    }

    /**
     * Lets go of the blocks, once it is known whether a name was given to them. If that never is
     * known, they stay pinned until the next start, which reads the log.
     */
    public void unpin() {
      if (content instanceof ObjectContent.Blocks(List<Extent> extents)) {
        extents.forEach(extent -> pins.unpin(extent.block()));
      }
    }
  }

  private sealed interface Put {
    /**
     * @param parts what the block is to the whole, if that was asked for
     */
    record Done(Address address, List<Subtree> parts) implements Put {}

    record Failed(Refusal why) implements Put {}
  }

  private record PendingBlock(int length, Reply<Put> reply) {}

  /**
   * Reads a body to its end.
   *
   * @param sizeBytes what was announced, which the body must have
   * @param key what the bytes are encrypted with, null to store them as they are
   * @param addressed whether the address of the whole is wanted
   * @param seen gets the bytes as they come, for digests
   */
  public StoredBody write(
      InputStream in,
      long sizeBytes,
      @Nullable ContentKey key,
      boolean addressed,
      Consumer<ByteBuffer> seen)
      throws IOException, InterruptedException {
    if (sizeBytes <= inlineBytesMax) {
      byte[] bytes = in.readNBytes((int) sizeBytes);
      if (bytes.length < sizeBytes) {
        throw shorter();
      }
      seen.accept(ByteBuffer.wrap(bytes));
      var body = inline(bytes, key);
      checkEnd(in, body);
      return body;
    }
    var cut = BodyCut.of(true, key, addressed, sizeBytes, seen);
    StoredBody body = blocks(in, sizeBytes, cut);
    checkEnd(in, body);
    return body;
  }

  /**
   * Reads a body to its end, wherever that is.
   *
   * @param bytesMax a longer one is refused
   * @param seen gets the bytes as they come, for digests
   */
  public StoredBody writeUpTo(
      InputStream in,
      long bytesMax,
      @Nullable ContentKey key,
      boolean addressed,
      Consumer<ByteBuffer> seen)
      throws IOException, InterruptedException {
    byte[] head = in.readNBytes((int) Math.min(inlineBytesMax, bytesMax) + 1);
    if (head.length <= Math.min(inlineBytesMax, bytesMax)) {
      seen.accept(ByteBuffer.wrap(head));
      return inline(head, key);
    }
    var whole = new SequenceInputStream(new ByteArrayInputStream(head), in);
    var cut = BodyCut.of(false, key, addressed, bytesMax + 1, seen);
    StoredBody body = blocks(whole, bytesMax + 1, cut);
    if (body.sizeBytes() > bytesMax) {
      body.unpin();
      throw Refusal.of(new S3Fault.EntityTooLarge(bytesMax));
    }
    return body;
  }

  private StoredBody inline(byte[] bytes, @Nullable ContentKey key) {
    byte[] stored = key == null ? bytes : key.sealed(bytes);
    return new StoredBody(new ObjectContent.Inline(stored), bytes.length, blocks.pins());
  }

  private StoredBody blocks(InputStream in, long bytesMax, BodyCut cut)
      throws IOException, InterruptedException {
    var extents = new ArrayList<Extent>();
    var pending = new ArrayDeque<PendingBlock>();
    boolean done = false;
    long size = 0;
    try {
      boolean ended = false;
      while (!ended && size < bytesMax) {
        if (pending.size() == BLOCKS_IN_FLIGHT) {
          extents.add(finished(pending.remove(), cut));
        }
        int length = (int) Math.min(bytesMax - size, BlockStore.BLOCK_BYTES);
        boolean last = length == bytesMax - size;
        int begun = begin(in, size / BlockStore.BLOCK_BYTES, length, last, cut, pending);
        size += begun;
        ended = begun < length;
      }
      while (!pending.isEmpty()) {
        extents.add(finished(pending.remove(), cut));
      }
      Address address = cut.address(extents.size(), size);
      done = true;
      return new StoredBody(new ObjectContent.Blocks(extents), size, address, blocks.pins());
    } finally {
      if (!done) {
        extents.forEach(extent -> blocks.pins().unpin(extent.block()));
        pending.forEach(this::abandon);
      }
    }
  }

  /**
   * Stores what lay in a row as a block of its own, pinned, however little it is.
   *
   * @param length of it without what encryption adds
   */
  public Extent block(ObjectContent.Inline row, int length) throws Refusal, InterruptedException {
    blocks.put(row.address(), ByteBuffer.wrap(row.bytes()));
    return new Extent(row.address(), 0, length);
  }

  /** Reads a block and lets it be stored; answers how many bytes there were. */
  private int begin(
      InputStream in,
      long number,
      int length,
      boolean last,
      BodyCut cut,
      Queue<PendingBlock> pending)
      throws IOException, InterruptedException {
    byte[] block = new byte[Math.min(STEP_BYTES, length)];
    int filled = 0;
    int held = 0;
    try {
      boolean ended = false;
      while (!ended && filled < length) {
        int step = Math.min(STEP_BYTES, length - filled);
        memory.take(step);
        held += step;
        if (block.length - filled < step) {
          block = Arrays.copyOf(block, Math.min(length, 2 * block.length));
        }
        int count = in.readNBytes(block, filled, step);
        ended = count < step;
        if (ended && cut.exact()) {
          throw shorter();
        }
        cut.seen().accept(ByteBuffer.wrap(block, filled, count));
        filled += count;
      }
      if (filled > 0) {
        if (ended || last) {
          OwnWait.resumeIf(alone).close(); // what is left is the work of this node
        }
        pending.add(handOver(block, number, filled, cut));
        held -= filled;
      }
      return filled;
    } finally {
      memory.giveBack(held);
    }
  }

  private PendingBlock handOver(byte[] filled, long number, int length, BodyCut cut) {
    ContentKey key = cut.key();
    int stored = key == null ? length : ContentKey.storedBytes(length);
    byte[] block = filled.length == stored ? filled : Arrays.copyOf(filled, stored);
    var reply = new Reply<Put>(time);
    threads.start("s3-block", Threads.sameRequest(() -> store(block, number, length, cut, reply)));
    return new PendingBlock(length, reply);
  }

  private void store(byte[] block, long number, int length, BodyCut cut, Reply<Put> reply) {
    Put put = new Put.Failed(Refusal.of(new S3Fault.ServerError("the block was not stored")));
    try {
      if (cut.key() != null) {
        cut.key().seal(block, length);
      }
      List<Subtree> parts = cut.parts(number, block, length);
      Address address = BodyCut.address(number, block, parts, length);
      blocks.put(address, ByteBuffer.wrap(block));
      put = new Put.Done(address, parts);
    } catch (Refusal refusal) {
      put = new Put.Failed(refusal);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      memory.giveBack(length);
      reply.answer(put);
      // A request that gave up claimed the reply; it heard of no block that it could unpin.
      if (!reply.claim() && put instanceof Put.Done(Address address, _)) {
        blocks.pins().unpin(address);
      }
    }
  }

  private Extent finished(PendingBlock block, BodyCut cut) throws Refusal, InterruptedException {
    Put put;
    try (OwnWait _ = OwnWait.beginIf(alone)) {
      put = block.reply().await(Deadline.current());
    }
    return switch (put) {
      case Put.Done(Address address, var parts) -> cut.took(address, parts, block.length());
      case Put.Failed(Refusal why) -> throw why;
      case null -> {
        abandon(block);
        throw Refusal.of(new S3Fault.SlowDown("the disk takes too long", S3Fault.REST));
      }
    };
  }

  /** Unpins what was stored; if that is not known yet, the thread that stores it does. */
  private void abandon(PendingBlock block) {
    if (!block.reply().claim() && block.reply().now() instanceof Put.Done(Address address, _)) {
      blocks.pins().unpin(address);
    }
  }

  private static void checkEnd(InputStream in, StoredBody body) throws IOException {
    boolean ended = false;
    try {
      ended = in.read() < 0;
    } finally {
      if (!ended) {
        body.unpin();
      }
    }
    if (!ended) {
      throw Refusal.of(new S3Fault.IncompleteBody("the body is longer than was announced"));
    }
  }

  private static Refusal shorter() {
    return Refusal.of(
        new S3Fault.IncompleteBody("the body ended before the length that was announced"));
  }
}
