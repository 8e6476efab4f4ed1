package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Golden;
import java.io.IOException;
import java.nio.file.Path;
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
}
