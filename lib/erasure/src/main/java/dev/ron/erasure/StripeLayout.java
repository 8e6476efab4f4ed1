package dev.ron.erasure;

/**
 * How an object lies in its shards: all that a reader needs to know beside the shards' bytes.
 *
 * <p>The object is cut into stripes of k units; unit j of stripe s is bytes {@code s * unitBytes}
 * to {@code (s + 1) * unitBytes} of data shard j. The last stripe is filled up with zeros. So a
 * data shard is every k-th unit of the object, a range of the object touches few shards, and all
 * shards have the same length. The matrix works on each offset alone, so that the parity shards do
 * not depend on the unit.
 *
 * <p>Threading: immutable.
 *
 * @param objectBytes the true length: the padding is not part of the object
 */
public record StripeLayout(int dataShards, int parityShards, int unitBytes, long objectBytes) {
  /** Large enough for one sequential read of a disk, small enough to stay in a core's cache. */
  public static final int UNIT_BYTES = 64 * 1024;

  public StripeLayout {
    if (dataShards < 1 || parityShards < 1 || dataShards + parityShards > ShardSet.SHARDS_MAX) {
      throw new IllegalArgumentException(
          "dataShards=" + dataShards + " parityShards=" + parityShards + ": 1+1 to 255 together");
    }
    if (unitBytes < 1) {
      throw new IllegalArgumentException("unitBytes=" + unitBytes + ": at least 1");
    }
    // The bound keeps shardBytes and every offset within a long.
    if (objectBytes < 0 || objectBytes > Long.MAX_VALUE - (long) dataShards * unitBytes) {
      throw new IllegalArgumentException("objectBytes=" + objectBytes + ": out of range");
    }
  }

  public static StripeLayout of(int dataShards, int parityShards, long objectBytes) {
    return new StripeLayout(dataShards, parityShards, UNIT_BYTES, objectBytes);
  }

  public int shards() {
    return dataShards + parityShards;
  }

  /** Object bytes in a full stripe. */
  public long stripeBytes() {
    return (long) dataShards * unitBytes;
  }

  public long stripes() {
    return Math.ceilDiv(objectBytes, stripeBytes());
  }

  /** The length of every shard; zero for an empty object. */
  public long shardBytes() {
    return stripes() * unitBytes;
  }
}
