package dev.ron.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test that the page of attacks names is there, and every group has one. */
final class AttackPageTest {
  private static final Path ROOT = Path.of("../..");
  private static final int GROUPS = 20;
  private static final Pattern NAMED = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

  private static Map<String, Path> tests() throws IOException {
    try (Stream<Path> door = Files.walk(ROOT.resolve("services/storage-s3/src/test/java"));
        Stream<Path> signatures = Files.walk(ROOT.resolve("lib/sigv4/src/test/java"))) {
      return Stream.concat(door, signatures)
          .filter(file -> file.toString().endsWith("Test.java"))
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString().replace(".java", ""), Function.identity()));
    }
  }

  @Test
  void everyGroupNamesTestsThatAreThere() throws Exception {
    List<String> page = Files.readAllLines(ROOT.resolve("docs/services/s3-attacks.md"));
    Map<String, Path> tests = tests();
    for (String line : page) {
      for (var named : NAMED.matcher(line).results().toList()) {
        assertThat(tests).containsKey(named.group(1));
        assertThat(Files.readString(tests.get(named.group(1))))
            .as(named.group())
            .contains("void " + named.group(2) + "(");
      }
    }
    for (int group = 1; group <= GROUPS; group++) {
      String begins = "| " + group + ". ";
      assertThat(page).anyMatch(line -> line.startsWith(begins) && NAMED.matcher(line).find());
    }
  }
}
