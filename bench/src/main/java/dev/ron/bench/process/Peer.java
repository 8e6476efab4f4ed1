package dev.ron.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What we compare ourselves with, a program or a library: where it is, or how to install it. It is
 * never installed by us.
 *
 * <p>Threading: immutable.
 *
 * @param versionFlag makes the program say its version; null for a library, which cannot be asked
 * @param program null when it is not on this machine
 */
public record Peer(
    String name, String installLine, @Nullable String versionFlag, @Nullable Path program) {
  private static final Duration VERSION_LIMIT = Duration.ofSeconds(5);

  /** Looks for {@code name}; the install line names the package, which may be called otherwise. */
  public static Peer find(SearchPath path, String name, String packageName, String versionFlag) {
    return new Peer(
        name, "apt-get install " + packageName, versionFlag, path.find(name).orElse(null));
  }

  /** Looks for a shared library by its file name. */
  public static Peer findLibrary(SearchPath path, String name, String file, String packageName) {
    return new Peer(
        name, "apt-get install " + packageName, null, path.findLibrary(file).orElse(null));
  }

  /** Looks for one of the scripts in bench/peers, for what is no package of any system. */
  public static Peer fetched(SearchPath path, String name) {
    return new Peer(
        name,
        "put the folder bench/peers on the PATH and run `" + name + " --fetch` once",
        "--version",
        path.find(name).orElse(null));
  }

  /** Java code that runs in this process, so it is always here and as old as the JVM. */
  public static Peer inThisJvm(String name) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return new Peer(name, "it comes with the JDK", "--version", java);
  }

  public boolean isPresent() {
    return program != null;
  }

  /** Only to be asked when present. */
  public String command() {
    if (program == null) {
      throw new IllegalStateException(absence());
    }
    return program.toString();
  }

  /** What to say when it is not here. */
  public String absence() {
    return name + " is not installed; " + installLine;
  }

  /**
   * The first line of what it says of itself; some tools say it with a failing exit code. A library
   * has its version in the name of the file that links lead to.
   */
  public String version() throws IOException, InterruptedException {
    if (versionFlag == null) {
      return Path.of(command()).toRealPath().getFileName().toString();
    }
    var run = ToolRun.of(name, List.of(command(), versionFlag), VERSION_LIMIT);
    return run.output().lines().findFirst().orElse("unknown").strip();
  }
}
