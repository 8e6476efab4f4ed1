package dev.ron.usage;

import java.io.IOException;

/**
 * The bytes of a file are not those that were written, or it is gone. Other failures of the disk
 * may pass; this one does not.
 */
final class DamagedFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String why;

  DamagedFileException(String why) {
    super(why);
    this.why = why;
  }

  /** In words that go on after the file's name. */
  String why() {
    return why;
  }
}
