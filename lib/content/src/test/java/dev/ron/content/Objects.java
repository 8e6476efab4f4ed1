package dev.ron.content;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.SplittableRandom;

/** Bytes to store, and what came back. */
public final class Objects {
  private Objects() {}

  /** The same bytes for the same seed and length. */
  public static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed * 31 + length).nextBytes(bytes);
    return bytes;
  }

  public static Address address(byte[] bytes) {
    return new Address(Blake3.hash(bytes));
  }

  public static InputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  /** What a reader hands out, to its end; fails the test at a fault. */
  public static byte[] readAll(ContentReader reader) throws IOException {
    var out = new ByteArrayOutputStream();
    try (reader) {
      reader
          .transferTo(out)
          .ifPresent(
              fault -> {
                throw new AssertionError("reading ended with " + fault);
              });
    }
    return out.toByteArray();
  }

  public static byte[] readAll(ContentStore store, Address address) throws IOException {
    return readAll(store.open(address).orThrow());
  }
}
