package dev.ron.rewarder.core.score;

import java.util.ArrayList;
import java.util.List;

/**
 * What can be wrong with one line of accounting whose actor is known.
 *
 * <p>An actor's bad lines are kept as a set of these, one bit each, so that an actor's result does
 * not depend on the order of its lines.
 */
public enum BadLine {
  UNKNOWN_METRIC(1, "unknown-metric", "the policy has no weight for the metric"),
  NEGATIVE(2, "negative", "the units are negative"),
  OVERFLOW(4, "overflow", "the units are not below 2^96"),
  NOT_A_NUMBER(8, "not-a-number", "the units are not a whole number in decimal digits");

  private final int bit;
  private final String code;
  private final String words;

  BadLine(int bit, String code, String words) {
    this.bit = bit;
    this.code = code;
    this.words = words;
  }

  public String code() {
    return code;
  }

  public String words() {
    return words;
  }

  public int bit() {
    return bit;
  }

  /** The codes of a set of bits, in order. */
  public static List<String> codes(int bits) {
    var codes = new ArrayList<String>();
    for (BadLine each : values()) {
      if ((bits & each.bit()) != 0) {
        codes.add(each.code);
      }
    }
    return codes;
  }
}
