package dev.ron.checksum;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.testkit.Seeds;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectChecksumTest {
  /** The check values that the functions' definitions publish. */
  @ParameterizedTest
  @CsvSource({
    "CRC32,     cbf43926",
    "CRC32C,    e3069283",
    "CRC64NVME, ae8b14860a799888",
    "SHA1,      f7c3bc1d808e04732adf679965ccc34ca7ae3441",
    "SHA256,    15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
  })
  void theDigitsFrom1To9HaveTheirPublishedChecksum(ChecksumAlgorithm algorithm, String hex) {
    ChecksumValue value = ObjectChecksum.of(algorithm, "123456789".getBytes(US_ASCII));
    assertThat(HexFormat.of().formatHex(value.digest())).isEqualTo(hex);
  }

  @Test
  void nothingHasTheValueThatClientsSendForNothing() {
    assertThat(ObjectChecksum.of(ChecksumAlgorithm.CRC32, new byte[0]).base64())
        .isEqualTo("AAAAAA==");
    assertThat(ObjectChecksum.of(ChecksumAlgorithm.CRC64NVME, new byte[0]).base64())
        .isEqualTo("AAAAAAAAAAA=");
  }

  /** Bit by bit, as the definition says it; the tables must agree for every length and offset. */
  @Test
  void theTablesOfCrc64AgreeWithItsDefinition() {
    Seeds.forEach(
        300,
        (_, random) -> {
          var bytes = new byte[random.nextInt(200)];
          random.nextBytes(bytes);
          int from = random.nextInt(bytes.length + 1);
          var crc = new Crc64Nvme();
          crc.update(bytes, 0, from);
          crc.update(bytes, from, bytes.length - from);
          assertThat(crc.getValue()).isEqualTo(bitByBit(bytes));
          crc.reset();
          for (byte b : bytes) {
            crc.update(b);
          }
          assertThat(crc.getValue()).isEqualTo(bitByBit(bytes));
        });
  }

  @Test
  void itDoesNotMatterInWhichPiecesTheBytesCome() {
    Seeds.forEach(
        100,
        (_, random) -> {
          var bytes = new byte[random.nextInt(5_000)];
          random.nextBytes(bytes);
          for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
            var pieces = new ObjectChecksum(algorithm);
            for (int at = 0; at < bytes.length; ) {
              int length = Math.min(bytes.length - at, 1 + random.nextInt(900));
              if (random.nextBoolean()) {
                pieces.update(bytes, at, length);
              } else {
                pieces.update(ByteBuffer.allocateDirect(length).put(bytes, at, length).flip());
              }
              at += length;
            }
            assertThat(pieces.value()).isEqualTo(ObjectChecksum.of(algorithm, bytes));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "AAAA", "AAAAAA", "AAAAAA=", "AAAAAB==", "AAAA AA=", "AAAAAAAA", "****AA=="})
  void aValueHasOneSpelling(String text) {
    assertThat(ChecksumValue.parse(ChecksumAlgorithm.CRC32, text)).isEmpty();
    assertThatThrownBy(() -> new ChecksumValue(ChecksumAlgorithm.CRC32, text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static long bitByBit(byte[] bytes) {
    long crc = -1;
    for (byte b : bytes) {
      crc ^= b & 0xff;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ 0x9a6c9329ac4bc9b5L;
      }
    }
    return ~crc;
  }
}
