package dev.ron.tidy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * What became of tests in the run that this module is the last of, by the reports of Surefire:
 * source code alone does not tell whether a test was run, or gave up before it had asserted
 * anything.
 *
 * <p>Threading: immutable.
 *
 * @param began older reports are of another run
 * @param hasLong whether it has long tests too
 */
record TestRun(Path root, Instant began, boolean hasLong) {
  private static final String REPORTS = "target/surefire-reports";

  /** What became of one test. */
  enum Outcome {
    EXECUTED,
    /** It gave up: something that it needs was not there. */
    SKIPPED,
    /** The run has no long tests, and this is one. */
    LONG,
    /** Its module is not part of the run, or has not ended. */
    ELSEWHERE,
    /** Its module was run, and it was not. */
    MISSING
  }

  /**
   * @param why it was skipped, or nothing
   */
  record Result(SeedTests.Shown test, Outcome outcome, String why) {}

  List<Result> of(List<SeedTests.Shown> tests) throws IOException {
    var results = new ArrayList<Result>();
    for (SeedTests.Shown test : tests) {
      results.add(of(test));
    }
    return results;
  }

  private Result of(SeedTests.Shown test) throws IOException {
    String path = test.file().path();
    Path folder = root.resolve(path.substring(0, path.indexOf("/src/test/"))).resolve(REPORTS);
    if (reports(folder, "").isEmpty()) {
      return new Result(test, Outcome.ELSEWHERE, "");
    }
    Optional<String> skipped = Optional.empty();
    for (Path report : reports(folder, "." + test.file().fileName().replace(".java", ""))) {
      try (InputStream in = Files.newInputStream(report)) {
        var cases = new Cases(XMLInputFactory.newFactory().createXMLStreamReader(in));
        if (cases.executed(test.method())) {
          return new Result(test, Outcome.EXECUTED, "");
        }
        skipped = skipped.or(cases::skipped);
      } catch (XMLStreamException broken) {
        throw new IOException(report + " cannot be read", broken);
      }
    }
    return skipped
        .map(why -> new Result(test, Outcome.SKIPPED, why))
        .orElseGet(() -> new Result(test, notThere(test), ""));
  }

  private Outcome notThere(SeedTests.Shown test) {
    return test.isLong() && !hasLong ? Outcome.LONG : Outcome.MISSING;
  }

  /** Of this run, of the class of that name and of those in it. */
  private List<Path> reports(Path folder, String name) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      var found = new ArrayList<Path>();
      for (Path report : all.toList()) {
        String file = report.getFileName().toString();
        if (file.startsWith("TEST-")
            && (file.endsWith(name + ".xml") || file.contains(name + "$"))
            && !Files.getLastModifiedTime(report).toInstant().isBefore(began)) {
          found.add(report);
        }
      }
      return found;
    }
  }

  /**
   * The cases of one report, read once.
   *
   * <p>Threading: owned by its reader.
   */
  private static final class Cases {
    private final XMLStreamReader xml;
    private Optional<String> skipped = Optional.empty();

    Cases(XMLStreamReader xml) {
      this.xml = xml;
    }

    /** Whether a case of the method ran to its end; one of many is enough. */
    boolean executed(String method) throws XMLStreamException {
      boolean inside = false;
      boolean ran = false;
      while (xml.hasNext()) {
        int event = xml.next();
        if (event == XMLStreamReader.START_ELEMENT && xml.getLocalName().equals("testcase")) {
          inside = isOf(method, xml.getAttributeValue(null, "name"));
          ran = inside;
        } else if (inside && event == XMLStreamReader.START_ELEMENT && isSkip()) {
          ran = false;
          skipped = Optional.of(why());
        } else if (event == XMLStreamReader.END_ELEMENT && xml.getLocalName().equals("testcase")) {
          if (ran) {
            return true;
          }
          inside = false;
        }
      }
      return false;
    }

    private boolean isSkip() {
      return xml.getLocalName().equals("skipped");
    }

    /** An assumption has its reason in the text, behind the name of its exception. */
    private String why() throws XMLStreamException {
      String message = xml.getAttributeValue(null, "message");
      String text = message == null ? xml.getElementText() : message;
      return text.lines().findFirst().orElse("").replaceFirst("^\\S*Exception: ", "").strip();
    }

    Optional<String> skipped() {
      return skipped;
    }

    // The name alone, or with its parameters, or with the number of a case behind it.
    private static boolean isOf(String method, String name) {
      return name.startsWith(method)
          && (name.length() == method.length()
              || !Character.isJavaIdentifierPart(name.charAt(method.length())));
    }
  }
}
