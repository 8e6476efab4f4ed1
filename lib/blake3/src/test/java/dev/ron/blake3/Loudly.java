package dev.ron.blake3;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Skips what cannot run here, so that it is not taken for a pass. */
public final class Loudly {
  private Loudly() {}

  public static void assume(boolean present, String missing) {
    if (!present) {
      say(missing);
    }
    assumeTrue(present, "DID NOT RUN: " + missing);
  }

  public static void say(String missing) {
    System.err.println("DID NOT RUN: " + missing);
  }
}
