package dev.ron.journal.file;

import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of files: the position in twenty digits, so that their order is the records' order. */
final class SegmentNames {
  static final String LOG = ".log";
  static final String SNAPSHOT = ".snapshot";
  static final String TEMPORARY = ".tmp";

  private static final Pattern NAME = Pattern.compile("(\\d{20})(\\.log|\\.snapshot)");

  private SegmentNames() {}

  static Path of(Path folder, long position, String kind) {
    return folder.resolve("%020d%s".formatted(position, kind));
  }

  /** The position in the name of a file of that kind. */
  static OptionalLong position(Path file, String kind) {
    Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
    if (!name.matches() || !kind.equals(name.group(2))) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(name.group(1)));
    } catch (NumberFormatException pastTheLargest) {
      return OptionalLong.empty();
    }
  }
}
