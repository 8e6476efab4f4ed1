package dev.ron.capability.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPrefixTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          prefix   | path        | covers
          /        | /           | true
          /        | /o          | true
          /        | orders      | false
          /o       | /o          | true
          /o       | /o/         | true
          /o       | /o/a        | true
          /o       | /o.txt      | false
          /o       | /other      | false
          /o       | /           | false
          /o       | /O          | false
          /o/      | /o/         | true
          /o/      | /o/a/b      | true
          /o/      | /o          | false
          /o/      | /other      | false
          /o/a     | /o/a%20b    | false
          orders   | orders      | true
          orders   | orders.eu   | true
          orders   | orders/eu   | true
          orders   | orders2     | false
          orders   | orders-eu   | false
          orders   | /orders     | false
          orders.  | orders.eu   | true
          orders.  | orders      | false
          orders.  | orders/eu   | false
          """,
      useHeadersInDisplayName = true)
  void aPrefixCoversWholeSegments(String prefix, String path, boolean covers) {
    assertThat(CaveatPath.ambiguity(path)).isEmpty();
    assertThat(PathPrefix.covers(prefix, path)).isEqualTo(covers);
  }
}
