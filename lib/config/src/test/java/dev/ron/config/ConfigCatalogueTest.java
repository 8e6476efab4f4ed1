package dev.ron.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.config.source.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What is printed, compared with files kept beside the test. Run with {@code -Dron.golden=write} to
 * write them anew, and read the difference before committing it.
 */
class ConfigCatalogueTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");

  private final ConfigCatalogue catalogue =
      Sample.of(
              Map.of("sample.shard_count", "4"),
              Map.of("RON_SAMPLE__FLUSH", "interval", "RON_SAMPLE__TOKEN", "hunter2"),
              """
              [sample]
              danger_ok = true
              origins = ["https://a.example", "\\u001b[2J"]
              [sample.limits]
              body_bytes = "2MiB"
              [[sample.routes]]
              prefix = "/a"
              upstreams = ["http://127.0.0.1:1"]
              """)
          .catalogue();

  private static void assertGolden(String name, String actual) throws IOException {
    Path file = GOLDEN.resolve(name);
    if ("write".equals(System.getProperty("ron.golden"))) {
      Files.createDirectories(GOLDEN);
      Files.writeString(file, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(file));
  }

  @Test
  void theTableShowsEachValueAndItsOrigin() throws IOException {
    assertGolden("table.txt", catalogue.table());
  }

  @Test
  void theJsonShowsTheSame() throws IOException {
    assertGolden("config.json", catalogue.json());
  }

  @Test
  void theReferenceShowsWhatCanBeSet() throws IOException {
    assertGolden("reference.md", catalogue.reference());
  }

  @Test
  void theReferenceDoesNotDependOnWhatIsSet() {
    assertThat(Sample.toml("").catalogue().reference()).isEqualTo(catalogue.reference());
  }

  @Test
  void oneSectionCanBeShownAlone() {
    ConfigCatalogue alone = catalogue.of("sample");
    assertThat(alone.entry("danger_ok")).isEmpty();
    assertThat(alone.entry("sample.danger_ok")).isPresent();
    assertThat(catalogue.of("samp").entries()).isEmpty();
    assertThat(alone.declarations()).hasSize(catalogue.declarations().size() - 1);
  }
}
