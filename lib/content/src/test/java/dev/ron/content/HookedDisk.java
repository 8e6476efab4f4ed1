package dev.ron.content;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Another disk with something that happens before each use of a file: a bug, or a change of
 * threads.
 *
 * <p>Threading: as thread-safe as the disk and the hook.
 */
public record HookedDisk(Disk disk, Hook hook) implements Disk {
  /** Called before the operation, with the bytes that are about to be written or 0. */
  public interface Hook {
    void before(Path path, int writtenBytes);
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    hook.before(file, 0);
    return new HookedFile(disk.open(file), file);
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    hook.before(file, 0);
    return new HookedFile(disk.openReadOnly(file), file);
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
    hook.before(from, 0);
    disk.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    hook.before(file, 0);
    disk.delete(file);
  }

  @Override
  public void flushDirectory(Path folder) throws IOException {
    hook.before(folder, 0);
    disk.flushDirectory(folder);
  }

  @Override
  public long freeBytes(Path path) throws IOException {
    return disk.freeBytes(path);
  }

  private final class HookedFile implements DiskFile {
    private final DiskFile file;
    private final Path path;

    HookedFile(DiskFile file, Path path) {
      this.file = file;
      this.path = path;
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      hook.before(path, 0);
      return file.read(into, position);
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      hook.before(path, from.remaining());
      file.write(from, position);
    }

    @Override
    public void flush() throws IOException {
      hook.before(path, 0);
      file.flush();
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      hook.before(path, 0);
      file.truncate(size);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
