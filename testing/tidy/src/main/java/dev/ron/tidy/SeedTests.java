package dev.ron.tidy;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.MethodTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which tests show which statements: those that say so by {@code SeedRow}, and those that a
 * statement names.
 *
 * <p>Threading: immutable.
 */
record SeedTests(List<Shown> shown) {
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");
  private static final Set<String> RUN =
      Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "FuzzTest", "Property");

  /**
   * One test and one id it names.
   *
   * @param runs whether it is a test at all, and one that is switched on
   * @param isLong whether only the long run has it
   */
  record Shown(String id, SourceFile file, int line, String method, boolean runs, boolean isLong) {
    String test() {
      return file.fileName().replace(".java", "") + "." + method;
    }
  }

  static SeedTests in(SourceTree tree) {
    var shown = new ArrayList<Shown>();
    for (SourceFile file : tree.files()) {
      if (file.isTestJava() && file.code().contains("@SeedRow")) {
        for (MethodTree method : file.syntax().methods()) {
          for (String id : ids(method)) {
            shown.add(shown(id, file, method));
          }
        }
      }
    }
    return new SeedTests(List.copyOf(shown));
  }

  /** The test that a statement names as {@code Class#method}. */
  static Optional<Shown> named(SourceTree tree, String id, String name) {
    String[] parts = (name + "#").split("#", -1);
    return tree.files().stream()
        .filter(f -> f.isTestJava() && f.fileName().equals(parts[0] + ".java"))
        .flatMap(
            f ->
                f.syntax().methods().stream()
                    .filter(m -> m.getName().contentEquals(parts[1]))
                    .map(m -> shown(id, f, m)))
        .findFirst();
  }

  private static Shown shown(String id, SourceFile file, MethodTree method) {
    List<String> names = names(method);
    boolean runs = names.stream().anyMatch(RUN::contains) && !file.code().contains("@Disabled");
    boolean isLong = file.text().contains("@Tag(\"long\")") && isLong(file, method);
    return new Shown(
        id, file, file.syntax().line(method), method.getName().toString(), runs, isLong);
  }

  // On the method, or above the class, where the line begins with it.
  private static boolean isLong(SourceFile file, MethodTree method) {
    return method.getModifiers().toString().contains("@Tag(\"long\")")
        || file.text().lines().anyMatch(line -> line.startsWith("@Tag(\"long\")"));
  }

  private static List<String> ids(MethodTree method) {
    return method.getModifiers().getAnnotations().stream()
        .filter(a -> name(a).equals("SeedRow"))
        .flatMap(a -> QUOTED.matcher(a.getArguments().toString()).results())
        .map(m -> m.group(1))
        .toList();
  }

  private static List<String> names(MethodTree method) {
    return method.getModifiers().getAnnotations().stream().map(SeedTests::name).toList();
  }

  private static String name(AnnotationTree annotation) {
    String whole = annotation.getAnnotationType().toString();
    return whole.substring(whole.lastIndexOf('.') + 1);
  }
}
