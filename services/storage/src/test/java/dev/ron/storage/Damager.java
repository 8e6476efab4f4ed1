package dev.ron.storage;

import dev.ron.testkit.LiveFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Flips bits in the files of a data directory, behind the back of the store that has them open. */
final class Damager {
  private Damager() {}

  static List<Path> segments(Path directory) throws IOException {
    // A file that is still a part gets its name a moment later, and the flip would hit nothing.
    return LiveFiles.under(directory.resolve("objects")).stream()
        .filter(file -> Files.isRegularFile(file) && !file.toString().endsWith(".part"))
        .toList();
  }

  /** Flips one bit inside the stored bytes of an object; false if they are not there. */
  static boolean flipInside(Path directory, byte[] object, int offset) throws IOException {
    byte[] needle = Arrays.copyOfRange(object, 0, Math.min(64, object.length));
    for (Path file : segments(directory)) {
      long at = find(file, needle);
      if (at >= 0) {
        flip(file, (at + offset) * 8);
        return true;
      }
    }
    return false;
  }

  /** The same in a shard: the object's bytes from {@code from} on lie at the shard's start. */
  static boolean flipInShard(Path directory, byte[] object, int from) throws IOException {
    byte[] needle = Arrays.copyOfRange(object, from, from + 64);
    for (Path file : LiveFiles.under(directory.resolve("shards"))) {
      long at = Files.isRegularFile(file) ? find(file, needle) : -1;
      if (at >= 0) {
        flip(file, (at + 100) * 8);
        return true;
      }
    }
    return false;
  }

  private static long find(Path file, byte[] needle) throws IOException {
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    return text.indexOf(new String(needle, StandardCharsets.ISO_8859_1));
  }

  /** Flips one bit of any file of the directory, wherever it falls. */
  static String flipAnywhere(Path directory, RandomGenerator random) throws IOException {
    List<Path> files =
        segments(directory).stream().filter(file -> file.toFile().length() > 0).toList();
    Path file = files.get(random.nextInt(files.size()));
    long bit = random.nextLong(Files.size(file) * 8);
    flip(file, bit);
    return file.getFileName() + " bit " + bit;
  }

  static void flip(Path path, long bit) throws IOException {
    try (var file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(bit / 8);
      int old = file.read();
      file.seek(bit / 8);
      file.write(old ^ 1 << bit % 8);
    }
  }
}
