package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentUnavailable;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.StorageFault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /o}: all objects in the order of their addresses, a page at a time.
 *
 * <p>Threading: immutable.
 */
record ListObjects(StorageContext desk) {
  private static final int PAGE = 1000;

  Blocking handler() {
    return exchange -> {
      String after = exchange.query().first("after");
      Address from = after == null || after.isEmpty() ? null : StorageContext.address(after);
      int limit = limit(exchange.query().first("limit"));
      List<ContentStat> found = page(from, limit);
      return Answer.bytes(
          200, "application/json", StorageJson.JSON.write(StorageJson.Page.of(found, limit)));
    };
  }

  private List<ContentStat> page(@Nullable Address from, int limit)
      throws Refusal, InterruptedException {
    try {
      return desk.stock().list(from, limit);
    } catch (ContentUnavailable silent) {
      throw Refusal.of(
          new StorageFault.Unavailable(
              "what is in the bucket cannot be listed: " + silent.getMessage()));
    }
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
