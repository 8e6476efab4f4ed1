package dev.ron.tidy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * All rules, and one run of them over a tree.
 *
 * <p>Threading: immutable.
 */
public record Tidy(List<Rule> rules) {

  /**
   * What a run found.
   *
   * @param findings what is wrong and not exempted
   * @param unused exemptions that excused nothing: the list may not rot
   */
  public record Report(List<Finding> findings, List<Exemptions.Exemption> unused) {}

  /** Every rule, for a project that lies at this root. */
  public static Tidy ofProject(Path root) {
    var rules = new ArrayList<Rule>(BannedCalls.all());
    rules.add(new CommonPool());
    rules.add(new Sizes());
    rules.add(new Names());
    rules.add(new NestedNames());
    rules.add(new Headers());
    rules.add(new PackageHeaders());
    rules.add(new PackageMaps());
    rules.add(new Rooms());
    rules.add(new UniqueNames());
    rules.add(SpecWords.PROJECT);
    rules.add(Words.withMachinePaths(machinePaths(root)));
    rules.add(new Links());
    rules.add(new ProseWidth());
    rules.add(new Skeleton());
    rules.add(new CorePurity());
    rules.add(new Layering());
    rules.add(new Conformance());
    return new Tidy(List.copyOf(rules));
  }

  /** Runs every rule. */
  public Report run(SourceTree tree, Exemptions exemptions) {
    SourceFile.parse(tree.files());
    var findings = new LinkedHashSet<Finding>();
    var used = new LinkedHashSet<Exemptions.Exemption>();
    for (Rule rule : rules) {
      for (Finding finding : rule.check(tree)) {
        exemptions.covering(finding).ifPresentOrElse(used::add, () -> findings.add(finding));
      }
    }
    var unused = exemptions.all().stream().filter(e -> !used.contains(e)).toList();
    return new Report(List.copyOf(findings), unused);
  }

  /** The findings rule by rule, each rule with its reason: what a failing test prints. */
  public String explain(List<Finding> findings) {
    return rules.stream()
        .map(
            rule -> {
              var broken = findings.stream().filter(f -> f.rule().equals(rule.name())).toList();
              return broken.isEmpty()
                  ? ""
                  : "\n"
                      + rule.name()
                      + ": "
                      + rule.why()
                      + "\n  "
                      + broken.stream().map(Finding::toString).collect(Collectors.joining("\n  "));
            })
        .collect(Collectors.joining());
  }

  // A root of one step, such as /src, is a word that may rightly stand in a text.
  private static List<String> machinePaths(Path root) {
    Path whole = root.toAbsolutePath().normalize();
    return whole.getNameCount() < 2 ? List.of() : List.of(whole.toString());
  }
}
