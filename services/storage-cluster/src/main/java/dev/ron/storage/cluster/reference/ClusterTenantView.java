package dev.ron.storage.cluster.reference;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentUnavailable;
import dev.ron.storage.StorageFault;
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
 * <p>What another tenant has is as what is not there.
 *
 * <p>Threading: immutable.
 */
record ClusterTenantView(ClusterReferences all, String tenant) implements ObjectStore {
  /** Records of so many objects fit into one answer, however many tenants each has. */
  private static final int PAGE = 20;

  /** Also empty where it is not known whose it is; {@link #missing} says so then. */
  @Override
  public Optional<ContentStat> stat(Address address) throws InterruptedException {
    return all.stat(tenant, address);
  }

  @Override
  public StorageFault missing(Address address) throws InterruptedException {
    return all.missing(tenant, address);
  }

  @Override
  public ObjectReader open(ContentStat stat, long offset, long end) {
    return all.bytes().open(stat, offset, end);
  }

  /** The caller has shown that it has the bytes. */
  @Override
  public Written put(Address address, Source source) throws IOException, InterruptedException {
    return tenant.equals(Owner.DEFAULT)
        ? all.putDefault(address, source)
        : all.put(tenant, address, source);
  }

  @Override
  public Written putOnce(@Nullable Address expected, InputStream in) {
    throw new IllegalStateException("a tenant's stream becomes an upload: its address comes first");
  }

  @Override
  public Optional<StorageFault> delete(Address address) throws InterruptedException {
    return all.delete(tenant, address);
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) throws InterruptedException {
    return tenant.equals(Owner.DEFAULT) ? rest(after, max) : own(after, max);
  }

  /** References whose bytes are nowhere open nothing, and are not listed. */
  private List<ContentStat> own(@Nullable Address after, int max) throws InterruptedException {
    var page = new ArrayList<ContentStat>();
    ClusterReferences.Listing some = all.list(tenant, after, PAGE);
    while (page.size() < max) {
      require(some.fault());
      for (ContentStat stat : some.objects()) {
        if (page.size() < max && all.bytes().stat(stat.address()).isPresent()) {
          page.add(stat);
        }
      }
      if (some.last() == null) {
        break;
      }
      some = all.list(tenant, some.last(), PAGE);
    }
    return page;
  }

  /** Most of what {@code default} has is what no other tenant has. */
  private List<ContentStat> rest(@Nullable Address after, int max) throws InterruptedException {
    var page = new ArrayList<ContentStat>();
    List<ContentStat> some = all.bytes().list(after, PAGE);
    while (page.size() < max && !some.isEmpty()) {
      ReferenceQuorum.Answer owners =
          all.quorum().read(some.stream().map(ContentStat::address).toList());
      require(owners.fault());
      for (ContentStat stat : some) {
        if (page.size() < max && owners.of(stat.address()).owns(tenant)) {
          page.add(stat);
        }
      }
      some = all.bytes().list(some.getLast().address(), PAGE);
    }
    return page;
  }

  private static void require(@Nullable StorageFault fault) {
    if (fault != null) {
      throw new ContentUnavailable(
          new ContentFault.RemoteFailed(
              ContentFault.RemoteFailed.Trouble.UNREACHABLE, fault.detail()));
    }
  }
}
