package dev.ron.storage.upload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Hash;
import dev.ron.kernel.disk.Disk;
import dev.ron.storage.StorageFault;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.object.DataDirectories;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which uploads are open, by their ids, and whose file is being made or deleted.
 *
 * <p>An id may come again, and the file with it: while one request makes or deletes that file, no
 * other begins an upload under the id.
 *
 * <p>Threading: thread-safe; {@code lock} guards all of it, and is a leaf.
 */
final class OpenUploads {
  private final StorageMetrics metrics;
  private final int max;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final Map<String, Place> open = new LinkedHashMap<>();

  /** With the tenant whose place it takes; empty for the operator. */
  @GuardedBy("lock") private final Map<String, Optional<Hash>> changing = new HashMap<>();

  /** Where an upload is; its ledger is read when it is first asked for. */
  record Place(DataDirectories.Opened home, Path file, @Nullable Upload upload) {
    Place with(Upload loaded) {
      return new Place(home, file, loaded);
    }

    Disk disk() {
      return home.directory().disk();
    }
  }

  OpenUploads(int max, StorageMetrics metrics) {
    this.max = max;
    this.metrics = metrics;
  }

  /**
   * No other request begins the same, and there is room for it; {@link #changed} follows.
   *
   * @param tenant hash of the tenant that begins it, which may have as many as are free besides:
   *     one that leaves its uploads open takes no other's place. Null for the operator
   */
  Optional<StorageFault> begin(String id, @Nullable Hash tenant) {
    lock.lock();
    try {
      if (open.containsKey(id) || changing.containsKey(id)) {
        return Optional.of(
            new StorageFault.UploadConflict("the upload is being begun by another request"));
      }
      if (open.size() + changing.size() + (tenant == null ? 0 : count(tenant)) >= max) {
        return Optional.of(new StorageFault.Busy("uploads", max));
      }
      changing.put(id, Optional.ofNullable(tenant));
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock") private long count(Hash tenant) {
    long begun =
        open.values().stream()
            .map(Place::upload)
            .filter(each -> each != null && each.spool().head().owner().equals(tenant))
            .count();
    return begun + changing.values().stream().filter(Optional.of(tenant)::equals).count();
  }

  void add(String id, Place place) {
    lock.lock();
    try {
      open.put(id, place);
      metrics.uploadsOpen().set(open.size());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes one out, so that its file can be deleted; {@link #changed} follows.
   *
   * @param upload which must be the one that is open; null for one that cannot be read
   * @return false if it is not there any more
   */
  @SuppressWarnings("ReferenceEquality") // the very one, not one like it
  boolean remove(String id, @Nullable Upload upload) {
    lock.lock();
    try {
      Place now = open.get(id);
      if (now == null || now.upload() != upload) {
        return false;
      }
      open.remove(id);
      changing.put(id, Optional.ofNullable(upload).map(gone -> gone.spool().head().owner()));
      metrics.uploadsOpen().set(open.size());
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Its file is made, or gone. */
  void changed(String id) {
    lock.lock();
    try {
      changing.remove(id);
    } finally {
      lock.unlock();
    }
  }

  @Nullable Place at(String id) {
    lock.lock();
    try {
      return open.get(id);
    } finally {
      lock.unlock();
    }
  }

  /** Of two that were read at once, the first; null if it is not open any more. */
  @Nullable Upload loaded(String id, Upload loaded) {
    lock.lock();
    try {
      Place now = open.get(id);
      if (now == null || now.upload() != null) {
        return now == null ? null : now.upload();
      }
      open.put(id, now.with(loaded));
      return loaded;
    } finally {
      lock.unlock();
    }
  }

  Map<String, Place> all() {
    lock.lock();
    try {
      return new LinkedHashMap<>(open);
    } finally {
      lock.unlock();
    }
  }

  List<Upload> inMemory() {
    return all().values().stream().map(Place::upload).filter(each -> each != null).toList();
  }
}
