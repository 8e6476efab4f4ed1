package dev.ron.edge.disk;

import dev.ron.kernel.lock.RankedLock;
import dev.ron.kernel.registry.Registry;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Segments of the store that are open for sending, so that a hit does not open and close one.
 *
 * <p>Not the store's own handles: a channel closes when a thread is interrupted in it, and the
 * system would send from whatever got its number next. Nobody ever reads through these; they are
 * only named to the system. One that nobody has sent from for a while is closed, since its segment
 * may be gone and would keep its space.
 *
 * <p>Threading: thread-safe; {@code lock} guards the table.
 */
public final class OpenFiles implements AutoCloseable {
  private static final int RANK = 40;
  private static final Duration IDLE_MAX = Duration.ofSeconds(5);

  private final Time time;
  private final RankedLock lock;
  private final Map<Path, Open> files = new HashMap<>();

  private static final class Open {
    private final FileChannel channel;
    private int users;
    private Instant lastUse;

    Open(FileChannel channel, Instant now) {
      this.channel = channel;
      this.lastUse = now;
    }
  }

  public OpenFiles(Registry registry, Time time) {
    this.time = time;
    this.lock = new RankedLock(registry, "open-files", RANK);
  }

  /** The file, open until it is given back; it must exist, which a lease of the store sees to. */
  public FileChannel lend(Path path) throws IOException {
    FileChannel open = lock.call(() -> taken(path, null));
    if (open != null) {
      return open;
    }
    FileChannel mine = FileChannel.open(path);
    FileChannel used = lock.call(() -> taken(path, mine));
    if (!mine.equals(used)) {
      mine.close();
    }
    return used == null ? mine : used;
  }

  private @Nullable FileChannel taken(Path path, @Nullable FileChannel offered) {
    Open open = files.get(path);
    if (open == null) {
      if (offered == null) {
        return null;
      }
      open = new Open(offered, time.now());
      files.put(path, open);
    }
    open.users++;
    return open.channel;
  }

  public void giveBack(Path path) {
    lock.run(
        () -> {
          Open open = files.get(path);
          if (open != null && --open.users == 0) {
            open.lastUse = time.now();
          }
        });
  }

  /** Closes what nobody has used for a while. */
  public void closeIdle() throws IOException {
    closeUnused(time.now().minus(IDLE_MAX));
  }

  private void closeUnused(Instant lastUsedBefore) throws IOException {
    List<FileChannel> idle = new ArrayList<>();
    lock.run(
        () ->
            files
                .values()
                .removeIf(
                    open -> {
                      boolean unused = open.users == 0 && !open.lastUse.isAfter(lastUsedBefore);
                      if (unused) {
                        idle.add(open.channel);
                      }
                      return unused;
                    }));
    for (FileChannel channel : idle) {
      channel.close();
    }
  }

  @Override
  public void close() throws IOException {
    closeUnused(Instant.MAX);
  }
}
