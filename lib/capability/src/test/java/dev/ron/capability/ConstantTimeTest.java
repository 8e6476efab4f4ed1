package dev.ron.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Timing cannot be tested reliably, so the source is: one place compares secrets, and it uses the
 * JDK's comparison that does not stop at the first difference.
 */
class ConstantTimeTest {
  private static final Path SOURCES =
      Path.of(System.getProperty("ron.root", "../.."), "lib/capability/src/main/java");

  @Test
  void secretsAreComparedInOnePlaceInConstantTime() throws IOException {
    int comparisons = 0;
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        String source = Files.readString(file, UTF_8);
        assertThat(source)
            .as("%s compares bytes early-out", file)
            .doesNotContain("Arrays.equals(", "Arrays.compare(", "Arrays.mismatch(");
        comparisons += source.split("MessageDigest\\.isEqual\\(", -1).length - 1;
      }
    }
    assertThat(comparisons).isEqualTo(1);
    assertThat(SignatureChain.same(new byte[32], new byte[32])).isTrue();
    assertThat(SignatureChain.same(new byte[32], new byte[31])).isFalse();
  }
}
