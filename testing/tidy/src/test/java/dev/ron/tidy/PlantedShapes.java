package dev.ron.tidy;

import static dev.ron.tidy.Planted.tree;
import static dev.ron.tidy.Planted.type;

import java.util.List;
import java.util.stream.Stream;

/** Types that are too long, ill named or unexplained, and their good twins. */
final class PlantedShapes {
  private static final String KERNEL = "kernel/src/main/java/dev/ron/kernel/Shape.java";
  private static final String NODE = "node/src/main/java/dev/ron/node/Shape.java";
  private static final String TEST = "kernel/src/test/java/dev/ron/kernel/Shape.java";

  private PlantedShapes() {}

  static List<Planted> all() {
    return Stream.of(sizes(), names(), imports(), headers(), words())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Planted> sizes() {
    // The package, an empty line, the Javadoc, and the two lines of the class itself.
    return List.of(
        type(KERNEL, "", classOf("\n".repeat(Sizes.FILE_LINES_MAX - 5))),
        type(KERNEL, "size Shape.java:501", classOf("\n".repeat(Sizes.FILE_LINES_MAX - 4))),
        type(TEST, "", classOf("\n".repeat(Sizes.FILE_LINES_MAX))),
        type(KERNEL, "", classOf("void a() {\n" + "b();\n".repeat(58) + "}\n")),
        type(KERNEL, "size Shape.java:5", classOf("void a() {\n" + "b();\n".repeat(59) + "}\n")),
        type(KERNEL, "size Shape.java:5", classOf("Shape() {\n" + "b();\n".repeat(59) + "}\n")),
        type(
            KERNEL,
            "size Shape.java:6",
            classOf("Object o = new Object() {\nvoid a() {\n" + "b();\n".repeat(59) + "}};\n")),
        type(TEST, "", classOf("void a() {\n" + "b();\n".repeat(99) + "}\n")));
  }

  private static List<Planted> names() {
    return List.of(
        type(KERNEL, "name Shape.java:4", "/** A. */\nclass LockManager {}"),
        type(KERNEL, "name Shape.java:4", "/** A. */\nfinal class StringUtils {}"),
        type(KERNEL, "name Shape.java:4", "/** A. */\ninterface Base {}"),
        type(KERNEL, "name Shape.java:4", "/** A. */\nrecord PeerInfo(int a) {}"),
        type(KERNEL, "name Shape.java:5", classOf("static class ShapeImpl {}")),
        type(KERNEL, "name Shape.java:5", classOf("int getSize() { return 1; }")),
        type(KERNEL, "name Shape.java:5", classOf("static int getSize() { return 1; }")),
        type(KERNEL, "", classOf("@Override public int getSize() { return 1; }")),
        type(KERNEL, "", classOf("int gettingOn() { return get(); } int get() { return 1; }")),
        type(KERNEL, "", "/** A. */\nclass Database {}\n/** B. */\nclass Information {}"),
        type(KERNEL, "name Shape.java:4", "/** A. */\nclass Stowing {}"),
        type(KERNEL, "name Shape.java:4", "/** A. */\nclass ShardsOwed {}"),
        type(KERNEL, "nested-name Shape.java:5", classOf("record Settled(int a) {}")),
        type(KERNEL, "nested-name Shape.java:5", classOf("private enum PlacesTicking { A }")),
        type(KERNEL, "nested-name Shape.java:5", classOf("record Paced() implements Runnable {}")),
        type(KERNEL, "", classOf("record Posting(int a) {} record Wired(int a) {}")),
        type(
            KERNEL,
            "",
            classOf("sealed interface Result<T> { record Refused<T>() implements Result<T> {} }")),
        type(
            KERNEL,
            "nested-name Shape.java:5",
            classOf(
                "sealed interface Result { record Refused() {} record A() implements Result {} }")),
        type(TEST, "", classOf("record Settled(int a) {}")),
        type(KERNEL, "", "/** A. */\nclass RouteString {}\n/** B. */\nclass Seed {}"),
        type(KERNEL, "nested-name Shape.java:5", classOf("interface Asking {}")),
        type(TEST, "", "class ShapeHelper { int getSize() { return 1; } }"));
  }

  private static List<Planted> imports() {
    String body = "\n/** A. */\nfinal class Shape {}";
    return List.of(
        type(KERNEL, "clock Shape.java:3", "import static java.lang.System.nanoTime;" + body),
        type(KERNEL, "clock Shape.java:3", "import static java.time.Instant.now;" + body),
        type(KERNEL, "sleep Shape.java:3", "import static java.lang.Thread.sleep;" + body),
        type(KERNEL, "wildcard-import Shape.java:3", "import static java.lang.System.*;" + body),
        type(KERNEL, "wildcard-import Shape.java:3", "import java.util.*;" + body),
        type(KERNEL, "", "import java.util.concurrent.ThreadLocalRandom;" + body));
  }

  private static List<Planted> headers() {
    String plain = "public final class Shape {\n";
    String owned = "/**\n * A.\n *\n * <p>Threading: owned by its loop.\n */\n";
    return List.of(
        type(KERNEL, "header Shape.java:3", "final class Shape {}"),
        type(KERNEL, "header Shape.java:3", "record Shape(int a) {}"),
        type(KERNEL, "header Shape.java:3", "@interface Shape {}"),
        type(KERNEL, "header Shape.java:4", "// A shape.\nfinal class Shape {}"),
        type(KERNEL, "header Shape.java:4", "/** Shape */\nfinal class Shape {}"),
        type(KERNEL, "header Shape.java:4", "/** @param a the side. */\nrecord Shape(int a) {}"),
        type(KERNEL, "", "/** Has {@code a} sides. */\nrecord Shape(int a) {}"),
        type(NODE, "", "final class Shape {}"),
        type(KERNEL, "header Shape.java:4", "/** A. */\n" + plain + "int a; }"),
        type(NODE, "header Shape.java:4", "/** A. */\n" + plain + "int a; }"),
        type(KERNEL, "header Shape.java:4", "/** A. */\n" + plain + "final AtomicLong a = x; }"),
        type(
            KERNEL,
            "header Shape.java:4",
            "/** A. */\n" + plain + "final Map<A, B> a; final java.util.HashMap<A, B> b = x; }"),
        type(
            KERNEL,
            "header Shape.java:8",
            "/**\n * A.\n *\n * No Threading:\n */\n" + plain + "int a; }"),
        type(KERNEL, "", owned + plain + "int a; }"),
        type(KERNEL, "", owned + plain + "public static class Inner { int a; } }"),
        type(KERNEL, "", "/** A. */\n" + plain + "final int a = 1; static final String B = x; }"),
        type(KERNEL, "", "/** A. */\nfinal class Shape { int a; }"),
        tree(
            "a package without package-info",
            "package-info A.java:1",
            Planted.java("kernel", "dev.ron.kernel.a", "A", "/** A. */\ninterface A {}\n")),
        tree(
            "a package without null marking",
            "package-info package-info.java:1",
            info("/** Words: one. */\npackage dev.ron.kernel.a;\n")),
        tree(
            "a package without a word",
            "package-info package-info.java:1",
            info(
                "@NullMarked\npackage dev.ron.kernel.a;\nimport org.jspecify.annotations.NullMarked;\n")));
  }

  private static List<Planted> words() {
    return List.of(
        tree("writer", "word a.md:2", SourceFile.of("docs/a.md", "one\nby Cl" + "aude\n")),
        tree("writer", "word a.yml:1", SourceFile.of(".ci/a.yml", "an as" + "sistant wrote it")),
        tree("writer", "word a.md:1", SourceFile.of("a.md", "Co-Auth" + "ored-By: x")),
        tree("writer", "word a.md:1", SourceFile.of("a.md", "made by A" + "I.")),
        tree("machine", "word a.sh:1", SourceFile.of("a.sh", "cd /ro" + "ot/ron")),
        tree("machine", "word a.sh:1", SourceFile.of("a.sh", "cd /ho" + "me/me/ron")),
        tree("machine", "word a.sh:1", SourceFile.of("a.sh", "ls /ro" + "ot/.m2")),
        tree("machine", "word a.sh:1", SourceFile.of("a.sh", "cd /nowhere/of/note/ron")),
        tree("other roots", "", SourceFile.of("a.sh", "cd $PREFIX/ho" + "me/x /rooted/ /homes/")),
        tree("look-alikes", "", SourceFile.of("a.md", "assist, AIR, claudication, said, MAIN")),
        type(KERNEL, "word Shape.java:4", "/** A. */\nfinal class Shape {} // TO" + "DO: more"),
        type(KERNEL, "word Shape.java:3", "/** A. FIX" + "ME */\nfinal class Shape {}"),
        type(KERNEL, "", "/** A. */\nfinal class Shape { int todo; } // TODOS"),
        type(TEST, "", "final class Shape {} // TO" + "DO: more"));
  }

  private static SourceFile info(String text) {
    return SourceFile.of("kernel/src/main/java/dev/ron/kernel/a/package-info.java", text);
  }

  /** A class whose members start at line 5. */
  private static String classOf(String members) {
    return "/** A. */\nfinal class Shape {\n" + members + "}\n";
  }
}
