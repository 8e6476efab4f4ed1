package dev.ron.mailbox.core.message;

import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The proof of holding a lease: chance, so that a receipt from before a crash never fits a lease
 * made after it.
 *
 * <p>Threading: immutable.
 */
public record Receipt(long bits) {
  private static final int TEXT_CHARS = 16;

  public static Receipt random(RandomGenerator random) {
    return new Receipt(random.nextLong());
  }

  public static Optional<Receipt> parse(String text) {
    if (text.length() != TEXT_CHARS) {
      return Optional.empty();
    }
    for (int i = 0; i < TEXT_CHARS; i++) {
      char c = text.charAt(i);
      if (!HexFormat.isHexDigit(c) || (c >= 'A' && c <= 'F')) {
        return Optional.empty();
      }
    }
    return Optional.of(new Receipt(HexFormat.fromHexDigitsToLong(text)));
  }

  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(bits);
  }
}
