package dev.ron.tidy;

import static dev.ron.tidy.Planted.tree;

import java.util.List;
import java.util.stream.Stream;

/** Statements of a seed that are shown, and every way in which the table could lie. */
final class PlantedSeeds {
  private static final SourceFile TEST = test("@Test @SeedRow(\"E01\") void shows() {}");
  private static final SourceFile CODE =
      SourceFile.of("pom.xml", "<project><artifactId>ron</artifactId></project>");
  private static final SourceFile DECISION = SourceFile.of("docs/adr/0001-a.md", "# 0001");
  private static final SourceFile CONCURRENCY =
      SourceFile.of(
          "docs/concurrency/edge.md",
          "| `work` | channel | 512 | reject new |\n| `io_timeouts_total` |\n| `heads` | 30 |\n");
  private static final SourceFile SETTINGS =
      SourceFile.of("docs/configuration.md", "| `edge.a` | duration | `\"5s\"` | live |  | A. |\n");

  private PlantedSeeds() {}

  static List<Planted> all() {
    return Stream.concat(statements(), tests()).toList();
  }

  private static Stream<Planted> statements() {
    return Stream.of(
        seed("shown by an annotation", "", "code pom.xml", TEST),
        seed(
            "shown by a test it names",
            "",
            "code pom.xml; test ATest#shows",
            test("@Test void shows() {}")),
        seed("decided", "", "adr 0001"),
        seed("open", "", "open everything"),
        seed("neither shown nor decided nor open", BAD, "code pom.xml"),
        seed("open though it is shown", BAD, "code pom.xml; open everything", TEST),
        seed("open though it is decided", BAD, "adr 0001; open everything"),
        seed("shown, but not what implements it", BAD, "metric io_timeouts_total", TEST),
        seed("code that is not there", BAD, "code Missing", TEST),
        seed("a decision that is not there", BAD, "adr 0002"),
        seed("a test class that is not there", BAD + ", " + BAD, "code pom.xml; test BTest#shows"),
        seed("a test method that is not there", BAD, "code pom.xml; test ATest#hides", TEST),
        seed("a word that means nothing", BAD, "adr 0001; chanel work"),
        seed("no facts", BAD + ", " + BAD, ""),
        seed("all that is registered", "", "adr 0001; " + REGISTERED),
        seed("a channel of another size", BAD, "adr 0001; channel work, channel, 64, reject new"),
        seed("a lock of another rank", BAD, "adr 0001; lock heads, 20"),
        seed("a metric that is not there", BAD, "adr 0001; metric io_timeouts"),
        seed("a key with another default", BAD, "adr 0001; key edge.a \"6s\""),
        seed("a key that is not there", BAD, "adr 0001; key edge.b"));
  }

  private static Stream<Planted> tests() {
    return Stream.of(
        tree("an id that no seed has", "conformance ATest.java:2", TEST),
        seed(
            "a test that is switched off",
            "conformance ATest.java:2, disabled-test ATest.java:2",
            "code pom.xml",
            test("@Test @Disabled @SeedRow(\"E01\") void shows() {}")),
        seed(
            "a method that is no test",
            "conformance ATest.java:2",
            "code pom.xml",
            test("@SeedRow({\"E01\"}) void shows() {}")),
        tree(
            "one id twice",
            "conformance edge.txt:2",
            DECISION,
            SourceFile.of(
                "docs/conformance/edge.txt", "E01 | 1 | a | adr 0001\nE01 | 2 | b | adr 0001\n")));
  }

  private static final String BAD = "conformance edge.txt:2";
  private static final String REGISTERED =
      "channel work, channel, 512, reject new; lock heads, 30; metric io_timeouts_total;"
          + " key edge.a \"5s\"; key edge.a";

  private static Planted seed(String name, String expected, String facts, SourceFile... more) {
    var files =
        Stream.concat(
            Stream.of(
                CODE,
                DECISION,
                CONCURRENCY,
                SETTINGS,
                SourceFile.of(
                    "docs/conformance/edge.txt",
                    "# The edge's\nE01 | 1 | a queue is bounded | " + facts + "\n")),
            Stream.of(more));
    return tree(name, expected, files.toArray(SourceFile[]::new));
  }

  private static SourceFile test(String method) {
    return SourceFile.of(
        "lib/a/src/test/java/dev/ron/a/ATest.java", "class ATest {\n  " + method + "\n}\n");
  }
}
