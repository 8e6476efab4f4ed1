package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClassLayeringTest {
  private static final ClassLayering PLANTED =
      new ClassLayering(
          "dev.ron.tidy.planted",
          Map.of(
              "kernel", "kernel",
              "http", "lib/http",
              "edge", "services/edge",
              "edge.cluster", "services/edge-cluster",
              "gateway", "services/gateway",
              "kit", "testing/kit"));

  private static final Path ROOT = Path.of(System.getProperty("ron.root"));

  /** Modules with main code, by their package: {@code a.b} is in a folder {@code a-b}. */
  private static Map<String, String> modules;

  @BeforeAll
  static void readTheProject() throws IOException {
    modules = new TreeMap<>();
    for (SourceFile file : SourceTree.read(ROOT).mainJava()) {
      String module = file.module();
      modules.put(module.substring(module.lastIndexOf('/') + 1).replace('-', '.'), module);
    }
  }

  static Collection<String> folders() {
    return modules.values();
  }

  @ParameterizedTest
  @MethodSource("folders")
  void theCompiledModulePointsOneWay(String module) {
    Path compiled = ROOT.resolve(module).resolve("target/classes");
    // The pom puts the kernel before this module, so there its classes are always compiled.
    assumeTrue(
        module.equals("kernel") || Files.isDirectory(compiled),
        "NOT RUN: " + module + " is not compiled; only its pom is checked");
    var classes = new ClassFileImporter().importPath(compiled);
    assertThat(classes).as("classes of " + module).isNotEmpty();
    var layering = new ClassLayering("dev.ron", modules);
    layering.pointsOneWay().check(classes);
    layering.kernelStandsAlone().check(classes);
  }

  @Test
  void plantedClassesThatPointTheWrongWayAreFound() {
    var classes = new ClassFileImporter().importPackages("dev.ron.tidy.planted");
    assertThat(offenders(PLANTED.pointsOneWay().evaluate(classes).getFailureReport().toString()))
        .containsExactlyInAnyOrder(
            "edge.Neighbour", "edge.cluster.Stranger", "gateway.Tested", "kernel.Upward");
    assertThat(
            offenders(PLANTED.kernelStandsAlone().evaluate(classes).getFailureReport().toString()))
        .containsExactlyInAnyOrder("kernel.Foreign", "kernel.Upward");
  }

  /** The classes a report blames: each of its lines starts with the one that depends. */
  private static Set<String> offenders(String report) {
    return Pattern.compile(
            "^(?:Method|Constructor|Field|Class)"
                + " <dev\\.ron\\.tidy\\.planted\\.((?:[a-z]+\\.)+\\w+)",
            Pattern.MULTILINE)
        .matcher(report)
        .results()
        .map(m -> m.group(1))
        .collect(Collectors.toSet());
  }
}
