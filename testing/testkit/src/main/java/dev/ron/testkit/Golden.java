package dev.ron.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A generated text that is kept in the repository and compared in every build.
 *
 * <p>{@code -Dron.golden=write} writes it anew; the change is then read in review like any other.
 */
public final class Golden {
  private Golden() {}

  /** Compares with a file of the project, named from its root. */
  public static void matches(String path, String actual) throws IOException {
    Path file = Path.of(System.getProperty("ron.root", ".")).resolve(path);
    if ("write".equals(System.getProperty("ron.golden"))) {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, actual);
    }
    assertThat(actual)
        .as("%s is out of date; look at the difference, then -Dron.golden=write", path)
        .isEqualTo(Files.exists(file) ? Files.readString(file) : "(missing)");
  }
}
