package dev.ron.storage.object;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.content.ContentFault;
import dev.ron.content.segment.DiskFailure;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.disk.TimedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * One of the configured directories: its id, its folders, and whether it is still there.
 *
 * <p>The id is made once and stays with the bytes, so that placement follows a disk wherever it is
 * mounted, and an empty folder in its place is noticed.
 *
 * <p>Threading: immutable.
 *
 * @param freeMin with less free space nothing more is taken
 */
public record DataDirectory(TimedDisk disk, Path folder, String id, long freeMin) {
  private static final String NAME = "home";
  private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

  /** Opens a directory, and gives it an id if it has none. */
  public static DataDirectory open(
      TimedDisk disk, Path folder, long freeMin, RandomGenerator random) throws IOException {
    disk.createFolders(folder);
    Path file = folder.resolve(NAME);
    Optional<String> found = read(disk, file);
    if (found.isEmpty() && disk.exists(file)) {
      throw new IOException(file + " is damaged: it should be 16 hex digits");
    }
    String id = found.isPresent() ? found.get() : make(disk, folder, file, random);
    return new DataDirectory(disk, folder, id, freeMin);
  }

  private static Optional<String> read(Disk disk, Path file) throws IOException {
    if (!disk.exists(file)) {
      return Optional.empty();
    }
    try (DiskFile open = disk.openReadOnly(file)) {
      var bytes = ByteBuffer.allocate(32);
      open.read(bytes, 0);
      return Optional.of(US_ASCII.decode(bytes.flip()).toString().strip())
          .filter(text -> ID.matcher(text).matches());
    }
  }

  /** Under another name first, so that a crash leaves a whole id or none. */
  private static String make(Disk disk, Path folder, Path file, RandomGenerator random)
      throws IOException {
    String id = "%016x".formatted(random.nextLong());
    Path draft = file.resolveSibling(NAME + ".new");
    try (DiskFile open = disk.open(draft)) {
      open.truncate(0);
      open.write(ByteBuffer.wrap((id + "\n").getBytes(US_ASCII)), 0);
      open.flush();
    }
    disk.rename(draft, file);
    disk.flushDirectory(folder);
    return id;
  }

  public Path objects() {
    return folder.resolve("objects");
  }

  public Path uploads() {
    return folder.resolve("uploads");
  }

  /** Why a file that is written here now would not be found again. */
  public Optional<String> absence() {
    return disk.exists(folder.resolve(NAME)) ? Optional.empty() : Optional.of(gone());
  }

  /** What the directory can be asked for, found out by trying. */
  public Volume.Condition probe() {
    try {
      Optional<String> now = read(disk, folder.resolve(NAME));
      if (now.isEmpty() || !now.get().equals(id)) {
        return new Volume.Condition(Volume.State.GONE, gone());
      }
      long free = disk.freeBytes(folder);
      if (free < freeMin) {
        return new Volume.Condition(
            Volume.State.FULL,
            "%s has %d bytes free, fewer than %d".formatted(folder, free, freeMin));
      }
    } catch (IOException e) {
      return new Volume.Condition(
          Volume.State.GONE, "%s cannot be read: %s".formatted(folder, e.getMessage()));
    }
    return probeWrite();
  }

  private Volume.Condition probeWrite() {
    Path probe = folder.resolve("probe");
    try (DiskFile file = disk.open(probe)) {
      file.write(ByteBuffer.wrap(new byte[] {'\n'}), 0);
      return Volume.Condition.GOOD;
    } catch (IOException e) {
      boolean full = DiskFailure.fault(e) instanceof ContentFault.Full;
      return new Volume.Condition(
          full ? Volume.State.FULL : Volume.State.READ_ONLY,
          "%s cannot be written: %s".formatted(folder, e.getMessage()));
    }
  }

  private String gone() {
    return folder + " is gone; bring it back and start again";
  }
}
