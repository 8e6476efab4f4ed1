package dev.ron.tidy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A small tree and exactly what every rule together finds in it: {@code rule file:line}, sorted,
 * separated by commas, or nothing.
 */
record Planted(String name, String expected, List<SourceFile> files) {
  /** Every type that is planted somewhere, so that a map without one is planted on purpose. */
  private static final String WORDS =
      "A, Planted, Shape, EdgeClusterService, EdgeClusterConfig, EdgeS3ClusterService, "
          + "EdgeS3ClusterConfig, "
          + Stream.of("Gateway", "Edge", "Mailbox", "Storage", "Rewarder")
              .flatMap(s -> Stream.of("Service", "Config", "Fault", "Metrics").map(s::concat))
              .collect(Collectors.joining(", "));

  static final Tidy TIDY = Tidy.ofProject(Path.of("/nowhere/of/note"));

  /** The body of a method of a kernel class; its first line is line 6. */
  static Planted call(String expected, String statement) {
    return call("kernel/src/main/java/dev/ron/kernel/Planted.java", expected, statement);
  }

  /** The body of a method of a class at this path; its first line is line 6. */
  static Planted call(String path, String expected, String statement) {
    return file(
        path, expected, "/** A thing. */\nfinal class Plant {\n  void act() {\n", statement);
  }

  /** A type at this path, from line 3 on. */
  static Planted type(String path, String expected, String type) {
    return file(path, expected, "", type);
  }

  /** A tree of these files and no other. */
  static Planted tree(String name, String expected, SourceFile... files) {
    return new Planted(name, expected, List.of(files));
  }

  private static Planted file(String path, String expected, String before, String text) {
    String packageName = SourceFile.of(path, "").packageName();
    String after = before.isEmpty() ? "" : "\n  }\n}\n";
    var files = new ArrayList<>(around(path));
    files.removeIf(f -> f.path().equals(path));
    files.add(SourceFile.of(path, "package " + packageName + ";\n\n" + before + text + after));
    return new Planted(path + ": " + text.strip(), expected, files);
  }

  /** What must lie beside a file for it to be the only thing wrong. */
  private static List<SourceFile> around(String path) {
    var file = SourceFile.of(path, "");
    if (file.isUnder("services")) {
      String service = file.module().substring("services/".length());
      var files = new ArrayList<>(service(service));
      if (!file.packageName().equals("dev.ron." + service)) {
        files.add(packageInfo(file.module(), file.packageName()));
      }
      return files;
    }
    return file.isMainJava() ? List.of(packageInfo(file.module(), file.packageName())) : List.of();
  }

  /** A service with its whole skeleton and nothing in it. */
  static List<SourceFile> service(String name) {
    String noun = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    String home = "dev.ron." + name;
    var files = new ArrayList<SourceFile>();
    for (String last : List.of("Service", "Config", "Fault", "Metrics")) {
      files.add(
          java(
              "services/" + name,
              home,
              noun + last,
              "/** The " + name + "'s. */\nfinal class " + noun + last + " {}\n"));
    }
    files.add(packageInfo("services/" + name, home));
    return files;
  }

  static SourceFile packageInfo(String module, String packageName) {
    String path = module + "/src/main/java/" + packageName.replace('.', '/') + "/package-info.java";
    return SourceFile.of(
        path,
        "/** Words: one; "
            + WORDS
            + ". */\n@org.jspecify.annotations.NullMarked\npackage "
            + packageName
            + ";\n");
  }

  static SourceFile java(String module, String packageName, String noun, String type) {
    String path = module + "/src/main/java/" + packageName.replace('.', '/') + "/" + noun + ".java";
    return SourceFile.of(path, "package " + packageName + ";\n\n" + type);
  }

  /**
   * A pom of a module; each dependency is {@code group:artifact} or {@code group:artifact:scope}.
   */
  static SourceFile pom(String module, String... dependencies) {
    var text = new StringBuilder("<project>\n<artifactId>");
    text.append(module, module.lastIndexOf('/') + 1, module.length()).append("</artifactId>\n");
    text.append("<dependencies>\n");
    for (String dependency : dependencies) {
      String[] cells = (dependency + ":compile").split(":", -1);
      text.append("<dependency><groupId>").append(cells[0]).append("</groupId>");
      text.append("<artifactId>").append(cells[1]).append("</artifactId>");
      text.append("<scope>").append(cells[2]).append("</scope></dependency>\n");
    }
    return SourceFile.of(module + "/pom.xml", text + "</dependencies>\n</project>\n");
  }

  /** What is wrong in the tree, in the words of {@code expected}. */
  String found() {
    var tree = SourceTree.of(files.toArray(SourceFile[]::new));
    return TIDY.run(tree, Exemptions.parse("")).findings().stream()
        .map(
            f ->
                f.rule() + " " + f.path().substring(f.path().lastIndexOf('/') + 1) + ":" + f.line())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** The rules this tree proves. */
  List<String> rules() {
    return Arrays.stream(expected.split(", ", -1))
        .filter(e -> !e.isEmpty())
        .map(e -> e.substring(0, e.indexOf(' ')))
        .toList();
  }

  @Override
  public String toString() {
    return (expected.isEmpty() ? "clean" : expected) + " <- " + name.replace('\n', ' ');
  }
}
