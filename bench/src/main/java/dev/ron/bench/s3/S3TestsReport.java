package dev.ron.bench.s3;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * What became of each test of the suite, from the report that its runner writes.
 *
 * <p>Threading: immutable.
 */
record S3TestsReport(Map<String, Outcome> outcomes) {
  /**
   * Names of tests that are about more than buckets and objects: versions, locks, tags, rules,
   * lists of rights, forms, encryption. What is left are the 266 core functions.
   */
  private static final Pattern BEYOND_CORE =
      Pattern.compile(
          "logging|cloud|restore_|read_through"
              + "|encrypt|sse_|_kms|copy_enc|copy_part_enc|_enc_|_enc$|noenc"
              + "|object_lock|lifecycle|_lc_|cors|post_object|policy|public_block|block_public"
              + "|ignore_public|ownership|public_access|bucket_owner|acl|access_bucket|grant"
              + "|object_anon|_canned|tag|delete_objects?_.*if_match|test_versioning_"
              + "|versioned_concurrent|delete_marker_(non)?version");

  /** What became of a test. */
  enum Outcome {
    PASSED,
    FAILED,
    SKIPPED
  }

  static S3TestsReport read(Path results) throws IOException {
    var outcomes = new TreeMap<String, Outcome>();
    try (InputStream in = Files.newInputStream(results)) {
      XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
      factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
      XMLStreamReader reader = factory.createXMLStreamReader(in);
      String test = "";
      while (reader.hasNext()) {
        if (reader.next() != XMLStreamConstants.START_ELEMENT) {
          continue;
        }
        switch (reader.getLocalName()) {
          case "testcase" -> {
            test = reader.getAttributeValue(null, "name");
            outcomes.putIfAbsent(test, Outcome.PASSED);
          }
          case "failure", "error" -> outcomes.put(test, Outcome.FAILED);
          case "skipped" -> outcomes.put(test, Outcome.SKIPPED);
          default -> {
            // what a test printed
          }
        }
      }
    } catch (XMLStreamException e) {
      throw new IOException(results + " is no report of the suite's runner", e);
    }
    return new S3TestsReport(outcomes);
  }

  static boolean isCore(String test) {
    return !BEYOND_CORE.matcher(test).find();
  }

  /** What became of the core functions; one with several cases passed if all of them did. */
  Map<String, Boolean> core() {
    var passed = new TreeMap<String, Boolean>();
    outcomes.forEach(
        (test, outcome) -> {
          String function = test.replaceFirst("\\[.*", "");
          if (isCore(function)) {
            passed.merge(function, outcome == Outcome.PASSED, Boolean::logicalAnd);
          }
        });
    return passed;
  }

  long corePassed() {
    return core().values().stream().filter(each -> each).count();
  }

  private long count(Outcome outcome) {
    return outcomes.values().stream().filter(each -> each == outcome).count();
  }

  long passed() {
    return count(Outcome.PASSED);
  }

  long failed() {
    return count(Outcome.FAILED);
  }

  long skipped() {
    return count(Outcome.SKIPPED);
  }

  /** What a person reads. */
  List<String> lines(ExpectedFailures expected) {
    var lines = new ArrayList<String>();
    lines.add(
        "%d tests: %d passed, %d failed, %d skipped"
            .formatted(outcomes.size(), passed(), failed(), skipped()));
    lines.add("%d of %d core functions passed".formatted(corePassed(), core().size()));
    outcomes.forEach(
        (test, outcome) -> {
          if (outcome == Outcome.FAILED) {
            lines.add(
                "  failed: " + test + ": " + expected.reasons().getOrDefault(test, "NOT EXPECTED"));
          }
        });
    return lines;
  }

  /**
   * Throws unless what failed is listed and what is listed failed or was skipped, and unless enough
   * of the core passed: a list may grow line by line, and what has no test excuses nothing.
   *
   * @param coreMin how many core functions must have passed
   */
  void check(ExpectedFailures expected, long coreMin) throws IOException {
    var wrong = new ArrayList<String>();
    outcomes.forEach(
        (test, outcome) -> {
          boolean listed = expected.reasons().containsKey(test);
          if (outcome == Outcome.FAILED && !listed) {
            wrong.add(test + " failed and is not listed");
          } else if (outcome == Outcome.PASSED && listed) {
            wrong.add(test + " passed: take it off the list");
          }
        });
    for (String listed : expected.reasons().keySet()) {
      if (!outcomes.containsKey(listed)) {
        wrong.add(listed + " is listed and is no test of the suite");
      }
    }
    if (corePassed() < coreMin) {
      wrong.add(
          "%d of %d core functions passed, must be %d"
              .formatted(corePassed(), core().size(), coreMin));
    }
    if (outcomes.isEmpty() || !wrong.isEmpty()) {
      throw new IOException(
          outcomes.isEmpty() ? "the suite ran no test" : String.join("\n", wrong));
    }
  }
}
