package dev.ron.storage.s3.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CopySourceTest {
  @ParameterizedTest
  @CsvSource({
    // field, bucket, key, version
    "b/k,                     b, k,              ''",
    "/b/k,                    b, k,              ''",
    "/b/a%2Fb%3Fc,            b, a/b?c,          ''",
    "b/%3FversionId=null,     b, ?versionId=null, ''",
    "b/k?versionId=null,      b, k,              null",
    "b/k%2525,                b, k%25,           ''",
    "b/../k,                  b, ../k,           ''",
    "b%2Fk,                   b, k,              ''",
    "b/k?versionId=00000000000000010000000000000002, b, k, 00000000000000010000000000000002",
  })
  void theFieldIsSplitAndDecodedOnce(String field, String bucket, String key, String version)
      throws Refusal {
    CopySource source = CopySource.parse(field);
    assertThat(source.bucket()).isEqualTo(bucket);
    assertThat(source.key()).hasToString(key);
    assertThat(source.version().text()).isEqualTo(version);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "b", "b/", "//k", "b/k?versionId=x", "b/%ff"})
  void whatNamesNoObjectIsRefused(String field) {
    assertThatThrownBy(() -> CopySource.parse(field))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.fault()).isInstanceOf(S3Fault.InvalidArgument.class));
  }
}
