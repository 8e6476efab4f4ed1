package dev.ron.bench.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.bench.s3.S3TestsReport.Outcome;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is counted of the public suite, and that its list of failures must be true. */
final class S3TestsReportTest {
  @ParameterizedTest
  @CsvSource({
    "test_bucket_list_empty, true",
    "test_object_copy_versioned_bucket, true",
    "test_put_object_if_match, true",
    "test_versioning_obj_list_marker, false",
    "test_delete_object_if_match_size, false",
    "test_post_object_wrong_bucket, false",
    "test_object_lock_put_obj_lock, false",
  })
  void coreIsWhatIsLeft(String test, boolean core) {
    assertThat(S3TestsReport.isCore(test)).isEqualTo(core);
  }

  @Test
  void aFunctionPassedIfAllItsCasesDid() {
    var report =
        new S3TestsReport(
            Map.of(
                "test_a[1]", Outcome.PASSED,
                "test_a[2]", Outcome.FAILED,
                "test_b", Outcome.PASSED));
    assertThat(report.core()).isEqualTo(Map.of("test_a", false, "test_b", true));
    assertThat(report.corePassed()).isEqualTo(1);
  }

  @Test
  void theListMustBeTrue() throws IOException {
    ExpectedFailures expected = ExpectedFailures.parse("test_a: a reason");
    new S3TestsReport(Map.of("test_a", Outcome.FAILED, "test_b", Outcome.PASSED)).check(expected);
    assertThatThrownBy(() -> new S3TestsReport(Map.of("test_a", Outcome.PASSED)).check(expected))
        .hasMessageContaining("take it off the list");
    assertThatThrownBy(() -> new S3TestsReport(Map.of("test_b", Outcome.FAILED)).check(expected))
        .hasMessageContaining("is not listed");
  }
}
