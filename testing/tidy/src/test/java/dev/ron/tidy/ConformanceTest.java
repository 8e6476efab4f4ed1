package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Golden;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of the seeds' statements; the rule itself is run by {@code TidyTest}. */
final class ConformanceTest {
  @Test
  void thePageSaysWhatTheTestsShow() throws IOException {
    SourceTree tree = SourceTree.read(Path.of(System.getProperty("ron.root")));
    ConformancePage page = ConformancePage.of(tree);
    // For the reader of the build's output: how far it is.
    System.out.print(page.counts());
    assertThat(new Conformance().check(tree)).isEmpty();
    Golden.matches("docs/conformance.md", page.markdown());
  }

  /** The review itself is a person's; that it has an owner, a day and a list is not. */
  @Test
  @SeedRow({"E104", "E105", "G96", "G97", "M111", "M112", "M113", "R83", "S77"})
  void theConcurrencyPagesHaveAnOwnerADayAndAChecklist() throws IOException {
    Path folder = Path.of(System.getProperty("ron.root"), "docs/concurrency");
    String page = Files.readString(folder.resolve("README.md"));
    assertThat(page).containsPattern("(?m)^Owner: \\S+").contains("Review: every 90 days");
    var day = Pattern.compile("(?m)^Last reviewed: (\\S+)$").matcher(page);
    assertThat(day.find()).isTrue();
    assertThat(LocalDate.parse(day.group(1))).isAfter(LocalDate.of(2026, 1, 1));
    assertThat(page).contains("-Dron.golden=write", "LincheckTest", "docs/conformance");
    try (var pages = Files.list(folder)) {
      assertThat(pages.map(p -> p.getFileName().toString()).filter(p -> !p.equals("README.md")))
          .isNotEmpty()
          .allSatisfy(name -> assertThat(page).contains("(" + name + ")"));
    }
    assertThat(Files.readString(folder.resolve("../../CONTRIBUTING.md")))
        .contains("docs/concurrency/README.md");
  }
}
