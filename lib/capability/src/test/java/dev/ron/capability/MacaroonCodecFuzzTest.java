package dev.ron.capability;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * The codec under a coverage-guided fuzzer; an ordinary build replays the corpus beside this
 * class's resources, and {@code JAZZER_FUZZ=1} searches for more.
 */
class MacaroonCodecFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void anyBytesAreATokenOrAFault(byte[] bytes) {
    CodecOracle.check(bytes);
  }
}
