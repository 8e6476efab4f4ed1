package dev.ron.rewarder.core;

/**
 * Long division with digits of 32 bits (Knuth, volume 2, 4.3.1, algorithm D).
 *
 * <p>Threading: stateless.
 */
final class WideDivision {
  private static final long DIGIT = 0xffff_ffffL;

  private WideDivision() {}

  /** Four digits, the least significant first. */
  static int[] limbs(Wide value) {
    return new int[] {
      (int) value.low(), (int) (value.low() >>> 32), (int) value.high(), (int) (value.high() >>> 32)
    };
  }

  static Wide.Division timesDividedBy(Wide factor, Wide other, Wide divisor) {
    if (divisor.isZero()) {
      throw new ArithmeticException("division by zero");
    }
    int[] product = product(limbs(factor), limbs(other));
    int[] by = limbs(divisor);
    int length = length(by);
    if (length == 1) {
      int remainder = divideInPlace(product, by[0]);
      return new Wide.Division(wide(product, 0, 8), Wide.of(remainder & DIGIT));
    }
    // Shifted so that the divisor's first bit is set: then a guessed digit is at most two too high.
    int shift = Integer.numberOfLeadingZeros(by[length - 1]);
    int[] dividend = shifted(product, shift, product.length + 1);
    int[] normal = shifted(by, shift, by.length);
    int[] quotient = new int[8];
    for (int at = product.length - length; at >= 0; at--) {
      quotient[at] = digit(dividend, normal, at, length);
    }
    return new Wide.Division(wide(quotient, 0, 8), wide(unshifted(dividend, shift, length), 0, 4));
  }

  /** Divides by one digit, and answers the remainder. */
  static int divideInPlace(int[] limbs, int by) {
    long divisor = by & DIGIT;
    long rest = 0;
    for (int i = limbs.length - 1; i >= 0; i--) {
      long part = (rest << 32) | (limbs[i] & DIGIT);
      limbs[i] = (int) Long.divideUnsigned(part, divisor);
      rest = Long.remainderUnsigned(part, divisor);
    }
    return (int) rest;
  }

  private static int[] product(int[] a, int[] b) {
    int[] product = new int[a.length + b.length];
    for (int i = 0; i < a.length; i++) {
      long carry = 0;
      for (int j = 0; j < b.length; j++) {
        // At most (2^32-1)^2 + 2 (2^32-1) = 2^64 - 1, so unsigned it never wraps.
        long sum = (a[i] & DIGIT) * (b[j] & DIGIT) + (product[i + j] & DIGIT) + carry;
        product[i + j] = (int) sum;
        carry = sum >>> 32;
      }
      product[i + b.length] = (int) carry;
    }
    return product;
  }

  /** One digit of the quotient; takes its multiple of the divisor off the dividend. */
  private static int digit(int[] dividend, int[] divisor, int at, int length) {
    long top = ((dividend[at + length] & DIGIT) << 32) | (dividend[at + length - 1] & DIGIT);
    long first = divisor[length - 1] & DIGIT;
    long second = divisor[length - 2] & DIGIT;
    long guess = Long.divideUnsigned(top, first);
    long rest = top - guess * first;
    while (guess > DIGIT
        || Long.compareUnsigned(guess * second, (rest << 32) | (dividend[at + length - 2] & DIGIT))
            > 0) {
      guess--;
      rest += first;
      if (rest > DIGIT) {
        break;
      }
    }
    if (subtract(dividend, divisor, at, length, guess)) {
      guess--;
      addBack(dividend, divisor, at, length);
    }
    return (int) guess;
  }

  /** True if the multiple was one too large. */
  private static boolean subtract(int[] from, int[] divisor, int at, int length, long times) {
    long borrow = 0;
    for (int i = 0; i < length; i++) {
      long product = times * (divisor[i] & DIGIT) + borrow;
      long difference = (from[at + i] & DIGIT) - (product & DIGIT);
      from[at + i] = (int) difference;
      borrow = (product >>> 32) + (difference < 0 ? 1 : 0);
    }
    long last = (from[at + length] & DIGIT) - borrow;
    from[at + length] = (int) last;
    return last < 0;
  }

  private static void addBack(int[] to, int[] divisor, int at, int length) {
    long carry = 0;
    for (int i = 0; i < length; i++) {
      long sum = (to[at + i] & DIGIT) + (divisor[i] & DIGIT) + carry;
      to[at + i] = (int) sum;
      carry = sum >>> 32;
    }
    to[at + length] += (int) carry;
  }

  private static int[] shifted(int[] limbs, int shift, int length) {
    int[] shifted = new int[length];
    for (int i = 0; i < length; i++) {
      long here = i < limbs.length ? limbs[i] & DIGIT : 0;
      long below = i == 0 ? 0 : limbs[i - 1] & DIGIT;
      shifted[i] = (int) ((here << shift) | (below >>> (32 - shift)));
    }
    return shifted;
  }

  private static int[] unshifted(int[] limbs, int shift, int length) {
    int[] plain = new int[4];
    for (int i = 0; i < length; i++) {
      long above = i + 1 < limbs.length ? limbs[i + 1] & DIGIT : 0;
      plain[i] = (int) (((limbs[i] & DIGIT) >>> shift) | (above << (32 - shift)));
    }
    return plain;
  }

  private static int length(int[] limbs) {
    int length = limbs.length;
    while (limbs[length - 1] == 0) {
      length--;
    }
    return length;
  }

  private static Wide wide(int[] limbs, int from, int length) {
    for (int i = from + 4; i < from + length; i++) {
      if (limbs[i] != 0) {
        throw new ArithmeticException("a quotient not below 2^127");
      }
    }
    return new Wide(
        ((limbs[from + 3] & DIGIT) << 32) | (limbs[from + 2] & DIGIT),
        ((limbs[from + 1] & DIGIT) << 32) | (limbs[from] & DIGIT));
  }
}
