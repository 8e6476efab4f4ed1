package dev.ron.storage.cluster.reference;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectReaderStream;
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
record ClusterOperatorView(ClusterReferences all) implements ObjectStore {
  @Override
  public Optional<ContentStat> stat(Address address) throws InterruptedException {
    return all.bytes().stat(address);
  }

  @Override
  public StorageFault missing(Address address) throws InterruptedException {
    return all.bytes().missing(address);
  }

  @Override
  public ObjectReader open(ContentStat stat, long offset, long end) {
    return all.bytes().open(stat, offset, end);
  }

  @Override
  public Written put(Address address, Source source) throws IOException, InterruptedException {
    return all.putDefault(address, source);
  }

  /** If a reference is needed, the bytes are stored a second time, from where they are. */
  @Override
  public Written putOnce(@Nullable Address expected, InputStream in)
      throws IOException, InterruptedException {
    Written first = all.bytes().putOnce(expected, in);
    return first instanceof Written.Stored(Address address, long size, _)
        ? all.kept(address, first, Source.of(size, () -> stored(new ContentStat(address, size))))
        : first;
  }

  private InputStream stored(ContentStat stat) {
    return new ObjectReaderStream(all.bytes().open(stat, 0, stat.sizeBytes()));
  }

  @Override
  public Optional<StorageFault> delete(Address address) throws InterruptedException {
    return all.deleteForAll(address);
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) throws InterruptedException {
    return all.bytes().list(after, max);
  }
}
