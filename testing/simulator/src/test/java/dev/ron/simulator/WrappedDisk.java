package dev.ron.simulator;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** Passes everything on to a disk; a planted bug overrides what it breaks. */
class WrappedDisk implements Disk {
  private final Disk real;

  WrappedDisk(Disk real) {
    this.real = real;
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    return new WrappedFile(file, real.open(file));
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    return new WrappedFile(file, real.openReadOnly(file));
  }

  /** What a flush of a file does. */
  void flush(Path file, DiskFile open) throws IOException {
    open.flush();
  }

  @Override
  public boolean exists(Path path) {
    return real.exists(path);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    return real.list(folder);
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    real.createFolders(folder);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    real.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    real.delete(file);
  }

  @Override
  public void flushDirectory(Path folder) throws IOException {
    real.flushDirectory(folder);
  }

  @Override
  public long freeBytes(Path path) throws IOException {
    return real.freeBytes(path);
  }

  /** A file of it. */
  private final class WrappedFile implements DiskFile {
    private final Path path;
    private final DiskFile open;

    private WrappedFile(Path path, DiskFile open) {
      this.path = path;
      this.open = open;
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      return open.read(into, position);
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      open.write(from, position);
    }

    @Override
    public void flush() throws IOException {
      WrappedDisk.this.flush(path, open);
    }

    @Override
    public long size() throws IOException {
      return open.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      open.truncate(size);
    }

    @Override
    public void close() throws IOException {
      open.close();
    }
  }
}
