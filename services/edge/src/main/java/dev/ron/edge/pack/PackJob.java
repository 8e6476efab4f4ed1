package dev.ron.edge.pack;

import java.nio.file.Path;

/**
 * What the pack watch asks of the pack verifier.
 *
 * <p>Threading: immutable.
 */
public sealed interface PackJob {
  record Verify(PackFile file) implements PackJob {}

  record Remove(String name, Path file) implements PackJob {}

  /** Everything of the first look has been sent. */
  record ScanEnded() implements PackJob {}
}
