package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IsalAgreementTest {
  @ParameterizedTest
  @CsvSource({"1,1", "4,2", "6,3", "10,4", "128,127", "254,1"})
  void matrixAndParityAreTheSameByteForByte(int k, int m) {
    Optional<Isal> isal = Isal.installed();
    assumeTrue(isal.isPresent(), "NOT RUN: libisal.so.2 is not installed");
    byte[] rows = isal.get().parityRows(k, m);
    assertThat(new CodingMatrix(k, m).parity().coefficients).isEqualTo(rows);

    byte[][] ours = Samples.encoded(k, m, 4096, 7);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] theirs = Samples.offHeap(ours, arena);
      MemorySegment[] parity = Arrays.copyOfRange(theirs, k, k + m);
      for (MemorySegment segment : parity) {
        segment.fill((byte) 0);
      }
      isal.get().prepare(k, m, rows, Arrays.copyOf(theirs, k), parity).run();
      for (int i = 0; i < m; i++) {
        assertThat(parity[i].toArray(ValueLayout.JAVA_BYTE)).isEqualTo(ours[k + i]);
      }
    }
  }
}
