package dev.ron.checksum;

import static dev.ron.checksum.ChecksumType.COMPOSITE;
import static dev.ron.checksum.ChecksumType.FULL_OBJECT;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksumAlgorithmTest {
  @ParameterizedTest
  @CsvSource({
    "CRC32,     x-amz-checksum-crc32,     true,  true,  COMPOSITE",
    "CRC32C,    x-amz-checksum-crc32c,    true,  true,  COMPOSITE",
    "CRC64NVME, x-amz-checksum-crc64nvme, true,  false, FULL_OBJECT",
    "SHA1,      x-amz-checksum-sha1,      false, true,  COMPOSITE",
    "SHA256,    x-amz-checksum-sha256,    false, true,  COMPOSITE",
  })
  void eachHasItsFieldAndItsTypes(
      ChecksumAlgorithm algorithm, String header, boolean full, boolean composite, String usual) {
    assertThat(algorithm.header()).isEqualTo(header);
    assertThat(ChecksumAlgorithm.ofHeader(header)).contains(algorithm);
    assertThat(ChecksumAlgorithm.parse(algorithm.name().toLowerCase(java.util.Locale.ROOT)))
        .contains(algorithm);
    assertThat(algorithm.supports(FULL_OBJECT)).isEqualTo(full);
    assertThat(algorithm.supports(COMPOSITE)).isEqualTo(composite);
    assertThat(algorithm.defaultType().name()).isEqualTo(usual);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHA512", "MD5", "XXHASH64", "XXHASH3", "XXHASH128", "", "CRC-32"})
  void othersAreNotRead(String name) {
    assertThat(ChecksumAlgorithm.parse(name)).isEmpty();
    assertThat(ChecksumAlgorithm.ofHeader("x-amz-checksum-" + name)).isEmpty();
  }

  @Test
  void fieldsThatDescribeAChecksumAreNoValues() {
    assertThat(ChecksumAlgorithm.ofHeader("x-amz-checksum-algorithm")).isEmpty();
    assertThat(ChecksumAlgorithm.ofHeader("x-amz-checksum-type")).isEmpty();
    assertThat(ChecksumAlgorithm.ofHeader("X-Amz-Checksum-CRC32")).isPresent();
  }
}
