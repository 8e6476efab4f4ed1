package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentUnavailable;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /o}: all objects in the order of their addresses, a page at a time.
 *
 * <p>Threading: immutable.
 */
record ListObjects(StorageContext context) implements Verb<ListObjects.Request, ListObjects.Reply> {
  private static final int PAGE = 1000;

  record Request(ObjectStore objects, @Nullable Address after, int limit) {}

  /**
   * A page.
   *
   * @param next after which the next page begins; none after the last
   */
  record Reply(List<StoredObject> objects, @Nullable String next) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    String after = exchange.query().first("after");
    return new Request(
        context.objects(exchange),
        after == null || after.isEmpty() ? null : StorageContext.address(after),
        limit(exchange.query().first("limit")));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    List<ContentStat> found;
    try {
      found = request.objects().list(request.after(), request.limit());
    } catch (ContentUnavailable silent) {
      throw Refusal.of(
          new StorageFault.Unavailable("not all can be listed: " + silent.getMessage()));
    }
    return new Reply(
        found.stream().map(stat -> StoredObject.of(stat.address(), stat.sizeBytes())).toList(),
        found.size() < request.limit() ? null : found.getLast().address().toString());
  }

  private static int limit(@Nullable String text) throws Refusal {
    if (text == null) {
      return PAGE;
    }
    try {
      int limit = Integer.parseInt(text);
      if (limit >= 1 && limit <= PAGE) {
        return limit;
      }
    } catch (NumberFormatException _) {
      // said below
    }
    throw Refusal.of(new StorageFault.Malformed("limit: 1 to " + PAGE));
  }
}
