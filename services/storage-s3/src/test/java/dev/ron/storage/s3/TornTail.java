package dev.ron.storage.s3;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Bytes behind the last record of the names' log, as a write leaves that was caught half way. */
final class TornTail {
  /** A record may end in zeros of its own, but in no more than these. */
  private static final long BEHIND = 2100;

  private static final int BYTES_MAX = 4000;

  private TornTail() {}

  /**
   * @param folder of a door that is not running
   */
  static void leave(Path folder, RandomGenerator random) throws IOException {
    Path last;
    try (Stream<Path> files = Files.list(folder.resolve("s3/names/journal"))) {
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
