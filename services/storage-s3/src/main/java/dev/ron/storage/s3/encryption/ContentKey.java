package dev.ron.storage.s3.encryption;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * The key of one object's bytes, and how a block of them is stored.
 *
 * <p>A block is stored as its ciphertext, which is as long as its bytes, then a tag for each 64 KiB
 * of it, then 16 random bytes. So a place in the object is a place in the stored block, and a range
 * is read without the rest. Each block has a key of its own, which follows from those random bytes:
 * no two blocks look alike, whatever is in them, and none is found to be there already.
 *
 * <p>Threading: immutable.
 */
public final class ContentKey {
  /** Long enough for the cipher to be busy, short enough for a small range. */
  public static final int SEGMENT_BYTES = 64 << 10;

  private static final int SALT_BYTES = 16;
  private static final byte BLOCK = 1;
  private static final byte TAG = 2;
  private static final int MD5_BYTES = 16;

  private final byte[] key;
  private final RandomGenerator secrets;

  ContentKey(byte[] key, RandomGenerator secrets) {
    this.key = key.clone();
    this.secrets = secrets;
  }

  byte[] bytes() {
    return key.clone();
  }

  /** How many bytes a block has when it is stored. */
  public static int storedBytes(int plainBytes) {
    return plainBytes + segments(plainBytes) * Aes.TAG_BYTES + SALT_BYTES;
  }

  /** How many bytes were stored so. */
  public static int plainBytes(long storedBytes) {
    long tagged = storedBytes - SALT_BYTES;
    long segment = SEGMENT_BYTES + Aes.TAG_BYTES;
    return (int) (tagged - Aes.TAG_BYTES * ((tagged + segment - 1) / segment));
  }

  /** Where the tags from a segment on begin in a stored block. */
  public static long tailFrom(int plainBytes, int segment) {
    return plainBytes + (long) segment * Aes.TAG_BYTES;
  }

  private static int segments(int plainBytes) {
    return (plainBytes + SEGMENT_BYTES - 1) / SEGMENT_BYTES;
  }

  /**
   * Encrypts a block where it lies.
   *
   * @param block the bytes, with room behind them for {@link #storedBytes}
   */
  public void seal(byte[] block, int plainBytes) {
    if (block.length != storedBytes(plainBytes)) {
      throw new IllegalArgumentException("a block of %d in %d".formatted(plainBytes, block.length));
    }
    byte[] salt = new byte[SALT_BYTES];
    secrets.nextBytes(salt);
    byte[] blockKey = Aes.derived(key, BLOCK, salt);
    byte[] scratch = new byte[Math.min(plainBytes, SEGMENT_BYTES) + Aes.TAG_BYTES];
    int tags = plainBytes;
    for (int i = 0; i < segments(plainBytes); i++) {
      int from = i * SEGMENT_BYTES;
      int length = Math.min(SEGMENT_BYTES, plainBytes - from);
      Aes.encrypt(blockKey, nonce(i), bound(plainBytes), block, from, length, scratch);
      System.arraycopy(scratch, 0, block, from, length);
      System.arraycopy(scratch, length, block, tags, Aes.TAG_BYTES);
      tags += Aes.TAG_BYTES;
    }
    System.arraycopy(salt, 0, block, tags, SALT_BYTES);
  }

  /** The same of bytes that lie in a row. */
  public byte[] sealed(byte[] bytes) {
    byte[] block = Arrays.copyOf(bytes, storedBytes(bytes.length));
    seal(block, bytes.length);
    return block;
  }

  /** What lies in a row, decrypted. */
  public byte[] opened(byte[] stored) {
    int plainBytes = plainBytes(stored.length);
    var opening = new Opening(plainBytes, Arrays.copyOfRange(stored, plainBytes, stored.length), 0);
    byte[] plain = new byte[plainBytes];
    for (int from = 0; from < plainBytes; from += SEGMENT_BYTES) {
      int length = Math.min(SEGMENT_BYTES, plainBytes - from);
      byte[] segment = opening.next(Arrays.copyOfRange(stored, from, from + length), length);
      System.arraycopy(segment, 0, plain, from, length);
    }
    return plain;
  }

  /**
   * What stands for an MD5 in an entity tag of an object whose key is its client's: the MD5 itself
   * would tell anyone who has the disk whether a guess at the bytes is right.
   */
  public String tag(String md5) {
    byte[] tag = Aes.derived(key, TAG, HexFormat.of().parseHex(md5));
    return HexFormat.of().formatHex(tag, 0, MD5_BYTES);
  }

  private static byte[] nonce(int segment) {
    return ByteBuffer.allocate(Aes.NONCE_BYTES).putInt(Aes.NONCE_BYTES - 4, segment).array();
  }

  /** So that a block cannot be taken for a shorter one. */
  private static byte[] bound(int plainBytes) {
    return ByteBuffer.allocate(4).putInt(plainBytes).array();
  }

  /**
   * @param tail the tags from that segment on, and the random bytes
   * @param segment the first that will be read
   */
  public Opening open(int plainBytes, byte[] tail, int segment) {
    return new Opening(plainBytes, tail, segment);
  }

  /**
   * Decrypts segments of a block, one behind the other.
   *
   * <p>Threading: owned by the thread that reads.
   */
  public final class Opening {
    private final int plainBytes;
    private final byte[] tail;
    private final byte[] blockKey;
    private final int first;
    private int next;

    private Opening(int plainBytes, byte[] tail, int segment) {
      this.plainBytes = plainBytes;
      this.tail = tail.clone();
      this.first = segment;
      this.next = segment;
      byte[] salt = Arrays.copyOfRange(tail, tail.length - SALT_BYTES, tail.length);
      this.blockKey = Aes.derived(key, BLOCK, salt);
    }

    /** The bytes of the next segment. */
    public byte[] next(byte[] ciphertext, int length) {
      byte[] both = Arrays.copyOf(ciphertext, length + Aes.TAG_BYTES);
      System.arraycopy(tail, (next - first) * Aes.TAG_BYTES, both, length, Aes.TAG_BYTES);
      byte[] plain = new byte[length];
      if (Aes.decrypt(blockKey, nonce(next), bound(plainBytes), both, both.length, plain) < 0) {
        // The hash of the block was right, and the key opened its own envelope.
        throw new IllegalStateException("a block that was encrypted with another key");
      }
      next++;
      return plain;
    }
  }
}
