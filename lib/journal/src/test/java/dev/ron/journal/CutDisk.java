package dev.ron.journal;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A disk whose power goes out in the middle of an operation.
 *
 * <p>A write that is cut leaves any of its sectors, not only the first ones, as disks do.
 *
 * <p>Threading: owned by the test.
 */
public final class CutDisk implements Disk {
  /** The power is out: everything unwinds, nobody catches it. */
  static final class PowerCut extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static final int SECTOR_BYTES = 512;

  private final Disk disk;
  private final RandomGenerator random;
  private int operationsLeft = Integer.MAX_VALUE;
  private Runnable onFlush = () -> {};

  public CutDisk(Disk disk, RandomGenerator random) {
    this.disk = disk;
    this.random = random;
  }

  /** The next {@code n} changes happen, the one after does in part or not at all. */
  void cutAfter(int n) {
    operationsLeft = n;
  }

  /** What happens meanwhile whenever a file is flushed, such as time passing. */
  public void onFlush(Runnable meanwhile) {
    onFlush = meanwhile;
  }

  private boolean cutNow() {
    return operationsLeft-- == 0;
  }

  private void step() {
    if (cutNow()) {
      throw new PowerCut();
    }
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    step();
    return new Handle(disk.open(file));
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    return disk.openReadOnly(file);
  }

  @Override
  public boolean exists(Path path) {
    return disk.exists(path);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    return disk.list(folder);
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    disk.createFolders(folder);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    step();
    disk.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    step();
    disk.delete(file);
  }

  @Override
  public void flushDirectory(Path folder) throws IOException {
    step();
    disk.flushDirectory(folder);
  }

  @Override
  public long freeBytes(Path path) throws IOException {
    return disk.freeBytes(path);
  }

  /** An open file on it. */
  private final class Handle implements DiskFile {
    private final DiskFile file;

    Handle(DiskFile file) {
      this.file = file;
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      return file.read(into, position);
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      if (cutNow()) {
        int at = 0;
        while (at < from.remaining()) {
          int end = (int) (SECTOR_BYTES - (position + at) % SECTOR_BYTES) + at;
          int sector = Math.min(end, from.remaining()) - at;
          if (random.nextBoolean()) {
            file.write(from.slice(from.position() + at, sector), position + at);
          }
          at += sector;
        }
        throw new PowerCut();
      }
      file.write(from, position);
    }

    @Override
    public void flush() throws IOException {
      step();
      onFlush.run();
      file.flush();
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      step();
      file.truncate(size);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
