package dev.ron.client.bucket;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All objects under a prefix, in the order of their keys, a page in memory at a time.
 *
 * <p>Threading: owned by one thread.
 */
public final class ListedObjects {
  private final BucketClient client;
  private final BucketPath prefix;
  private final Deque<ListedObject> page = new ArrayDeque<>();
  private Optional<String> next = Optional.empty();
  private boolean begun;

  public ListedObjects(BucketClient client, BucketPath prefix) {
    this.client = client;
    this.prefix = prefix;
  }

  /** The next one; null after the last. */
  public @Nullable ListedObject next() throws IOException, InterruptedException {
    while (page.isEmpty()) {
      if (begun && next.isEmpty()) {
        return null;
      }
      BucketClient.Page read = client.list(prefix, "", next);
      begun = true;
      next = read.next();
      page.addAll(read.objects());
    }
    return page.poll();
  }
}
