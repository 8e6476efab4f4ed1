package dev.ron.node.backup;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The machine's file system, of which a test hears what is read and which folders are flushed.
 *
 * <p>Threading: as its watch is.
 */
record WatchedDisk(Disk disk, Watch onRead, Watch onFlush) implements Disk {
  @FunctionalInterface
  interface Watch {
    Watch NONE = _ -> {};

    void see(Path path) throws IOException;
  }

  static WatchedDisk reads(Watch watch) {
    return new WatchedDisk(new RealDisk(), watch, Watch.NONE);
  }

  static WatchedDisk flushes(Watch watch) {
    return new WatchedDisk(new RealDisk(), Watch.NONE, watch);
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    return disk.open(file);
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    onRead.see(file);
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
    disk.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    disk.delete(file);
  }

  @Override
  public void flushDirectory(Path folder) throws IOException {
    onFlush.see(folder);
    disk.flushDirectory(folder);
  }

  @Override
  public long freeBytes(Path path) throws IOException {
    return disk.freeBytes(path);
  }
}
