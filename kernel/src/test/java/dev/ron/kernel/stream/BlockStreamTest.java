package dev.ron.kernel.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** One byte and none are read as the contract of streams has it. */
final class BlockStreamTest {
  private int asked;

  private final BlockStream stream =
      new BlockStream() {
        @Override
        protected int block(byte[] into, int offset, int length) {
          asked++;
          into[offset] = (byte) (asked == 1 ? 0xff : 7);
          return asked > 2 ? -1 : 1;
        }
      };

  @Test
  void aByteIsNeverNegativeAndTheEndIs() throws IOException {
    assertThat(stream.read()).isEqualTo(0xff);
    assertThat(stream.read()).isEqualTo(7);
    assertThat(stream.read()).isEqualTo(-1);
  }

  @Test
  void nothingIsReadWithoutAsking() throws IOException {
    assertThat(stream.read(new byte[4], 2, 0)).isZero();
    assertThat(asked).isZero();
  }
}
