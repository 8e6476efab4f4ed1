package dev.ron.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Asks all services to have the same files, and packages by subject instead of drawers. What serves
 * several machines is a module {@code X-cluster}, and what speaks to other clients is one named
 * after their protocol; each has a wiring and settings of its own.
 */
final class Skeleton implements Rule {
  /** What a module beside its service is for, and what its files are called. */
  private static final Map<String, String> BESIDE =
      Map.of("cluster", "Cluster", "s3", "S3", "s3-cluster", "S3Cluster", "sqs", "Sqs");

  private static final List<String> FILES = List.of("Service", "Config", "Fault", "Metrics");

  /** Packages named after what code is instead of its subject fill up with everything. */
  private static final Set<String> DRAWERS =
      Set.of("task", "disk", "wire", "model", "common", "util", "impl", "service", "misc");

  @Override
  public String name() {
    return "skeleton";
  }

  @Override
  public String why() {
    return "Five services, one skeleton: knowing one is knowing all.";
  }

  @Override
  public List<Finding> check(SourceTree tree) {
    var services = new TreeSet<String>();
    for (String path : tree.paths()) {
      String[] steps = path.split("/", -1);
      if (steps.length > 2 && steps[0].equals("services")) {
        services.add(steps[1]);
      }
    }
    return services.stream().flatMap(service -> check(tree, service).stream()).toList();
  }

  private List<Finding> check(SourceTree tree, String service) {
    int dash = service.indexOf('-');
    String alone = dash < 0 ? service : service.substring(0, dash);
    String beside = dash < 0 ? "" : BESIDE.getOrDefault(service.substring(dash + 1), "");
    String noun = alone.substring(0, 1).toUpperCase(Locale.ROOT) + alone.substring(1) + beside;
    String module = "services/" + service;
    String home = "dev.ron." + service.replace('-', '.');
    String folder = module + "/src/main/java/" + home.replace('.', '/') + "/";
    var found = new ArrayList<Finding>();
    for (String last : beside.isEmpty() ? FILES : FILES.subList(0, 2)) {
      String wanted = folder + noun + last + ".java";
      if (tree.file(wanted).isEmpty()) {
        found.add(new Finding(wanted, 1, name(), "write it: every service has its " + last));
      }
    }
    if (tree.file(folder + "package-info.java").isEmpty()) {
      found.add(
          new Finding(
              folder + "package-info.java", 1, name(), "write it: ten lines, word -> file"));
    }
    for (SourceFile file : tree.mainJava()) {
      if (file.module().equals(module) && !isRoom(file.packageName(), home)) {
        found.add(
            new Finding(
                file.path(), 1, name(), home + ".{api,core} or one package for each subject"));
      }
    }
    return found;
  }

  private static boolean isRoom(String packageName, String home) {
    return packageName.equals(home)
        || (packageName.startsWith(home + ".")
            && Stream.of(packageName.substring(home.length() + 1).split("\\.", -1))
                .noneMatch(DRAWERS::contains));
  }
}
