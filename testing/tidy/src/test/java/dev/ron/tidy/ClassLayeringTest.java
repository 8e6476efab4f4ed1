package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ClassLayeringTest {
  private static final ClassLayering PLANTED =
      new ClassLayering(
          "dev.ron.tidy.planted",
          Map.of(
              "kernel", "kernel",
              "http", "lib/http",
              "edge", "services/edge",
              "gateway", "services/gateway",
              "kit", "testing/kit"));

  @Test
  void theCompiledProjectPointsOneWay() throws IOException {
    Path root = Path.of(System.getProperty("ron.root"));
    var moduleOf = new HashMap<String, String>();
    var compiled = new ArrayList<Path>();
    for (SourceFile file : SourceTree.read(root).mainJava()) {
      String module = file.module();
      Path classes = root.resolve(module).resolve("target/classes");
      String step = module.substring(module.lastIndexOf('/') + 1);
      if (moduleOf.put(step, module) == null && Files.isDirectory(classes)) {
        compiled.add(classes);
      }
    }
    // The poms put the kernel before this module, so its classes are always there.
    assertThat(compiled).contains(root.resolve("kernel/target/classes"));
    var classes = new ClassFileImporter().importPaths(compiled);
    assertThat(classes.contain("dev.ron.kernel.World")).isTrue();
    var layering = new ClassLayering("dev.ron", moduleOf);
    layering.pointsOneWay().check(classes);
    layering.kernelStandsAlone().check(classes);
  }

  @Test
  void plantedClassesThatPointTheWrongWayAreFound() {
    var classes = new ClassFileImporter().importPackages("dev.ron.tidy.planted");
    assertThat(offenders(PLANTED.pointsOneWay().evaluate(classes).getFailureReport().toString()))
        .containsExactlyInAnyOrder("edge.Neighbour", "gateway.Tested", "kernel.Upward");
    assertThat(
            offenders(PLANTED.kernelStandsAlone().evaluate(classes).getFailureReport().toString()))
        .containsExactlyInAnyOrder("kernel.Foreign", "kernel.Upward");
  }

  /** The classes a report blames: each of its lines starts with the one that depends. */
  private static java.util.Set<String> offenders(String report) {
    return Pattern.compile(
            "^(?:Method|Constructor|Field|Class) <dev\\.ron\\.tidy\\.planted\\.(\\w+\\.\\w+)",
            Pattern.MULTILINE)
        .matcher(report)
        .results()
        .map(m -> m.group(1))
        .collect(java.util.stream.Collectors.toSet());
  }
}
