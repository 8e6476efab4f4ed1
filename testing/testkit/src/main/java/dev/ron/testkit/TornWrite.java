package dev.ron.testkit;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Bytes behind the last record of a journal, as a write leaves that a power cut caught half way.
 *
 * <p>Threading: immutable; the journal's process must be gone.
 */
public final class TornWrite {
  /** A record may end in zeros of its own, but in no more than these. */
  private static final long BEHIND = 2100;

  private static final int BYTES_MAX = 4000;

  private TornWrite() {}

  /**
   * @param journal its folder
   */
  public static void leave(Path journal, RandomGenerator random) throws IOException {
    Path last;
    try (Stream<Path> files = Files.list(journal)) {
      last = files.filter(file -> file.toString().endsWith(".log")).sorted().toList().getLast();
    }
    try (FileChannel segment = FileChannel.open(last, READ, WRITE)) {
      ByteBuffer all = ByteBuffer.allocate((int) segment.size());
      segment.read(all, 0);
      int end = all.capacity();
      while (end > 0 && all.get(end - 1) == 0) {
        end--;
      }
      byte[] torn = new byte[1 + random.nextInt(BYTES_MAX)];
      random.nextBytes(torn);
      segment.write(ByteBuffer.wrap(torn), end + BEHIND);
    }
  }
}
