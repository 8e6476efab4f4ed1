package dev.ron.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A file compiled as a module of the project would be: by javac, with the plugin that finds the
 * checks through their service file.
 *
 * <p>Threading: immutable.
 */
final class Planted {
  static final String CHECKS_ONLY =
      "-Xplugin:ErrorProne -XepDisableAllChecks"
          + " -Xep:BlockingWhileLocked:ERROR -Xep:BlockingOnEventLoop:ERROR"
          + " -Xep:LockWhileLocked:OFF";
  static final String LOCKS_ONLY =
      "-Xplugin:ErrorProne -XepDisableAllChecks -Xep:LockWhileLocked:ERROR";

  /** The types of other modules that the checks know by name, as bare as they can be. */
  private static final Map<String, String> KNOWN_BY_NAME =
      Map.of(
          "dev/ron/kernel/channel/Channel.java",
          """
          package dev.ron.kernel.channel;
          public interface Channel<T> {
            boolean trySend(T one);
            boolean send(T one, java.time.Instant deadline) throws InterruptedException;
            T receive(java.time.Instant deadline) throws InterruptedException;
            java.util.List<T> receiveBatch(int most, java.time.Instant deadline) throws InterruptedException;
          }
          """,
          "dev/ron/kernel/channel/Watch.java",
          """
          package dev.ron.kernel.channel;
          public interface Watch<T> { T latest(); T await(long version) throws InterruptedException; }
          """,
          "dev/ron/kernel/time/Time.java",
          """
          package dev.ron.kernel.time;
          public interface Time {
            java.time.Instant now();
            boolean await(java.util.concurrent.locks.Lock lock,
                java.util.concurrent.locks.Condition condition, java.time.Instant until)
                throws InterruptedException;
            boolean awaitAlone(java.util.concurrent.locks.Lock lock,
                java.util.concurrent.locks.Condition condition, java.time.Instant until)
                throws InterruptedException;
            void sleepUntil(java.time.Instant until) throws InterruptedException;
          }
          """,
          "dev/ron/kernel/disk/Disk.java",
          "package dev.ron.kernel.disk; public interface Disk { boolean exists(String path); }",
          "dev/ron/kernel/lock/RankedLock.java",
          """
          package dev.ron.kernel.lock;
          public final class RankedLock {
            public interface Body<T> { T run() throws Exception; }
            public interface Step { void run() throws Exception; }
            public void run(Step body) throws Exception { body.run(); }
            public <T> T call(Body<T> body) throws Exception { return body.run(); }
            public <T> T holding(Body<T> body) throws Exception { return body.run(); }
            public void later(Step body) {}
            public void lock() {}
            public void unlock() {}
          }
          """,
          "dev/ron/http/server/Inline.java",
          """
          package dev.ron.http.server;
          public interface Inline { int handle(int request) throws Exception; }
          """,
          "marks/Blocking.java",
          "package marks; public @interface Blocking {}",
          "marks/EventLoop.java",
          "package marks; public @interface EventLoop {}");

  private static final String IMPORTS =
      "package planted; import java.io.*; import java.net.*; import java.net.http.*; import"
          + " java.nio.*; import java.nio.channels.*; import java.nio.file.*; import java.time.*;"
          + " import java.util.*; import java.util.concurrent.*; import"
          + " java.util.concurrent.locks.*; import java.util.function.*; import"
          + " dev.ron.http.server.Inline; import dev.ron.kernel.channel.Channel; import"
          + " dev.ron.kernel.channel.Watch; import dev.ron.kernel.lock.RankedLock; import"
          + " dev.ron.kernel.time.Time; import marks.*; ";

  private static final Pattern MARK = Pattern.compile("// ERROR (.*)$");

  private final Map<Long, List<String>> errorsByLine;

  private Planted(Map<Long, List<String>> errorsByLine) {
    this.errorsByLine = errorsByLine;
  }

  /** Compiles a class; its first line is line 1, the imports stand before it. */
  static Planted compile(String source) {
    return compile(source, CHECKS_ONLY);
  }

  static Planted compile(String source, String plugin) {
    List<JavaFileObject> files = new ArrayList<>();
    KNOWN_BY_NAME.forEach((path, text) -> files.add(new InMemoryFile(path, text)));
    files.add(new InMemoryFile("planted/Planted.java", IMPORTS + source));
    var found = new DiagnosticCollector<JavaFileObject>();
    // Stops after the phase in which the checks run: no class file is wanted.
    List<String> options = new ArrayList<>(List.of("-proc:none", "-Xmaxerrs", "1000"));
    options.addAll(List.of("-processorpath", System.getProperty("java.class.path")));
    options.addAll(List.of("-XDcompilePolicy=simple", "--should-stop=ifError=FLOW"));
    options.addAll(List.of("--should-stop=ifNoError=FLOW", plugin));
    var compiler = ToolProvider.getSystemJavaCompiler();
    boolean compiled = compiler.getTask(null, null, found, options, null, files).call();
    Map<Long, List<String>> errors = new TreeMap<>();
    for (var diagnostic : found.getDiagnostics()) {
      if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
        errors
            .computeIfAbsent(diagnostic.getLineNumber(), _ -> new ArrayList<>())
            .add(diagnostic.getMessage(Locale.ROOT).lines().findFirst().orElse(""));
      }
    }
    assertThat(compiled).as("javac fails exactly if it told an error").isEqualTo(errors.isEmpty());
    return new Planted(errors);
  }

  /** Asserts that the errors are those that the {@code // ERROR text} marks of the source name. */
  static void compileAndCompareWithMarks(String source) {
    compileAndCompareWithMarks(source, CHECKS_ONLY);
  }

  static void compileAndCompareWithMarks(String source, String plugin) {
    Map<Long, List<String>> marks = new TreeMap<>();
    List<String> lines = source.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher mark = MARK.matcher(lines.get(i));
      if (mark.find()) {
        marks.put((long) i + 1, List.of(mark.group(1)));
      }
    }
    assertThat(compile(source, plugin).errorsByLine).as(source).isEqualTo(marks);
  }

  Map<Long, List<String>> errorsByLine() {
    return errorsByLine;
  }

  List<String> errorsAt(long line) {
    return errorsByLine.getOrDefault(line, List.of());
  }

  private static final class InMemoryFile extends SimpleJavaFileObject {
    private final String text;

    InMemoryFile(String path, String text) {
      super(URI.create("memory:///" + path), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
