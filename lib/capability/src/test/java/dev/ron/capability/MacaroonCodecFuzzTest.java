package dev.ron.capability;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * The codec under a coverage-guided fuzzer. An ordinary build replays the corpus in this class's
 * resources; with {@code JAZZER_FUZZ=1} and {@code -Dron.fuzz.hooks=true} it searches for more.
 */
class MacaroonCodecFuzzTest {
  @FuzzTest(maxDuration = "40s")
  void anyBytesAreATokenOrAFault(byte[] bytes) {
    CodecOracle.check(bytes);
  }
}
