package dev.ron.storage.cluster.core;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.CheckResult;
import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.bao.Outboard;
import dev.ron.erasure.StripeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An object that lies in shards: what every node with one of them knows of it.
 *
 * <p>It names each shard by the hash of its bytes, so a shard is verified like any object, and has
 * the object's own tree, so that what is put together from shards is verified against the object's
 * address once more before it leaves.
 *
 * <p>Threading: immutable.
 *
 * @param tree of the object, checked against its address
 */
public record CodedObject(
    Address address, StripeLayout layout, List<Address> shards, Outboard tree) {
  private static final long MAGIC = 0x524f4e434f444431L; // RONCODD1
  private static final int HEAD_BYTES = 8 + 8 + 2 + 2 + Hash.BYTES;

  /** Every shard is so many bytes or a multiple, and no record of this kind is. */
  private static final int SHARD_GRAIN_BYTES = StripeLayout.UNIT_BYTES;

  public CodedObject {
    shards = List.copyOf(shards);
    if (shards.size() != layout.shards()) {
      throw new IllegalArgumentException(
          "%d shards of a %d + %d object"
              .formatted(shards.size(), layout.dataShards(), layout.parityShards()));
    }
  }

  /** Whether stored bytes of this length are such a record, and not a shard. */
  public static boolean isRecord(long lengthBytes) {
    return lengthBytes % SHARD_GRAIN_BYTES != 0;
  }

  public long sizeBytes() {
    return layout.objectBytes();
  }

  public byte[] encoded() {
    byte[] stored = tree.stored();
    int length = HEAD_BYTES + shards.size() * Hash.BYTES + stored.length;
    var bytes = ByteBuffer.allocate(isRecord(length) ? length : length + 1);
    bytes.putLong(MAGIC).putLong(layout.objectBytes());
    bytes.putShort((short) layout.dataShards()).putShort((short) layout.parityShards());
    bytes.put(address.hash().bytes());
    shards.forEach(shard -> bytes.put(shard.hash().bytes()));
    bytes.put(stored);
    return bytes.array();
  }

  /** What the record itself is stored under. */
  public Address recordAddress() {
    return new Address(Blake3.hash(encoded()));
  }

  /** Empty if the bytes are no such record, or one whose tree is not that of its address. */
  public static Optional<CodedObject> decoded(byte[] encoded) {
    var bytes = ByteBuffer.wrap(encoded);
    if (encoded.length < HEAD_BYTES || bytes.getLong() != MAGIC) {
      return Optional.empty();
    }
    long size = bytes.getLong();
    int data = bytes.getShort();
    int parity = bytes.getShort();
    Hash root = hash(bytes);
    boolean possible =
        size > 0
            && size <= Outboard.LENGTH_BYTES_MAX
            && data > 0
            && parity > 0
            && data + parity <= 255
            && bytes.remaining() >= (data + parity) * Hash.BYTES;
    if (!possible) {
      return Optional.empty();
    }
    var shards = new ArrayList<Address>();
    for (int i = 0; i < data + parity; i++) {
      shards.add(new Address(hash(bytes)));
    }
    long treeBytes = Outboard.storedBytes(size);
    if (bytes.remaining() < treeBytes || bytes.remaining() > treeBytes + 1) {
      return Optional.empty();
    }
    byte[] tree = new byte[(int) treeBytes];
    bytes.get(tree);
    return Outboard.open(root, size, tree) instanceof CheckResult.Good<Outboard>(Outboard good)
        ? Optional.of(
            new CodedObject(new Address(root), StripeLayout.of(data, parity, size), shards, good))
        : Optional.empty();
  }

  private static Hash hash(ByteBuffer from) {
    byte[] bytes = new byte[Hash.BYTES];
    from.get(bytes);
    return Hash.of(bytes);
  }

  // Groups and units are the same size: a unit of a data shard is a group of the object.
  static {
    if (StripeLayout.UNIT_BYTES != HashTree.GROUP_BYTES) {
      throw new IllegalStateException("a unit is no group");
    }
  }
}
