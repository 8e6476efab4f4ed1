package dev.ron.storage.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Address;
import dev.ron.content.AddressKey;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentUnavailable;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.FallbackReader;
import dev.ron.storage.object.ObjectReaderStream;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.ObjectStore.Source;
import dev.ron.storage.object.ObjectStore.Written;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * References on the disks: each is a small object in a store beside that of the objects, with the
 * same promise, and in every directory, so that none is lost with the objects of another one.
 *
 * <p>Threading: thread-safe.
 */
final class ReferenceRecords {
  private static final int PAGE = 1000;

  private final Volumes volumes;

  ReferenceRecords(Volumes volumes) {
    this.volumes = volumes;
  }

  /**
   * Reads all of them into the table.
   *
   * @param objects among which those are looked for that cannot be read
   * @return how many are not known
   */
  int load(ReferenceTable table, ObjectStore objects) {
    Set<Address> unreadable = new HashSet<>();
    List<ContentStat> page = volumes.list(null, PAGE);
    while (!page.isEmpty()) {
      for (ContentStat stat : page) {
        Optional<Reference> found = read(stat);
        found.ifPresentOrElse(
            each -> table.stored(each.tenant(), AddressKey.of(each.address()), true),
            () -> unreadable.add(stat.address()));
      }
      page = volumes.list(page.getLast().address(), PAGE);
    }
    if (!unreadable.isEmpty()) {
      recover(unreadable, table, objects);
    }
    return unreadable.size();
  }

  /** What rotted is known by the hash of what it was: some tenant's reference to some object. */
  private static void recover(Set<Address> unreadable, ReferenceTable table, ObjectStore objects) {
    try {
      List<ContentStat> page = objects.list(null, PAGE);
      while (!page.isEmpty() && !unreadable.isEmpty()) {
        for (ContentStat stat : page) {
          for (String tenant : table.tenants()) {
            if (unreadable.remove(new Reference(tenant, stat.address()).place())) {
              table.stored(tenant, AddressKey.of(stat.address()), true);
            }
          }
        }
        page = objects.list(page.getLast().address(), PAGE);
      }
    } catch (ContentUnavailable _) {
      // What is only in the bucket is not found now, and the rest stays unknown.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<Reference> read(ContentStat stat) {
    if (stat.sizeBytes() > Reference.TEXT_BYTES_MAX) {
      return Optional.empty();
    }
    try (InputStream in = new ObjectReaderStream(new FallbackReader(volumes, stat.address()))) {
      return Reference.parse(new String(in.readNBytes(Reference.TEXT_BYTES_MAX), UTF_8));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** Stores a reference; durable if this answers nothing. */
  Optional<StorageFault> add(Reference reference) throws InterruptedException {
    return added(reference, false);
  }

  /** The same, as long as if it were not there. */
  Optional<StorageFault> addAnew(Reference reference) throws InterruptedException {
    return added(reference, true);
  }

  private Optional<StorageFault> added(Reference reference, boolean anew)
      throws InterruptedException {
    Source text = Source.of(reference.bytes());
    try {
      Written written =
          reference.isDropped()
              ? volumes.putForDelete(reference.place(), text, anew)
              : anew
                  ? volumes.putAnew(reference.place(), text)
                  : volumes.put(reference.place(), text);
      return written instanceof Written.Refused(StorageFault fault)
          ? Optional.of(fault)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.of(StorageFault.of(e));
    }
  }

  /** Drops a reference; durable if this answers nothing. One that is not there is dropped. */
  Optional<StorageFault> drop(Reference reference) throws InterruptedException {
    return volumes
        .delete(reference.place())
        .filter(fault -> !(fault instanceof StorageFault.NotFound));
  }

  /** Whether a directory that could have this reference has no good copy of it. */
  boolean lacking(Reference reference) {
    Address place = reference.place();
    for (Volume volume : volumes.all()) {
      if (volume.home().takesWrites() && !volume.store().sound(place)) {
        return true;
      }
    }
    return false;
  }

  /** Copies that were found to be bad since the start. */
  long badCopies() {
    return volumes.badCopies();
  }
}
