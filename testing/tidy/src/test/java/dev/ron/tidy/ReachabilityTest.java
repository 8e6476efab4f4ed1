package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReachabilityTest {
  private static final Path ROOT = Path.of(System.getProperty("ron.root"));

  /** The product's main, and what the JDK or a library loads by its name. */
  private static final List<String> ROOTS =
      List.of(
          "dev.ron.node.Ron",
          // Hidden classes: defined from their bytes once the vector module is there.
          "dev.ron.blake3.kernel.VectorLanes",
          "dev.ron.erasure.VectorKernel",
          // Named in META-INF/services for Ratis.
          "dev.ron.raft.NoRatisMetrics");

  /** Types that ship although the product's main does not reach them, each with its reason. */
  private static final List<String> EQUIPMENT =
      List.of(
          // Test equipment for every module: trees stepped in virtual time, and their tables.
          "dev.ron.kernel.supervise.SteppedTree",
          // Counts an epoch without a service, for the benchmark and for comparing with Spark.
          "dev.ron.rewarder.score.Aggregation",
          "dev.ron.kernel.time.VirtualTime",
          "dev.ron.kernel.registry.RegistryTable");

  @Test
  void everythingThatShipsIsReachedFromTheMain() throws IOException {
    var compiled =
        SourceTree.read(ROOT).mainJava().stream()
            .filter(Product::has)
            .map(file -> ROOT.resolve(file.module()).resolve("target/classes"))
            .distinct()
            .toList();
    for (Path folder : compiled) {
      assumeTrue(Files.isDirectory(folder), "NOT RUN: " + folder + " is not compiled");
    }
    var classes = new ClassFileImporter().importPaths(compiled);
    var roots = Stream.concat(ROOTS.stream(), EQUIPMENT.stream()).toList();
    assertThat(new Reachability(classes).unreachedFrom(roots))
        .as("types that no main reaches: wire them or delete them")
        .isEmpty();
    assertThat(new Reachability(classes).unreachedFrom(ROOTS))
        .as("equipment that the product reaches after all: take it off the list")
        .containsAll(EQUIPMENT);
  }

  @Test
  void aPlantedTypeThatNothingNamesIsFound() {
    var classes = new ClassFileImporter().importPackages("dev.ron.tidy.planted");
    var all = classes.stream().map(c -> c.getName()).collect(Collectors.toCollection(TreeSet::new));
    assertThat(new Reachability(classes).unreachedFrom(all)).isEmpty();
    assertThat(
            new Reachability(classes).unreachedFrom(List.of("dev.ron.tidy.planted.edge.Neighbour")))
        .contains("dev.ron.tidy.planted.kernel.Upward")
        .doesNotContain("dev.ron.tidy.planted.edge.Neighbour");
  }
}
