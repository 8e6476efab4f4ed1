package dev.ron.rewarder.score;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.file.DiskInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Goes through a file of scores.
 *
 * <p>Threading: owned by the thread that opened it.
 */
final class ScoreFileCursor implements ScoreCursor {
  private static final int READ_BYTES = 256 << 10;

  private final DiskFile file;
  private final DiskInput in;
  private final ScoreEntry entry;

  ScoreFileCursor(Disk disk, Path path, long bytes, int pools) {
    try {
      this.file = disk.openReadOnly(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.in = new DiskInput(file, 0, bytes, READ_BYTES);
    this.entry = new ScoreEntry(pools);
  }

  @Override
  public boolean next() {
    try {
      if (!in.hasMore()) {
        return false;
      }
      entry.read(in);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public byte[] actorBuffer() {
    return entry.actor;
  }

  @Override
  public int actorOffset() {
    return 0;
  }

  @Override
  public int actorLength() {
    return entry.length;
  }

  @Override
  public int badLines() {
    return entry.badLines;
  }

  @Override
  public Wide score(int pool) {
    return entry.scores[pool];
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
