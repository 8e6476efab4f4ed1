package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TidyTest {
  private static Path root;
  private static SourceTree tree;
  private static Tidy tidy;
  private static Tidy.Report report;

  /** Of the modules with everything planted in them; a run takes seconds, so one is for all. */
  private static Tidy.Report planted;

  private static final String PLANTED =
      """
      unbounded-queue | kernel/src/main/java/dev/ron/kernel | new LinkedBlockingQueue<String>()
      raw-thread      | kernel/src/main/java/dev/ron/kernel/time | new Thread(() -> {})
      clock           | services/mailbox/src/main/java/dev/ron/mailbox/core | Instant.now()
      """;

  @BeforeAll
  static void readTheProject() throws IOException {
    String given = System.getProperty("ron.root");
    assertThat(given).as("-Dron.root, the project's root").isNotNull();
    root = Path.of(given);
    tree = SourceTree.read(root);
    tidy = Tidy.ofProject(root);
    report = tidy.run(tree, Exemptions.ofProject());
    var files =
        new ArrayList<>(
            tree.files().stream()
                .filter(f -> f.isUnder("kernel") || f.isUnder("services/mailbox"))
                .toList());
    PLANTED
        .lines()
        .map(line -> line.split("\\s*\\|\\s*", -1))
        .forEach(row -> files.add(SourceFile.of(path(row[1]), source(row[2]))));
    planted = tidy.run(SourceTree.of(files.toArray(SourceFile[]::new)), Exemptions.ofProject());
  }

  private static String path(String folder) {
    return folder + "/Planted.java";
  }

  private static String source(String call) {
    return "/** A. */\ninterface Planted {\n  Object A = " + call + ";\n}\n";
  }

  @Test
  void theTreeIsTheProject() {
    assertThat(tree.paths()).contains("pom.xml", "kernel/src/main/java/dev/ron/kernel/World.java");
    assertThat(tree.mainJava()).hasSizeGreaterThan(50);
  }

  @Test
  void theProjectKeepsItsStyle() {
    assertThat(report.findings())
        .withFailMessage(() -> "the style is broken:\n" + tidy.explain(report.findings()))
        .isEmpty();
  }

  @Test
  void everyExemptionStillExcusesSomething() {
    assertThat(report.unused()).as("exemptions.txt: delete these lines").isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', textBlock = PLANTED)
  @SeedRow("E04")
  void plantedInTheProjectItFails(String rule, String folder, String call) {
    assertThat(planted.findings())
        .as(call)
        .filteredOn(found -> found.path().equals(path(folder)) && found.rule().equals(rule))
        .containsExactly(new Finding(path(folder), 3, rule, replacement(rule)));
  }

  private static String replacement(String rule) {
    return BannedCalls.all().stream()
        .filter(r -> r.name().equals(rule))
        .map(r -> ((Ban) r).replacement())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aFilePastTheSoftSizeIsListedButNotRefused() {
    String path = "kernel/src/main/java/dev/ron/kernel/A.java";
    String method = "  void a() {\n" + "    a();\n".repeat(Sizes.METHOD_LINES_SOFT - 1) + "  }\n";
    String filler = "\n".repeat(Sizes.FILE_LINES_SOFT);
    var planted = SourceTree.of(SourceFile.of(path, "class A {\n" + method + filler + "}\n"));
    assertThat(new Sizes().check(planted)).isEmpty();
    assertThat(Sizes.secondLook(planted)).extracting(Finding::line).containsExactly(301, 2);
    // For the reader of the build's output: nothing fails, but it is worth a look.
    Sizes.secondLook(tree).forEach(found -> System.out.println("second look: " + found));
  }

  @Test
  void anExemptionCoversOneRuleInOneFileAndIsReportedOnceItExcusesNothing() {
    var sleepy =
        SourceFile.of(
            "kernel/src/test/java/dev/ron/kernel/A.java",
            "package dev.ron.kernel;\nclass A { void a() { Thread.sleep(1); } }\n");
    var table =
        """
        # rule | path | reason
        sleep | kernel/src/test/java/dev/ron/kernel/A.java | proves the table
        clock | kernel/src/test/java/dev/ron/kernel/A.java | the rule finds nothing there
        sleep | kernel/src/test/java/dev/ron/kernel/B.java | no such file

        """;
    var run = tidy.run(SourceTree.of(sleepy), Exemptions.parse(table));
    assertThat(run.findings()).isEmpty();
    assertThat(run.unused())
        .extracting(Exemptions.Exemption::reason)
        .containsExactly("the rule finds nothing there", "no such file");
  }

  @Test
  void anExemptionWithoutAReasonIsRefused() {
    for (String line : List.of("sleep | a/B.java", "sleep | a/B.java |  ", "sleep")) {
      assertThatThrownBy(() -> Exemptions.parse(line)).hasMessageContaining(line);
    }
  }

  @Test
  void aFindingSaysWhereWhichRuleWhyAndWhatInstead() {
    var thread =
        SourceFile.of(
            "node/src/main/java/dev/ron/node/A.java",
            "package dev.ron.node;\nclass A {\n  Thread t = new Thread();\n}\n");
    var findings = tidy.run(SourceTree.of(thread), Exemptions.parse("")).findings();
    assertThat(tidy.explain(findings))
        .contains("raw-thread: A thread nobody supervises dies unseen")
        .contains("node/src/main/java/dev/ron/node/A.java:3: [raw-thread] a supervised Task");
  }

  @Test
  void aSourceArchiveWithoutGitIsWalked(@TempDir Path folder) throws IOException {
    for (String path : List.of("pom.xml", "a/src/A.java", "a/target/B.java", ".mvn/jvm.config")) {
      Files.createDirectories(folder.resolve(path).getParent());
      Files.writeString(folder.resolve(path), "text");
    }
    Files.write(folder.resolve("a/blob"), new byte[] {1, 0, 2});
    var read = SourceTree.read(folder);
    assertThat(read.paths())
        .containsExactly(".mvn/jvm.config", "a/blob", "a/src/A.java", "pom.xml");
    assertThat(read.files())
        .extracting(SourceFile::path)
        .containsExactly(".mvn/jvm.config", "a/src/A.java", "pom.xml");
  }

  @Test
  void gitAndTheWalkAgreeOnTheSources() throws IOException {
    var known = Listing.byGit(root);
    assumeTrue(known.isPresent(), "NOT RUN: git does not know " + root);
    assertThat(sources(Listing.byWalking(root)))
        .containsExactlyElementsOf(sources(known.orElseThrow()));
  }

  private static List<String> sources(Collection<String> paths) {
    return paths.stream().filter(p -> p.endsWith(".java") && p.contains("/src/")).toList();
  }
}
