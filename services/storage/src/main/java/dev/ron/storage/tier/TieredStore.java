package dev.ron.storage.tier;

import dev.ron.blake3.Address;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentStat;
import dev.ron.content.DeleteResult;
import dev.ron.content.s3.S3Store;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Volumes;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All objects as one: those on this node's disks, and the cold ones in a bucket.
 *
 * <p>What is written lands on the disks. What is read is read from the disks, and from the bucket
 * where it is not there or where no copy there is good; nothing from the bucket is believed either.
 * An object goes to the bucket by {@link TierMover}, and comes back when it is written again.
 *
 * <p>Threading: thread-safe; {@code busy} keeps a move and a delete of one object apart.
 */
final class TieredStore implements ObjectStore {
  private final Volumes volumes;
  private final S3Store bucket;
  private final RecentObjects touched;
  private final Set<Address> busy = ConcurrentHashMap.newKeySet();

  TieredStore(Volumes volumes, S3Store bucket, RecentObjects touched) {
    this.volumes = volumes;
    this.bucket = bucket;
    this.touched = touched;
  }

  Volumes volumes() {
    return volumes;
  }

  S3Store bucket() {
    return bucket;
  }

  RecentObjects touched() {
    return touched;
  }

  /** Keeps other moves and deletes of it off until it is let go; false if one is under way. */
  boolean claim(Address address) {
    return busy.add(address);
  }

  void letGo(Address address) {
    busy.remove(address);
  }

  @Override
  public Optional<ContentStat> stat(Address address) {
    Optional<ContentStat> here = volumes.stat(address);
    return here.isPresent() ? here : bucket.stat(address);
  }

  @Override
  public StorageFault missing(Address address) {
    return volumes.missing(address);
  }

  @Override
  public ObjectReader open(ContentStat stat, long offset, long end) {
    touched.add(stat.address());
    return new TierReader(this, stat.address(), offset, end);
  }

  @Override
  public Written put(Address address, Source source) throws IOException, InterruptedException {
    return noted(volumes.put(address, source));
  }

  @Override
  public Written putAnew(Address address, Source source) throws IOException, InterruptedException {
    return noted(volumes.putAnew(address, source));
  }

  @Override
  public Written putOnce(@Nullable Address expected, InputStream in)
      throws IOException, InterruptedException {
    return noted(volumes.putOnce(expected, in));
  }

  private Written noted(Written written) {
    if (written instanceof Written.Stored(Address address, _, _)) {
      touched.add(address);
    }
    return written;
  }

  /** The bucket's first: if that cannot be done, nothing was. */
  @Override
  public Optional<StorageFault> delete(Address address) throws InterruptedException {
    if (!claim(address)) {
      return Optional.of(
          new StorageFault.Unavailable(address + " is on its way to the bucket; ask again"));
    }
    try {
      DeleteResult cold = bucket.delete(address);
      if (cold instanceof DeleteResult.Refused(ContentFault fault)
          && !(fault instanceof ContentFault.NotFound)) {
        return Optional.of(
            new StorageFault.Unavailable(
                "nothing was deleted, the bucket cannot be asked: " + fault.detail()));
      }
      Optional<StorageFault> here = volumes.delete(address);
      return cold instanceof DeleteResult.Deleted
              && here.isPresent()
              && here.get() instanceof StorageFault.NotFound
          ? Optional.empty()
          : here;
    } finally {
      letGo(address);
    }
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) {
    var found = new TreeMap<String, ContentStat>();
    bucket.list(after, max).forEach(stat -> found.put(stat.address().toString(), stat));
    volumes.list(after, max).forEach(stat -> found.put(stat.address().toString(), stat));
    return found.values().stream().limit(max).toList();
  }
}
