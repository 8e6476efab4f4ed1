package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.tidy.TestRun.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every test that the conformance table names was run, in the run that ends here. */
final class ConformanceRunTest {
  private static final Instant BEGAN = Instant.parse("2026-01-01T10:00:00Z");
  private static final String CLASS = "lib/a/src/test/java/dev/ron/a/ATest.java";

  @TempDir private Path folder;

  @Test
  void everyTestOfTheTableWasRunHere() throws IOException {
    String began = System.getProperty("ron.run.began");
    assumeTrue(
        began != null && System.getProperty("test") == null,
        "NOT RUN: a run of chosen tests is not the table's");
    Path root = Path.of(System.getProperty("ron.root"));
    var run =
        new TestRun(
            root, Instant.parse(began), !"long".equals(System.getProperty("ron.test.excluded")));
    SourceTree tree = SourceTree.read(root);
    var shown = SeedTests.in(tree).shown();
    var tests =
        SeedStatement.in(tree).stream()
            .flatMap(statement -> Conformance.tests(tree, statement, shown).stream())
            .filter(test -> !test.file().path().startsWith("testing/tidy/")) // is still running
            .toList();
    assertThat(tests).hasSizeGreaterThan(500);
    var results = run.of(tests);
    System.out.print(told(results));
    assertThat(lines(results, Outcome.MISSING)).as("named by the table, and not run").isEmpty();
  }

  /** For the reader of the build's output: what this run has not shown, and why. */
  private static String told(List<TestRun.Result> results) {
    Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    results.forEach(result -> counts.merge(result.outcome(), 1, Integer::sum));
    String skipped =
        lines(results, Outcome.SKIPPED).stream()
            .map(line -> "  " + line + "\n")
            .collect(Collectors.joining());
    return "tests of the conformance table: "
        + counts
        + "\n"
        + (skipped.isEmpty() ? "" : "NOT SHOWN by this run, because the test gave up:\n" + skipped);
  }

  private static List<String> lines(List<TestRun.Result> results, Outcome outcome) {
    return results.stream()
        .filter(result -> result.outcome() == outcome)
        .map(each -> "%s %s %s".formatted(each.test().id(), each.test().test(), each.why()).strip())
        .distinct()
        .toList();
  }

  @Test
  void aTestThatWasNotRunIsFound() throws IOException {
    report(
        "ATest",
        BEGAN.plusSeconds(1),
        """
        <testcase name="plain" classname="dev.ron.a.ATest"/>
        <testcase name="folder(Path)" classname="dev.ron.a.ATest"><system-out>x</system-out></testcase>
        <testcase name="rows(String, int)[1]" classname="dev.ron.a.ATest"><skipped message="one"/></testcase>
        <testcase name="rows(String, int)[2]" classname="dev.ron.a.ATest"/>
        <testcase name="gaveUp" classname="dev.ron.a.ATest">
          <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: no etcd
        at dev.ron]]></skipped></testcase>
        <testcase name="plainer" classname="dev.ron.a.ATest"/>
        """);
    report("ATest$Inner", BEGAN.plusSeconds(1), "<testcase name=\"inside\" classname=\"I\"/>");
    report("BATest", BEGAN.plusSeconds(1), "<testcase name=\"other\" classname=\"B\"/>");
    assertThat(outcome("@Test void plain() {}")).isEqualTo("EXECUTED");
    assertThat(outcome("@Test void folder(Path p) {}")).isEqualTo("EXECUTED");
    assertThat(outcome("@ParameterizedTest void rows(String a, int b) {}")).isEqualTo("EXECUTED");
    assertThat(outcome("@Test void inside() {}")).isEqualTo("EXECUTED");
    assertThat(outcome("@Test void gaveUp() {}")).isEqualTo("SKIPPED no etcd");
    assertThat(outcome("@Test void plai() {}")).isEqualTo("MISSING");
    assertThat(outcome("@Test void other() {}")).as("another class's").isEqualTo("MISSING");
    assertThat(outcome("@Test @Tag(\"long\") void never() {}")).isEqualTo("LONG");
    assertThat(outcome("@Test @Tag(\"long\") void plain() {}")).isEqualTo("EXECUTED");
    assertThat(outcome(true, "@Test @Tag(\"long\") void never() {}")).isEqualTo("MISSING");
  }

  @Test
  void aReportOfAnEarlierRunShowsNothing() throws IOException {
    String one = "<testcase name=\"plain\" classname=\"dev.ron.a.ATest\"/>";
    assertThat(outcome("@Test void plain() {}")).isEqualTo("ELSEWHERE");
    report("ATest", BEGAN.minusSeconds(1), one);
    assertThat(outcome("@Test void plain() {}")).isEqualTo("ELSEWHERE");
    report("BTest", BEGAN.plusSeconds(1), one);
    assertThat(outcome("@Test void plain() {}")).isEqualTo("MISSING");
  }

  private void report(String type, Instant written, String cases) throws IOException {
    Path reports = Files.createDirectories(folder.resolve("lib/a/target/surefire-reports"));
    Path report = reports.resolve("TEST-dev.ron.a." + type + ".xml");
    Files.writeString(report, "<testsuite>" + cases + "</testsuite>");
    Files.setLastModifiedTime(report, FileTime.from(written));
  }

  private String outcome(String method) throws IOException {
    return outcome(false, method);
  }

  private String outcome(boolean hasLong, String method) throws IOException {
    String annotated = method.replaceFirst("void", "@SeedRow(\"E01\") void");
    SourceTree tree =
        SourceTree.of(SourceFile.of(CLASS, "class ATest {\n  " + annotated + "\n}\n"));
    return new TestRun(folder, BEGAN, hasLong)
        .of(SeedTests.in(tree).shown()).stream()
            .map(result -> (result.outcome() + " " + result.why()).strip())
            .collect(Collectors.joining(", "));
  }
}
