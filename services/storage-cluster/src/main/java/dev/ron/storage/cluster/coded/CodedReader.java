package dev.ron.storage.cluster.coded;

import dev.ron.blake3.bao.Outboard;
import dev.ron.content.FileRegion;
import dev.ron.erasure.ShardSet;
import dev.ron.erasure.StripeLayout;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.object.ObjectReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of an object from its shards, a few stripes at a time.
 *
 * <p>Each shard's bytes were verified against the shard's own address; the groups they make are
 * verified against the object's address once more.
 *
 * <p>Threading: owned by one thread at a time.
 */
public final class CodedReader implements ObjectReader {
  /** A question to a node fetches so many units of its shard. */
  private static final int STRIPES = 4;

  private final ShardFetch fetch;
  private final CodedObject object;
  private final StripeLayout layout;
  private final long end;
  private final ArrayDeque<ByteBuffer> groups = new ArrayDeque<>();
  private long at;

  public CodedReader(ShardFetch fetch, long offset, long end) {
    this.fetch = fetch;
    this.object = fetch.object();
    this.layout = object.layout();
    this.at = offset;
    this.end = Math.min(end, object.sizeBytes());
  }

  @Override
  public Step next() throws InterruptedException {
    if (groups.isEmpty()) {
      if (at >= end) {
        return new Step.End();
      }
      StorageFault fault = fill();
      if (fault != null) {
        return new Step.Lost(fault);
      }
    }
    return new Step.Bytes(groups.remove());
  }

  private @Nullable StorageFault fill() throws InterruptedException {
    long stripe = at / layout.stripeBytes();
    int stripes = (int) Math.min(STRIPES, layout.stripes() - stripe);
    long until = Math.min(end, (stripe + stripes) * layout.stripeBytes());
    byte[] @Nullable [] pieces;
    try {
      pieces = fetch.pieces(wanted(at, until), stripe, stripes);
    } catch (IOException e) {
      return new StorageFault.Unavailable(
          "%s at byte %d: %s".formatted(object.address(), at, e.getMessage()));
    }
    while (at < until) {
      long group = at / StripeLayout.UNIT_BYTES;
      int shard = (int) (group % layout.dataShards());
      int in = (int) (group / layout.dataShards() - stripe) * StripeLayout.UNIT_BYTES;
      byte[] piece = Objects.requireNonNull(pieces[shard], "a wanted shard");
      int length = object.tree().groupBytes(group);
      if (!object.tree().matches(group, piece, in, length)) {
        return new StorageFault.Integrity(object.address(), group * StripeLayout.UNIT_BYTES);
      }
      int from = (int) (at - group * StripeLayout.UNIT_BYTES);
      int to = (int) Math.min(length, until - group * StripeLayout.UNIT_BYTES);
      groups.add(ByteBuffer.wrap(piece, in + from, to - from).slice());
      at += to - from;
    }
    return null;
  }

  /** The data shards that the range touches. */
  private ShardSet wanted(long from, long until) {
    ShardSet wanted = ShardSet.empty();
    for (long group = from / StripeLayout.UNIT_BYTES;
        group * StripeLayout.UNIT_BYTES < until && wanted.size() < layout.dataShards();
        group++) {
      wanted = wanted.with((int) (group % layout.dataShards()));
    }
    return wanted;
  }

  @Override
  public Optional<FileRegion> region() {
    return Optional.empty();
  }

  @Override
  public Optional<Outboard> outboard() {
    return Optional.of(object.tree());
  }

  @Override
  public void close() {}
}
