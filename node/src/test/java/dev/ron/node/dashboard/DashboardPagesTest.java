package dev.ron.node.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard's files, as files; {@code DashboardTest} looks at them in a browser. */
class DashboardPagesTest {
  private static final Path FOLDER = Path.of("src/main/resources/dev/ron/node/dashboard");

  @Test
  void everyFileOfTheFolderIsServedAndNoOther() throws Exception {
    try (var files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(DashboardPages.FILES.keySet());
    }
  }

  @Test
  void aFileNamesOnlyFilesThatAreServed() {
    var named = Pattern.compile("(?:from |src=|href=)\"(?:\\./)?([a-z0-9]+\\.(?:js|css|svg))\"");
    for (String file : DashboardPages.FILES.keySet()) {
      var text = new String(DashboardPages.read(file), StandardCharsets.UTF_8);
      named
          .matcher(text)
          .results()
          .forEach(match -> assertThat(DashboardPages.FILES).as(file).containsKey(match.group(1)));
    }
  }

  /** Text of a service must never become markup, and no other host is ever named. */
  @Test
  void noPageWritesMarkupOrNamesAnotherHost() {
    for (String file : DashboardPages.FILES.keySet()) {
      var text = new String(DashboardPages.read(file), StandardCharsets.UTF_8);
      assertThat(text)
          .as(file)
          .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
          .doesNotContainPattern("https?://(?!www\\.w3\\.org/2000/svg)");
    }
  }
}
