package dev.ron.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** This module has no parent, so what it pins must be held equal to what the root pins. */
final class PinnedVersionsTest {
  private static final Path ROOT = Path.of(System.getProperty("ron.root"));
  private static final Pattern PROPERTY = Pattern.compile("<([a-z-]+\\.version)>([^<]+)</");
  private static final Pattern PLUGIN =
      Pattern.compile(
          "<artifactId>([a-z-]+-maven-plugin|maven-[a-z]+-plugin)</artifactId>\\s*<version>([^<]+)</");
  private static final Pattern OWN =
      Pattern.compile("<(artifactId)>(?:ron|checks)</artifactId>\\s*<version>([^<]+)</");

  @Test
  void versionsOfLibrariesAreThoseOfTheRoot() throws Exception {
    assertSame(PROPERTY, 6);
  }

  @Test
  void versionsOfPluginsAreThoseOfTheRoot() throws Exception {
    assertSame(PLUGIN, 9);
  }

  @Test
  void theVersionIsThatOfTheRoot() throws Exception {
    assertSame(OWN, 1);
  }

  @Test
  void theTestJvmOpensWhatMavensJvmOpens() throws Exception {
    String pom = Files.readString(ROOT.resolve("checks/pom.xml"));
    assertThat(Files.readAllLines(ROOT.resolve(".mvn/jvm.config")))
        .filteredOn(line -> line.contains("jdk.compiler/"))
        .hasSize(10)
        .allSatisfy(line -> assertThat(pom).contains(line));
  }

  /**
   * What {@code mvnw} loads once for all compilations comes before what the poms name: with another
   * version it would check in its place. Error Prone's own libraries are on this class path too.
   */
  @Test
  void theChecksThatAreSharedAreThoseOfThePoms() throws Exception {
    Map<String, String> versions = matches(PROPERTY, "pom.xml");
    var jars = new TreeMap<String, String>();
    for (String line : Files.readAllLines(ROOT.resolve(".mvn/wrapper/shared-checks.txt"))) {
      if (!line.startsWith("#")) {
        String[] part = line.split(":", -1);
        jars.put(part[1], part[2]);
      }
    }
    assertThat(jars)
        .containsEntry("error_prone_core", versions.get("error-prone.version"))
        .containsEntry("nullaway", versions.get("nullaway.version"));
    String classPath = System.getProperty("java.class.path");
    var elsewhere = Set.of("nullaway", "dataflow-nullaway", "checker-qual", "jspecify");
    jars.forEach(
        (name, version) -> {
          if (!elsewhere.contains(name)) {
            assertThat(classPath).contains("/" + name + "-" + version + ".jar");
          }
        });
  }

  private static void assertSame(Pattern pinned, int count) throws Exception {
    Map<String, String> here = matches(pinned, "checks/pom.xml");
    Map<String, String> root = matches(pinned, "pom.xml");
    assertThat(here).hasSize(count);
    assertThat(root).containsAllEntriesOf(here);
  }

  private static Map<String, String> matches(Pattern pattern, String pom) throws Exception {
    Map<String, String> found = new TreeMap<>();
    pattern
        .matcher(Files.readString(ROOT.resolve(pom)))
        .results()
        .forEach(match -> found.putIfAbsent(match.group(1), match.group(2)));
    return found;
  }
}
