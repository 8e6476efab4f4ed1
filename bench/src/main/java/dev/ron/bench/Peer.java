package dev.ron.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program we compare ourselves with: where it is, or how to install it. It is never installed by
 * us.
 *
 * <p>Threading: immutable.
 *
 * @param program null when it is not on this machine
 */
public record Peer(String name, String installLine, String versionFlag, @Nullable Path program) {
  private static final Duration VERSION_LIMIT = Duration.ofSeconds(5);

  /** Looks for {@code name}; the install line names the package, which may be called otherwise. */
  public static Peer find(SearchPath path, String name, String packageName, String versionFlag) {
    return new Peer(
        name, "apt-get install " + packageName, versionFlag, path.find(name).orElse(null));
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

  /** The first line of what it says of itself; some tools say it with a failing exit code. */
  public String version() throws IOException, InterruptedException {
    var run = ToolRun.of(name, List.of(command(), versionFlag), VERSION_LIMIT);
    return run.output().lines().findFirst().orElse("unknown").strip();
  }
}
