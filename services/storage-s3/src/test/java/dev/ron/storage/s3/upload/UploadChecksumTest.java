package dev.ron.storage.s3.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UploadChecksumTest {
  @ParameterizedTest
  @CsvSource({
    // algorithm, type, kind
    "CRC32,,            COMPOSITE",
    "crc32,FULL_OBJECT, FULL_OBJECT",
    "CRC32C,full_object, FULL_OBJECT",
    "CRC64NVME,,        FULL_OBJECT",
    "SHA1,,             COMPOSITE",
    "SHA256,COMPOSITE,  COMPOSITE",
  })
  void anAlgorithmHasAType(String algorithm, String type, String kind) throws Refusal {
    var plan = UploadChecksum.plan(Optional.of(algorithm), Optional.ofNullable(type));
    assertThat(plan).isNotNull();
    assertThat(plan.kind()).hasToString(kind);
    assertThat(plan.algorithm()).isEqualToIgnoringCase(algorithm);
  }

  @ParameterizedTest
  @CsvSource({"SHA256,FULL_OBJECT", "CRC64NVME,COMPOSITE", "MD5,", ",COMPOSITE", "CRC32,NONE"})
  void othersAreRefused(String algorithm, String type) {
    assertThatThrownBy(
            () -> UploadChecksum.plan(Optional.ofNullable(algorithm), Optional.ofNullable(type)))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.fault()).isInstanceOf(S3Fault.InvalidRequest.class));
  }
}
