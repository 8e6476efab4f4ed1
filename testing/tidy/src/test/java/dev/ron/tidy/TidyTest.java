package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

class TidyTest {
  private static Path root;
  private static SourceTree tree;
  private static Tidy tidy;
  private static Tidy.Report report;

  @BeforeAll
  static void readTheProject() throws IOException {
    String given = System.getProperty("ron.root");
    assertThat(given).as("-Dron.root, the project's root").isNotNull();
    root = Path.of(given);
    tree = SourceTree.read(root);
    tidy = Tidy.ofProject(root);
    report = tidy.run(tree, Exemptions.ofProject());
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

  @Test
  void whatWantsASecondLookIsListed(TestReporter reporter) {
    var second = Sizes.secondLook(tree);
    reporter.publishEntry(
        "second look", String.join("\n", second.stream().map(Finding::toString).toList()));
    // The hard sizes are the soft ones and more, so whatever is refused is also in this list.
    assertThat(second.size()).isGreaterThanOrEqualTo(new Sizes().check(tree).size());
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
    var walked = Listing.byWalking(root);
    assertThat(walked).containsAll(tree.mainJava().stream().map(SourceFile::path).toList());
  }
}
