package dev.ron.edge.core;

import dev.ron.http.Headers;
import dev.ron.http.field.ETag;
import dev.ron.http.field.HttpDate;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Asking whether a stored answer is still right, and what the reply does to it (RFC 9111 sections
 * 3.2, 4.3).
 *
 * <p>Threading: immutable; pure functions.
 */
public final class Validation {
  /** They describe the bytes as they are kept, which a reply without bytes does not change. */
  private static final Set<String> OF_THE_BYTES =
      Set.of("content-length", "content-encoding", "content-range");

  private Validation() {}

  /** The conditions to ask with (section 4.3.1). */
  public static Headers conditions(StoredResponse stored) {
    var conditions = new Headers(2);
    String tag = stored.headers().first("ETag");
    if (tag != null) {
      conditions.add("If-None-Match", tag);
    }
    String modified = stored.headers().first("Last-Modified");
    if (modified != null && stored.modified().isPresent()) {
      conditions.add("If-Modified-Since", modified);
    }
    return conditions;
  }

  /** Whether a 304 speaks of this stored answer (section 4.3.4). */
  public static boolean confirms(StoredResponse stored, Headers notModified) {
    if (!notModified.has("ETag")) {
      String modified = notModified.first("Last-Modified");
      return modified == null || modified.equals(stored.headers().first("Last-Modified"));
    }
    Optional<ETag> told = StoredResponse.tag(notModified);
    Optional<ETag> kept = stored.tag();
    if (told.isEmpty() || kept.isEmpty()) {
      return String.valueOf(notModified.first("ETag")).equals(stored.headers().first("ETag"));
    }
    return told.get().weak()
        ? told.get().matchesWeakly(kept.get())
        : told.get().matchesStrongly(kept.get());
  }

  /** Whether the answer to HEAD speaks of the same bytes (section 4.3.5). */
  public static boolean headConfirms(StoredResponse stored, int status, Headers head) {
    if (status != stored.status() || !stored.pieces().complete()) {
      return false;
    }
    String length = head.first("Content-Length");
    boolean sameLength = length == null || length.equals(Long.toString(stored.pieces().total()));
    boolean sameTag =
        !head.has("ETag")
            || String.valueOf(head.first("ETag")).equals(stored.headers().first("ETag"));
    String modified = head.first("Last-Modified");
    boolean sameDate = modified == null || modified.equals(stored.headers().first("Last-Modified"));
    return sameLength && sameTag && sameDate;
  }

  /** The stored answer under the fields that came with the confirmation (section 3.2). */
  public static StoredResponse freshened(
      StoredResponse stored, Headers confirmation, Instant asked, Instant came) {
    Headers news = HopByHop.without(confirmation);
    CacheDirectives.of(confirmation).fieldsKeptOut().forEach(news::remove);
    news.remove("Set-Cookie");
    OF_THE_BYTES.forEach(news::remove);
    var head = new Headers(stored.headers().size() + 2);
    stored
        .headers()
        .forEach(
            (name, value) -> {
              // Its age is counted from this confirmation on.
              if (!news.has(name) && !name.toLowerCase(Locale.ROOT).equals("age")) {
                head.addParsed(name, value);
              }
            });
    head.addAll(news);
    if (Freshness.date(news, "Date", came).isEmpty()) {
      head.set("Date", new HttpDate(came).toString());
    }
    return stored.confirmed(head, asked, came);
  }
}
