package dev.ron.blake3;

/**
 * The name of an object: {@code b3:} and the 64 lowercase hex digits of the hash of its bytes.
 *
 * <p>There is one way to write it, so two texts are the same address only if they are equal.
 *
 * <p>Threading: immutable.
 */
public record Address(Hash hash) {
  /** What every address begins with. */
  public static final String PREFIX = "b3:";

  private static final int LENGTH = PREFIX.length() + 2 * Hash.BYTES;

  /** Takes any text, however long or strange. */
  public static CheckResult<Address> parse(String text) {
    if (!text.startsWith(PREFIX)) {
      return malformed("does not begin with " + PREFIX);
    }
    if (text.length() != LENGTH) {
      return malformed("has " + text.length() + " characters, not " + LENGTH);
    }
    byte[] bytes = new byte[Hash.BYTES];
    for (int i = PREFIX.length(); i < LENGTH; i++) {
      int digit = digit(text.charAt(i));
      if (digit < 0) {
        return malformed("character " + i + " is not a lowercase hex digit");
      }
      int at = (i - PREFIX.length()) / 2;
      bytes[at] = (byte) (bytes[at] << 4 | digit);
    }
    return CheckResult.good(new Address(Hash.of(bytes)));
  }

  private static int digit(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  }

  private static CheckResult<Address> malformed(String reason) {
    return CheckResult.bad(new Blake3Fault.AddressMalformed(reason));
  }

  @Override
  public String toString() {
    return PREFIX + hash.hex();
  }
}
