package dev.ron.client.bucket;

import dev.ron.kernel.stream.BlockStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Bytes to send, hashed before they are: the signature covers the SHA-256, and the server is told
 * the MD5 and has to answer the same.
 *
 * <p>They are read again for each try, so a file that changes in between is refused by the server
 * and not stored half old and half new.
 *
 * <p>Threading: immutable.
 */
public final class ObjectPayload {
  private static final int STEP_BYTES = 256 << 10;

  private final long size;
  private final Opener opener;
  private final byte[] md5;
  private final String sha256;

  /** Opens the bytes, from their beginning each time. */
  @FunctionalInterface
  interface Opener {
    InputStream open() throws IOException;
  }

  private ObjectPayload(long size, Opener opener) throws IOException {
    this.size = size;
    this.opener = opener;
    MessageDigest hash = digest("SHA-256");
    MessageDigest sum = digest("MD5");
    long read = 0;
    byte[] step = new byte[(int) Math.min(STEP_BYTES, Math.max(1, size))];
    try (InputStream in = opener.open()) {
      for (int n = in.read(step); n >= 0; n = in.read(step)) {
        hash.update(step, 0, n);
        sum.update(step, 0, n);
        read += n;
      }
    }
    if (read != size) {
      throw new EOFException("the file became shorter while it was read");
    }
    this.sha256 = HexFormat.of().formatHex(hash.digest());
    this.md5 = sum.digest();
  }

  /** The first bytes of an array, which is not changed afterwards. */
  public static ObjectPayload of(byte[] bytes, int length) throws IOException {
    return new ObjectPayload(length, () -> new ByteArrayInputStream(bytes, 0, length));
  }

  /** A piece of a file. */
  static ObjectPayload of(Path file, long start, long length) throws IOException {
    return new ObjectPayload(length, () -> piece(file, start, length));
  }

  private static InputStream piece(Path file, long start, long length) throws IOException {
    FileChannel channel = FileChannel.open(file);
    try {
      channel.position(start);
    } catch (IOException | RuntimeException failed) {
      channel.close();
      throw failed;
    }
    InputStream all = Channels.newInputStream(channel);
    return new BlockStream() {
      private long left = length;

      @Override
      protected int block(byte[] into, int offset, int count) throws IOException {
        int n = left == 0 ? -1 : all.read(into, offset, (int) Math.min(left, count));
        left -= Math.max(0, n);
        return n;
      }

      @Override
      public void close() throws IOException {
        all.close();
      }
    };
  }

  static MessageDigest digest(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every JDK has " + name, absent);
    }
  }

  public long size() {
    return size;
  }

  InputStream open() throws IOException {
    return opener.open();
  }

  String sha256() {
    return sha256;
  }

  ByteBuffer md5() {
    return ByteBuffer.wrap(md5).asReadOnlyBuffer();
  }

  /** As {@code Content-MD5} has it. */
  String md5Base64() {
    return Base64.getEncoder().encodeToString(md5);
  }

  /** The MD5 of a file, as an entity tag has it. */
  public static String md5Hex(Path file) throws IOException {
    return of(file, 0, Files.size(file)).md5Hex();
  }

  /** As an entity tag has it. */
  String md5Hex() {
    return HexFormat.of().formatHex(md5);
  }
}
