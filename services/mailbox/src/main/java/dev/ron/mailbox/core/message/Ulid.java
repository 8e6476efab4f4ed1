package dev.ron.mailbox.core.message;

import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The name of a message: when it was sent, in which shard, and the how manieth it was there.
 *
 * <p>A ULID: 48 bits of milliseconds, then 80 bits that the standard leaves to us. The first 16 of
 * those are the shard, so that an ack finds its owner without an index over all shards. Then come
 * 48 bits of the message's number in its shard, which rises by one, so that an index needs no hash;
 * and 16 of chance, so that a number that a crash took back is not taken for the one before. Within
 * a shard ids rise in the order of the sends, which makes them the order of delivery too.
 *
 * <p>Threading: immutable.
 */
public record Ulid(long high, long low) implements Comparable<Ulid> {
  /** Before every id that is made. */
  public static final Ulid NONE = new Ulid(0, 0);

  private static final int TEXT_CHARS = 26;
  private static final int SHARD_BITS = 16;
  private static final int CHANCE_BITS = 16;
  private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  /**
   * The id after {@code last}. If the clock stands still or was set back, the time of {@code last}
   * goes on.
   */
  public static Ulid after(Ulid last, long nowMillis, int shard, RandomGenerator random) {
    long millis = Math.max(nowMillis, last.millis());
    long chance = random.nextLong() >>> 48;
    return new Ulid((millis << SHARD_BITS) | shard, ((last.number() + 1) << CHANCE_BITS) | chance);
  }

  /** Reads the 26 characters; upper case only, because an id has one spelling. */
  public static Optional<Ulid> parse(String text) {
    if (text.length() != TEXT_CHARS || text.charAt(0) > '7') {
      return Optional.empty();
    }
    long high = 0;
    long low = 0;
    for (int i = 0; i < TEXT_CHARS; i++) {
      int digit = DIGITS.indexOf(text.charAt(i));
      if (digit < 0) {
        return Optional.empty();
      }
      high = high << 5 | low >>> 59;
      low = low << 5 | digit;
    }
    return Optional.of(new Ulid(high, low));
  }

  public long millis() {
    return high >>> SHARD_BITS;
  }

  /** Counted from 1 in each shard. */
  public long number() {
    return low >>> CHANCE_BITS;
  }

  public int shard() {
    return (int) (high & 0xffff);
  }

  @Override
  public int compareTo(Ulid other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(low * 31 + high);
  }

  /** The id as clients see it. */
  @Override
  public String toString() {
    var text = new char[TEXT_CHARS];
    long highLeft = high;
    long lowLeft = low;
    for (int i = TEXT_CHARS - 1; i >= 0; i--) {
      text[i] = DIGITS.charAt((int) (lowLeft & 31));
      lowLeft = lowLeft >>> 5 | highLeft << 59;
      highLeft = highLeft >>> 5;
    }
    return new String(text);
  }
}
