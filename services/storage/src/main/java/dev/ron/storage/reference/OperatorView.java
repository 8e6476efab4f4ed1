package dev.ron.storage.reference;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentUnavailable;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.MemoryLease;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All objects, for the operator: it reads and lists every tenant's, what it stores belongs to
 * {@code default}, and what it deletes is deleted for all.
 *
 * <p>Threading: immutable.
 */
record OperatorView(ReferencedObjects all) implements ObjectStore {
  @Override
  public Optional<ContentStat> stat(Address address) throws InterruptedException {
    return all.objects().stat(address);
  }

  @Override
  public StorageFault missing(Address address) throws InterruptedException {
    return all.objects().missing(address);
  }

  @Override
  public ObjectReader open(ContentStat stat, long offset, long end) {
    return all.objects().open(stat, offset, end);
  }

  @Override
  public Optional<MemoryLease> hot(Address address, long offset, long end) {
    return all.objects().hot(address, offset, end);
  }

  @Override
  public Written put(Address address, Source source) throws IOException, InterruptedException {
    return all.put(
        Owner.DEFAULT, address, source.sizeBytes(), _ -> all.objects().put(address, source));
  }

  /** The bytes come first, so a tenant's delete may have taken them before they were kept. */
  @Override
  public Written putOnce(@Nullable Address expected, InputStream in)
      throws IOException, InterruptedException {
    Written first = all.objects().putOnce(expected, in);
    return first instanceof Written.Stored(Address address, long size, _)
        ? all.put(Owner.DEFAULT, address, size, _ -> kept(address, first))
        : first;
  }

  private Written kept(Address address, Written first) throws InterruptedException {
    return all.objects().stat(address).isPresent()
        ? first
        : new Written.Refused(
            new StorageFault.Unavailable(address + " was deleted meanwhile; send it again"));
  }

  @Override
  public Optional<StorageFault> delete(Address address) throws InterruptedException {
    try {
      return all.deleteForAll(address);
    } catch (ContentUnavailable silent) {
      return Optional.of(
          new StorageFault.Unavailable(
              "nothing was deleted, the bucket cannot be asked: " + silent.getMessage()));
    }
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) throws InterruptedException {
    return all.objects().list(after, max);
  }
}
