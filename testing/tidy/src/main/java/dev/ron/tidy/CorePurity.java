package dev.ron.tidy;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Keeps the core of a service pure: no thread, clock, file or socket, imported or written out.
 *
 * <p>{@code java.nio.ByteBuffer}, {@code java.time.Instant}, and header fields with their parsers
 * are values and stay.
 */
final class CorePurity implements FileRule {
  private static final Place CORE = Place.MAIN.inside("services").inPackagesNamed("core");
  private static final Pattern IMPURE =
      Pattern.compile(
          "\\bjava\\.util\\.concurrent\\b"
              + "|\\bjava\\.(?:io|net|sql)\\b|\\bjava\\.nio\\.(?:file|channels)\\b"
              + "|\\bjava\\.time\\.(?:Clock|InstantSource)\\b"
              + "|\\bio\\.netty\\b"
              + "|\\bdev\\.ron\\.kernel\\.(?:channel|disk|supervise|lock|log|Scope|World)\\b"
              + "|\\bdev\\.ron\\.kernel\\.time\\.(?:\\w*Time|Gate)\\b"
              + "|\\bdev\\.ron\\.http\\b(?!\\.(?:field|Headers)\\b)"
              // Of its own service a core knows the root, for its faults, and core alone.
              + "|\\bdev\\.ron\\.(?:gateway|edge|mailbox|storage|rewarder)\\.(?!core\\b|(?:cluster|s3)\\.core\\b)[a-z]\\w*"
              + "|\\bThread\\b|\\bScopedValue\\b|\\bThreadLocal\\b");

  @Override
  public String name() {
    return "core-purity";
  }

  @Override
  public String why() {
    return "A pure core is replayed, stepped and fuzzed without a machine around it.";
  }

  @Override
  public List<Finding> check(SourceFile file) {
    return CORE.has(file)
        ? file.matches(
            IMPURE,
            file.code(),
            name(),
            "take values and an Instant now as parameters, return records; the task does the rest")
        : List.of();
  }
}
