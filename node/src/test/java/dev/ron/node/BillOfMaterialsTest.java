package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Golden;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What of others goes with the program is written down, and a change of it is read in review. */
final class BillOfMaterialsTest {
  private static final Path ROOT = Path.of(System.getProperty("ron.root", "."));

  @Test
  void theBillNamesEveryJarOfTheDistribution() throws Exception {
    var mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    ObjectNode bill = mapper.createObjectNode();
    bill.put("bomFormat", "CycloneDX").put("specVersion", "1.6").put("version", 1);
    bill.putObject("metadata")
        .putObject("component")
        .put("type", "application")
        .put("name", "ron")
        .put("version", "0.1.0");
    var components = bill.putArray("components");
    for (RuntimeJar jar : RuntimeJar.all()) {
      String purl = "pkg:maven/%s/%s@%s".formatted(jar.group(), jar.artifact(), jar.version());
      ObjectNode component = components.addObject().put("type", "library");
      component
          .put("group", jar.group())
          .put("name", jar.artifact())
          .put("version", jar.version())
          .put(
              "purl", jar.classifier().isEmpty() ? purl : purl + "?classifier=" + jar.classifier());
      component.putArray("hashes").addObject().put("alg", "SHA-256").put("content", jar.sha256());
      var licences = component.putArray("licenses");
      for (String name : jar.licences()) {
        licences.addObject().putObject("license").put("name", name);
      }
    }
    assertThat(components.size()).isGreaterThan(20);
    Golden.matches("packaging/bom.json", mapper.writeValueAsString(bill) + "\n");
  }

  @Test
  void everyArtifactHasOneVersionThatStays() throws Exception {
    Map<String, TreeSet<String>> versions = new TreeMap<>();
    for (RuntimeJar jar : RuntimeJar.all()) {
      assertThat(jar.version()).as(jar.coordinates()).doesNotContain("SNAPSHOT");
      versions
          .computeIfAbsent(jar.group() + ":" + jar.artifact(), _ -> new TreeSet<>())
          .add(jar.version());
    }
    assertThat(versions).allSatisfy((name, found) -> assertThat(found).as(name).hasSize(1));
    Pattern floating = Pattern.compile("<version>[^<]*([\\[(,]|LATEST|RELEASE|SNAPSHOT)[^<]*<");
    for (Path pom : poms()) {
      assertThat(floating.matcher(Files.readString(pom)).find()).as(pom.toString()).isFalse();
    }
  }

  private static List<Path> poms() throws Exception {
    Path root = ROOT.resolve("pom.xml");
    var modules = Pattern.compile("<module>([^<]+)</module>").matcher(Files.readString(root));
    return Stream.concat(
            Stream.of(root),
            modules.results().map(module -> ROOT.resolve(module.group(1)).resolve("pom.xml")))
        .toList();
  }

  /** Which of two classes of one name is loaded would be decided by the order of a folder. */
  @Test
  void noClassIsInTwoJars() throws Exception {
    Map<String, String> seen = new TreeMap<>();
    Map<String, String> twice = new TreeMap<>();
    for (RuntimeJar jar : RuntimeJar.all()) {
      try (var file = new JarFile(jar.file().toFile())) {
        for (String entry : file.stream().map(Object::toString).collect(Collectors.toSet())) {
          boolean counts =
              entry.endsWith(".class")
                  && !entry.startsWith("META-INF/")
                  && !entry.endsWith("module-info.class")
                  && !entry.endsWith("package-info.class");
          String other = counts ? seen.put(entry, jar.coordinates()) : null;
          if (other != null) {
            twice.put(entry, other + " and " + jar.coordinates());
          }
        }
      }
    }
    assertThat(seen).hasSizeGreaterThan(1000);
    assertThat(twice).isEmpty();
  }

  /** Offline: the list is kept by hand from published advisories, each line with its reason. */
  @Test
  void nothingThatIsKnownToBeBadGoesAlong() throws Exception {
    List<String> lines =
        Files.readAllLines(ROOT.resolve("packaging/denied-dependencies.txt")).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    assertThat(lines).hasSizeGreaterThan(3).allMatch(line -> line.matches("\\S+ \\S+ \\S.*"));
    for (RuntimeJar jar : RuntimeJar.all()) {
      String name = jar.group() + ":" + jar.artifact();
      for (String line : lines) {
        String[] parts = line.split(" ", 3);
        boolean denied = name.matches(parts[0]) && jar.version().matches(parts[1]);
        assertThat(denied).as("%s: %s", jar.coordinates(), parts[2]).isFalse();
      }
    }
  }
}
