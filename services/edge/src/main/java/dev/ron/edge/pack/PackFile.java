package dev.ron.edge.pack;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that should be a pack, as it looked when its folder was read.
 *
 * <p>Threading: immutable.
 *
 * @param name what it is served as
 * @param stamp changes when the file does
 * @param promise the text of the file's {@code .b3} companion, which holds the address it must have
 */
public record PackFile(String name, Path path, Stamp stamp, Optional<String> promise) {
  /** What tells one state of a file from another without reading it. */
  public record Stamp(long bytes, long modifiedMillis, String file) {}
}
