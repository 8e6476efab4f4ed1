package dev.ron.content.segment;

import dev.ron.content.ContentFault;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.Locale;

/**
 * What an operator has to know of an exception from the disk.
 *
 * <p>The JDK has no type for a full disk, only the system's words; hence the look at the message.
 *
 * <p>Threading: stateless.
 */
public final class DiskFailure {
  private DiskFailure() {}

  /** All files that may be open are being read. */
  static final class TooManyFiles extends IOException {
    private static final long serialVersionUID = 1;

    private final int filesMax;

    TooManyFiles(int filesMax) {
      super(filesMax + " segments are being read");
      this.filesMax = filesMax;
    }
  }

  public static ContentFault fault(IOException trouble) {
    if (trouble instanceof TooManyFiles busy) {
      return new ContentFault.Busy("open segments", busy.filesMax);
    }
    String words = String.valueOf(trouble.getMessage()).toLowerCase(Locale.ROOT);
    if (words.contains("no space left") || words.contains("quota exceeded")) {
      return new ContentFault.Full("the disk is full");
    }
    boolean denied =
        trouble instanceof AccessDeniedException
            || trouble.getCause() instanceof ReadOnlyFileSystemException;
    if (denied || words.contains("read-only file system")) {
      return new ContentFault.ReadOnly();
    }
    return new ContentFault.DiskFailed(String.valueOf(trouble.getMessage()));
  }
}
