package dev.ron.node.backup;

import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.client.bucket.ListedObject;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Backups in a bucket, below a prefix; the server answers the hash of what it stored.
 *
 * <p>Threading: owned by one thread.
 */
record BucketRepository(BucketClient client, BucketPath at) implements BackupRepository {
  @Override
  public SortedMap<String, Long> list(String prefix) throws IOException, InterruptedException {
    var found = new TreeMap<String, Long>();
    String own = at.below("").key();
    Optional<String> next = Optional.empty();
    do {
      BucketClient.Page page = client.list(at.below(prefix), "", next);
      for (ListedObject each : page.objects()) {
        found.put(each.key().substring(own.length()), each.size());
      }
      next = page.next();
    } while (next.isPresent());
    return found;
  }

  @Override
  public void put(String name, byte[] bytes) throws IOException, InterruptedException {
    client.put(at.below(name), bytes);
  }

  @Override
  public byte[] get(String name, int bytesMax) throws IOException, InterruptedException {
    return client.bytes(at.below(name), bytesMax);
  }

  @Override
  public void close() {
    client.close();
  }
}
