package dev.ron.content.segment;

import java.io.IOException;
import java.nio.file.Path;

/** A segment that another version of this program wrote; it is left as it is. */
public final class UnknownSegmentVersion extends IOException {
  private static final long serialVersionUID = 1;

  UnknownSegmentVersion(Path file, char found, char known) {
    super("%s is a segment of version %s, known is %s".formatted(file, found, known));
  }
}
