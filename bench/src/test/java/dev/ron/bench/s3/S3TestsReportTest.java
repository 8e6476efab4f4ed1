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
    new S3TestsReport(Map.of("test_a", Outcome.FAILED, "test_b", Outcome.PASSED))
        .check(expected, 1);
    assertThatThrownBy(() -> new S3TestsReport(Map.of("test_a", Outcome.PASSED)).check(expected, 0))
        .hasMessageContaining("take it off the list");
    assertThatThrownBy(() -> new S3TestsReport(Map.of("test_b", Outcome.FAILED)).check(expected, 0))
        .hasMessageContaining("test_b failed and is not listed");
    assertThatThrownBy(() -> new S3TestsReport(Map.of("test_b", Outcome.PASSED)).check(expected, 0))
        .hasMessageContaining("test_a is listed and is no test of the suite");
  }

  /** With a line more in the list a core function could fail and the run be fine. */
  @Test
  void enoughOfTheCoreMustPass() throws IOException {
    ExpectedFailures expected = ExpectedFailures.parse("test_a: a reason\ntest_tag: a reason");
    var report =
        new S3TestsReport(
            Map.of(
                "test_a", Outcome.FAILED,
                "test_b", Outcome.PASSED,
                "test_c", Outcome.PASSED,
                "test_tag", Outcome.FAILED));
    report.check(expected, 2);
    assertThatThrownBy(() -> report.check(expected, 3))
        .hasMessageContaining("2 of 3 core functions passed, must be 3");
  }
}
