package dev.ron.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.ron.bench.store.FioReport;
import dev.ron.bench.store.FlushBenchmark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The samples are what wrk 4.1.0, h2load 1.52.0, fio 3.33 and dd 9.1 really printed. */
class ReportTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # sample          | requests | per second | p50 ms | p90 ms | p99 ms | errors
          wrk-clean.txt     | 76877    | 36613.27   | 0.217  | 0.303  | 0.783  | 0
          wrk-not-found.txt | 40920    | 37305.54   | 0.201  | 0.289  | 0.560  | 40920
          wrk-dropped.txt   | 0        | 0          | 0      | 0      | 0      | 11911
          wrk-slow.txt      | 44       | 20.86      | 744.65 | 1320   | 1880   | 1
          """)
  void wrkIsRead(
      String sample, long requests, double rate, double p50, double p90, double p99, long errors)
      throws IOException {
    LoadResult result = WrkReport.parse(text(sample));
    assertThat(result.requests()).isEqualTo(requests);
    assertThat(result.requestsPerSecond()).isEqualTo(rate);
    assertThat(result.p50Millis()).isCloseTo(p50, within(1e-9));
    assertThat(result.p90Millis()).isCloseTo(p90, within(1e-9));
    assertThat(result.p99Millis()).isCloseTo(p99, within(1e-9));
    assertThat(result.errors()).isEqualTo(errors);
  }

  @ParameterizedTest
  @CsvSource({"217.00us, 0.217", "3.50ms, 3.5", "1.25s, 1250", "2.00m, 120000", "1.00h, 3600000"})
  void wrkScalesItsUnits(String printed, double millis) throws IOException {
    LoadResult result = WrkReport.parse(text("wrk-clean.txt").replace("217.00us", printed));
    assertThat(result.p50Millis()).isCloseTo(millis, within(1e-9));
  }

  @Test
  void aWrkThatCouldNotConnectHasNoReport() {
    assertThatThrownBy(() -> WrkReport.parse(text("wrk-refused.txt")))
        .hasMessageContaining("Connection refused");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # sample             | requests | per second | errors
          h2load-clean.txt     | 23606    | 23606      | 0
          h2load-http1.txt     | 26655    | 26655      | 0
          h2load-not-found.txt | 19998    | 19998      | 19998
          h2load-refused.txt   | 0        | 0          | 100
          """)
  void h2loadIsRead(String sample, long requests, double rate, long errors) throws IOException {
    Stream<String> log = LongStream.rangeClosed(1, 100).mapToObj(i -> "17947777\t200\t" + i * 1000);
    assertThat(H2loadReport.parse(text(sample), log))
        .isEqualTo(new LoadResult(requests, rate, 50, 90, 99, errors));
  }

  @Test
  void h2loadWithoutAnswersHasNoLatencies() throws IOException {
    assertThat(H2loadReport.parse(text("h2load-refused.txt"), Stream.empty()).p99Millis()).isZero();
  }

  @Test
  void fioIsRead() throws IOException {
    assertThat(FioReport.parse(text("fio.json")))
        .isEqualTo(new FioReport(2102.669405, 183296, 4947968));
    assertThatThrownBy(() -> FioReport.parse("{\"jobs\" : []}")).hasMessageContaining("jobs");
  }

  @Test
  void ddIsRead() throws IOException {
    assertThat(
            FlushBenchmark.ddSeconds(
                """
                200+0 records in
                200+0 records out
                819200 bytes (819 kB, 800 KiB) copied, 0.22892 s, 3.6 MB/s
                """))
        .isEqualTo(0.22892);
    assertThatThrownBy(() -> FlushBenchmark.ddSeconds("dd: no space"))
        .hasMessageContaining("space");
  }

  private static String text(String sample) throws IOException {
    try (var in = ReportTest.class.getResourceAsStream(sample)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
