package dev.ron.blake3;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Skips what cannot run here, so that nobody takes it for a pass. */
final class Loudly {
  private Loudly() {}

  static void assume(boolean present, String missing) {
    if (!present) {
      say(missing);
    }
    assumeTrue(present, "DID NOT RUN: " + missing);
  }

  static void say(String missing) {
    System.err.println("DID NOT RUN: " + missing);
  }
}
