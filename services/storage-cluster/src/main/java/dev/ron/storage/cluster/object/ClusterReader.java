package dev.ron.storage.cluster.object;

import dev.ron.blake3.bao.Outboard;
import dev.ron.content.ContentStat;
import dev.ron.content.FileRegion;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.object.ObjectReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of an object from whichever nodes have it, a window at a time.
 *
 * <p>A window is one question to one node, verified before any of it is handed out. Between windows
 * nothing is held: a client that stalls costs no node anything, and the next window may come from
 * another node.
 *
 * <p>Threading: owned by one thread at a time.
 */
public final class ClusterReader implements ObjectReader {
  /** The first bytes should come soon. */
  public static final int WINDOW_BYTES = 256 << 10;

  /** A window costs reading the object's tree, a two-thousandth of it; this keeps that small. */
  private static final int WINDOW_BYTES_MAX = 4 << 20;

  private static final int WINDOWS = 256;
  private static final int GROUP_BYTES = 64 << 10;

  private final ClusterNode.Kind kind;
  private final ContentStat stat;
  private final List<ClusterNode> nodes;
  private final HedgedRead hedged;
  private final long end;
  private final ClusterNode.Purpose purpose;
  private final int windowBytes;
  private long at;
  private ByteBuffer window = ByteBuffer.allocate(0);

  /**
   * @param nodes to be asked, the preferred first
   */
  ClusterReader(
      ClusterNode.Kind kind,
      ContentStat stat,
      List<ClusterNode> nodes,
      HedgedRead hedged,
      long offset,
      long end,
      ClusterNode.Purpose purpose,
      int windowBytes) {
    this.kind = kind;
    this.stat = stat;
    this.nodes = List.copyOf(nodes);
    this.hedged = hedged;
    this.at = offset;
    this.purpose = purpose;
    this.windowBytes = windowBytes;
    this.end = Math.min(end, stat.sizeBytes());
  }

  /**
   * How much of an object is asked for at once.
   *
   * @param least more only of objects whose tree would be read too often
   */
  public static int windowBytes(long sizeBytes, int least) {
    int bytes = Math.clamp(sizeBytes / WINDOWS, least, WINDOW_BYTES_MAX);
    return bytes / GROUP_BYTES * GROUP_BYTES;
  }

  @Override
  public Step next() throws InterruptedException {
    if (!window.hasRemaining()) {
      if (at >= end) {
        return new Step.End();
      }
      StorageFault fault = fill();
      if (fault != null) {
        return new Step.Lost(fault);
      }
    }
    int count = Math.min(GROUP_BYTES, window.remaining());
    ByteBuffer group = window.slice(window.position(), count);
    window.position(window.position() + count);
    return new Step.Bytes(group);
  }

  private @Nullable StorageFault fill() throws InterruptedException {
    // On the boundary of a group the next window needs no group of this one again.
    long until = (at + windowBytes) / GROUP_BYTES * GROUP_BYTES;
    int length = (int) (Math.min(end, until) - at);
    var asks = new ArrayList<HedgedRead.Ask>();
    for (ClusterNode node : nodes) {
      asks.add(() -> node.read(kind, stat, at, length, purpose));
    }
    HedgedRead.Outcome outcome = hedged.first(asks);
    if (outcome.bytes() == null && outcome.failures().isEmpty()) {
      // All nodes said that they do not have it; one that moved meanwhile is where it was not yet.
      outcome = hedged.first(asks);
    }
    byte[] bytes = outcome.bytes();
    if (bytes == null) {
      return outcome.failures().isEmpty()
          ? new StorageFault.NotFound(stat.address())
          : new StorageFault.Unavailable(
              "no node could give %s at byte %d: %s"
                  .formatted(stat.address(), at, String.join("; ", outcome.failures())));
    }
    at += bytes.length;
    window = ByteBuffer.wrap(bytes);
    return null;
  }

  @Override
  public Optional<FileRegion> region() {
    return Optional.empty();
  }

  @Override
  public Optional<Outboard> outboard() throws InterruptedException {
    for (ClusterNode node : nodes) {
      try {
        Optional<Outboard> found = node.tree(stat);
        if (found.isPresent()) {
          return found;
        }
      } catch (IOException _) {
        // the next one may answer
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() {}
}
