package dev.ron.journal;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A bug that chance does not find: behind four bytes of magic, a length and a checksum.
 *
 * <p>It shows that the fuzzer sees what its inputs reach: {@code ./ron fuzz planted} must fail
 * within a minute. A build replays no input that has it.
 */
class PlantedFuzzTest {
  private static final int MAGIC = 0x526f6e21;
  private static final int HEAD_BYTES = 12;

  @FuzzTest(maxDuration = "1m")
  void planted(byte[] bytes) {
    if (bytes.length < HEAD_BYTES + 1) {
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.getInt() != MAGIC) {
      return;
    }
    int checksum = in.getInt();
    int length = in.getInt();
    if (length < 1 || length > in.remaining()) {
      return;
    }
    var crc = new CRC32C();
    crc.update(in.slice(in.position(), length));
    if ((int) crc.getValue() == checksum) {
      throw new IllegalStateException("the planted bug");
    }
  }
}
