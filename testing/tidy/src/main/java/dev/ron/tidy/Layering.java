package dev.ron.tidy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks dependencies to point one way, node to services to lib to kernel, as the poms declare them.
 *
 * <p>Services do not use each other, except {@code X-cluster}, which is {@code X} on several
 * machines.
 *
 * <p>A test over the compiled classes asks the same of what the code really uses.
 */
final class Layering implements Rule {
  /** The kernel is the JDK, the metrics client, and annotations that only the compiler reads. */
  static final Set<String> KERNEL_GROUPS =
      Set.of("io.prometheus", "org.jspecify", "com.google.errorprone");

  @Override
  public String name() {
    return "layering";
  }

  @Override
  public String why() {
    return "Dependencies point one way, so a layer is understood without those above it.";
  }

  @Override
  public List<Finding> check(SourceTree tree) {
    var poms =
        tree.files().stream()
            .filter(f -> f.path().endsWith("/pom.xml") && !f.path().contains("/src/"))
            .map(Pom::parse)
            .toList();
    var moduleOf = new HashMap<String, String>();
    poms.forEach(pom -> moduleOf.put(pom.artifact(), pom.module()));
    var found = new ArrayList<Finding>();
    poms.forEach(pom -> check(pom, moduleOf, found));
    for (SourceFile file : tree.mainJava()) {
      String home = "dev.ron." + lastStep(file.module()).replace('-', '.');
      if (!(file.packageName() + ".").startsWith(home + ".")) {
        found.add(new Finding(file.path(), 1, name(), "package " + home + ", as its folder"));
      }
    }
    return found;
  }

  private void check(Pom pom, Map<String, String> moduleOf, List<Finding> found) {
    var layer = Layer.of(pom.module());
    if (layer.isEmpty()) {
      found.add(
          new Finding(
              pom.path(), 1, name(), "a folder of a known layer: " + List.of(Layer.values())));
      return;
    }
    if (!pom.artifact().equals(lastStep(pom.module()))) {
      found.add(
          new Finding(
              pom.path(), 1, name(), "artifact " + lastStep(pom.module()) + ", as its folder"));
    }
    for (var dependency : pom.dependencies()) {
      if (!allowed(pom.module(), layer.get(), dependency, moduleOf)) {
        found.add(
            new Finding(
                pom.path(),
                dependency.line(),
                name(),
                layer.get()
                    + " may not use "
                    + dependency.artifact()
                    + (dependency.isForTests() ? " even in tests" : "")
                    + ": node -> services -> lib -> kernel"));
      }
    }
  }

  private static boolean allowed(
      String module, Layer layer, Pom.Dependency dependency, Map<String, String> moduleOf) {
    if (!dependency.isOurs()) {
      return layer != Layer.KERNEL
          || dependency.isForTests()
          || KERNEL_GROUPS.contains(dependency.group());
    }
    String other = moduleOf.getOrDefault(dependency.artifact(), "");
    return Layer.isBeside(module, other)
        || Layer.of(other)
            .filter(t -> dependency.isForTests() ? layer.testsMayUse(t) : layer.mayUse(t))
            .isPresent();
  }

  private static String lastStep(String module) {
    return module.substring(module.lastIndexOf('/') + 1);
  }
}
