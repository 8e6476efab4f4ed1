package dev.ron.storage.upload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import dev.ron.blake3.Hash;
import dev.ron.kernel.Scope;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ComputeThread;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.ObjectStore.Written;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes the parts of an upload an object.
 *
 * <p>The address is composed from the parts' chaining values; the copy that is stored hashes every
 * byte again, so what rotted while it waited is found here and asked for again.
 *
 * <p>Threading: thread-safe; {@code lock} guards the memory of what was completed.
 */
final class UploadCompletion {
  /** Answers that were lost are asked for again soon or never. */
  private static final int REMEMBERED_MAX = 1024;

  private final Scope scope;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final Map<String, Done> done = new LinkedHashMap<>();

  private record Done(Hash owner, Written.Stored object) {}

  UploadCompletion(Scope scope) {
    this.scope = scope;
  }

  /** What became of an upload, for its owner only. */
  Optional<Written.Stored> before(String id, Hash owner) {
    lock.lock();
    try {
      return Optional.ofNullable(done.get(id))
          .filter(known -> known.owner.equals(owner))
          .map(Done::object);
    } finally {
      lock.unlock();
    }
  }

  /** The same id is begun anew: what it became before says nothing of what it will. */
  void forget(String id) {
    lock.lock();
    try {
      done.remove(id);
    } finally {
      lock.unlock();
    }
  }

  Written complete(Upload upload, Optional<Address> wanted, ObjectStore objects)
      throws IOException, InterruptedException {
    Optional<StorageFault> refused = upload.beginComplete();
    if (refused.isPresent()) {
      return new Written.Refused(refused.get());
    }
    boolean stored = false;
    try {
      Written written = ComputeThread.call(scope, () -> store(upload, wanted, objects));
      if (written instanceof Written.Stored object) {
        stored = true;
        remember(upload.id(), new Done(upload.spool().head().owner(), object));
      }
      return written;
    } finally {
      if (!stored) {
        upload.resume();
      }
    }
  }

  private Written store(Upload upload, Optional<Address> wanted, ObjectStore objects)
      throws IOException, InterruptedException {
    Address address = upload.compose();
    for (Optional<Address> said : List.of(wanted, upload.spool().head().address())) {
      if (said.isPresent() && !said.get().equals(address)) {
        return new Written.Refused(new StorageFault.Mismatch(said.get(), address));
      }
    }
    Written written =
        objects.put(address, ObjectStore.Source.of(upload.status().sizeBytes(), upload::stream));
    if (written instanceof Written.Refused(StorageFault.Mismatch _)) {
      // What waited on disk is not what was sent.
      Optional<Integer> bad = upload.firstDamaged();
      return new Written.Refused(
          new StorageFault.UploadConflict(
              "part %s was damaged while it waited; send what is missing again"
                  .formatted(bad.map(Objects::toString).orElse("?"))));
    }
    return written;
  }

  private void remember(String id, Done stored) {
    lock.lock();
    try {
      done.put(id, stored);
      if (done.size() > REMEMBERED_MAX) {
        done.remove(done.keySet().iterator().next());
      }
    } finally {
      lock.unlock();
    }
  }
}
