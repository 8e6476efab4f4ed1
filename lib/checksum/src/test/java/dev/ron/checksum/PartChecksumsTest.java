package dev.ron.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartChecksumsTest {
  @Test
  void partsCombineToTheChecksumOfTheWhole() {
    Seeds.forEach(
        200,
        (_, random) -> {
          var bytes = new byte[random.nextInt(20_000)];
          random.nextBytes(bytes);
          for (var algorithm :
              List.of(
                  ChecksumAlgorithm.CRC32, ChecksumAlgorithm.CRC32C, ChecksumAlgorithm.CRC64NVME)) {
            var parts = new ArrayList<PartChecksums.Part>();
            for (int at = 0; at < bytes.length; ) {
              int to = Math.min(bytes.length, at + random.nextInt(6_000));
              var part = ObjectChecksum.of(algorithm, Arrays.copyOfRange(bytes, at, to));
              parts.add(new PartChecksums.Part(part, to - at));
              at = to;
            }
            assertThat(PartChecksums.fullObject(algorithm, parts))
                .isEqualTo(ObjectChecksum.of(algorithm, bytes));
          }
        });
  }

  /** Five TiB of parts are combined, not read: a long run of zeros stands for them. */
  @Test
  void longPartsCostNoMoreThanShortOnes() {
    byte[] zeros = new byte[1 << 16];
    for (var algorithm : List.of(ChecksumAlgorithm.CRC32, ChecksumAlgorithm.CRC64NVME)) {
      var piece = new PartChecksums.Part(ObjectChecksum.of(algorithm, zeros), zeros.length);
      var whole = piece;
      for (int i = 0; i < 26; i++) {
        whole =
            new PartChecksums.Part(
                PartChecksums.fullObject(algorithm, List.of(whole, whole)), 2 * whole.bytes());
      }
      assertThat(whole.bytes()).isEqualTo(1L << 42);
      // Associative: from the other end, part by part of half the size each, it is the same.
      var parts = new ArrayList<PartChecksums.Part>();
      var half = piece;
      parts.add(piece);
      for (int i = 0; i < 26; i++) {
        parts.add(half);
        half =
            new PartChecksums.Part(
                PartChecksums.fullObject(algorithm, List.of(half, half)), 2 * half.bytes());
      }
      assertThat(PartChecksums.fullObject(algorithm, parts)).isEqualTo(whole.checksum());
    }
  }

  @Test
  void aCompositeIsTheChecksumOfTheDigests() {
    for (var algorithm :
        List.of(
            ChecksumAlgorithm.SHA1,
            ChecksumAlgorithm.SHA256,
            ChecksumAlgorithm.CRC32,
            ChecksumAlgorithm.CRC32C)) {
      var first = ObjectChecksum.of(algorithm, new byte[] {1});
      var second = ObjectChecksum.of(algorithm, new byte[] {2, 3});
      var digests = new ByteArrayOutputStream();
      digests.writeBytes(first.digest());
      digests.writeBytes(second.digest());
      assertThat(PartChecksums.composite(algorithm, List.of(first, second)))
          .isEqualTo(ObjectChecksum.of(algorithm, digests.toByteArray()).base64() + "-2");
    }
  }

  @Test
  void whatAnAlgorithmDoesNotSupportIsABug() {
    var sha = ObjectChecksum.of(ChecksumAlgorithm.SHA256, new byte[0]);
    var nvme = ObjectChecksum.of(ChecksumAlgorithm.CRC64NVME, new byte[0]);
    assertThatThrownBy(
            () ->
                PartChecksums.fullObject(
                    ChecksumAlgorithm.SHA256, List.of(new PartChecksums.Part(sha, 0))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PartChecksums.composite(ChecksumAlgorithm.CRC64NVME, List.of(nvme)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PartChecksums.composite(ChecksumAlgorithm.SHA1, List.of(sha)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
