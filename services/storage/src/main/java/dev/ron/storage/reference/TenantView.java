package dev.ron.storage.reference;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;
import dev.ron.content.AddressKey;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentUnavailable;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.MemoryLease;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The objects that one tenant stored, and what is public.
 *
 * <p>What another tenant has is as what is not there: no answer says otherwise, and nothing is done
 * in the one case that is not done in the other. So bytes that are new to the tenant are written
 * also where they are on the disks already.
 *
 * <p>What it reaches is asked before and after what is there: an object that no reference keeps any
 * more, or that another tenant has just stored, has no reference for a moment in which it has no
 * bytes, or no bytes for a moment in which it has no reference.
 *
 * <p>Threading: immutable.
 */
record TenantView(ReferencedObjects all, String tenant) implements ObjectStore {
  private static final int PAGE = 1000;

  @Override
  public Optional<ContentStat> stat(Address address) throws InterruptedException {
    boolean before = all.reaches(tenant, address);
    if (!before && !tenant.equals(Owner.DEFAULT)) {
      return Optional.empty();
    }
    // Of default's it is asked also where it is another's: that may take as long as a bucket takes.
    Optional<ContentStat> found = all.objects().stat(address);
    return found.filter(_ -> before && all.reaches(tenant, address));
  }

  @Override
  public StorageFault missing(Address address) throws InterruptedException {
    return all.missing(address);
  }

  @Override
  public ObjectReader open(ContentStat stat, long offset, long end) {
    return all.objects().open(stat, offset, end);
  }

  @Override
  public Optional<MemoryLease> hot(Address address, long offset, long end) {
    if (!all.reaches(tenant, address)) {
      return Optional.empty();
    }
    Optional<MemoryLease> held = all.objects().hot(address, offset, end);
    if (held.isPresent() && !all.reaches(tenant, address)) {
      held.get().close();
      return Optional.empty();
    }
    return held;
  }

  /** The caller has shown that it has the bytes: its reference is durable before they are. */
  @Override
  public Written put(Address address, Source source) throws IOException, InterruptedException {
    try {
      return all.put(
          tenant,
          address,
          source.sizeBytes(),
          owned -> {
            Written written =
                owned ? all.objects().put(address, source) : all.objects().putAnew(address, source);
            return written instanceof Written.Stored(_, long size, boolean fresh)
                ? new Written.Stored(address, size, fresh || !owned)
                : written;
          });
    } catch (ContentUnavailable silent) {
      return new Written.Refused(bucket(silent));
    }
  }

  @Override
  public Written putOnce(@Nullable Address expected, InputStream in) {
    throw new IllegalStateException("a tenant's stream becomes an upload: its address comes first");
  }

  @Override
  public Optional<StorageFault> delete(Address address) throws InterruptedException {
    try {
      return all.delete(tenant, address);
    } catch (ContentUnavailable silent) {
      return Optional.of(bucket(silent));
    }
  }

  private static StorageFault bucket(ContentUnavailable silent) {
    return new StorageFault.Unavailable("the bucket cannot be asked: " + silent.getMessage());
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) throws InterruptedException {
    return tenant.equals(Owner.DEFAULT) ? rest(after, max) : own(after, max);
  }

  private Optional<ContentStat> own(Address address) throws InterruptedException {
    return all.objects().stat(address).filter(_ -> all.owns(tenant, address));
  }

  private List<ContentStat> own(@Nullable Address after, int max) throws InterruptedException {
    var page = new ArrayList<ContentStat>();
    AddressKey from = after == null ? null : AddressKey.of(after);
    for (AddressKey key : all.table().ownedBy(tenant, from)) {
      if (page.size() == max) {
        break;
      }
      own(key.address()).ifPresent(page::add);
    }
    return page;
  }

  /** Most of what {@code default} has is what no other tenant has. */
  private List<ContentStat> rest(@Nullable Address after, int max) throws InterruptedException {
    var page = new ArrayList<ContentStat>();
    List<ContentStat> some = all.objects().list(after, PAGE);
    while (page.size() < max && !some.isEmpty()) {
      for (ContentStat stat : some) {
        if (page.size() < max && all.owns(tenant, stat.address())) {
          own(stat.address()).ifPresent(page::add);
        }
      }
      some = all.objects().list(some.getLast().address(), PAGE);
    }
    return page;
  }
}
