package dev.ron.rewarder.core;

import java.util.Arrays;
import java.util.Optional;

/** What becomes of the units that the division gives to no actor. */
public enum Rounding {
  /** They stay in the residual. */
  FLOOR("floor"),
  /** One each to the largest remainders, ties to the smaller actor. */
  LARGEST_REMAINDER("largest-remainder");

  private final String word;

  Rounding(String word) {
    this.word = word;
  }

  /** As the policy says it. */
  public String word() {
    return word;
  }

  public static Optional<Rounding> of(String word) {
    return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
  }
}
