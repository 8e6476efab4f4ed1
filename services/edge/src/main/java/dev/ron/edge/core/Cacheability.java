package dev.ron.edge.core;

import dev.ron.http.Headers;
import dev.ron.http.field.CacheControl;
import dev.ron.http.field.HttpDate;
import java.time.Instant;
import java.util.Set;

/**
 * Decides whether an answer may be kept (RFC 9111 section 3), and what of its head.
 *
 * <p>Threading: immutable; pure functions.
 */
public final class Cacheability {
  /** Statuses whose rules for caching are known here; the others are kept only when told to. */
  private static final Set<Integer> UNDERSTOOD =
      Set.of(
          200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404,
          405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 426, 500, 501, 502,
          503, 504, 505);

  private Cacheability() {}

  /** May it be kept, and by which clause. */
  public sealed interface Verdict {
    String clause();

    record Keep(String clause) implements Verdict {}

    record Drop(String clause) implements Verdict {}
  }

  public static Verdict decide(
      CacheRequest request, int status, Headers head, Instant requestTime, Instant responseTime) {
    CacheControl said = CacheDirectives.of(head).control();
    if (!request.method().equals("GET")) {
      return drop("3: the method is not GET");
    }
    if (status < 200 || status == 304) {
      return drop("3: not a final answer of its own");
    }
    boolean mustUnderstand = said.has("must-understand");
    if (mustUnderstand && !UNDERSTOOD.contains(status)) {
      return drop("5.2.2.3: must-understand");
    }
    if (said.noStore() && !mustUnderstand) {
      return drop("5.2.2.5: no-store");
    }
    if (request.control().noStore()) {
      return drop("5.2.1.5: no-store in the request");
    }
    if (said.unqualified("private")) {
      return drop("5.2.2.7: private");
    }
    if (request.headers().has("Authorization")
        && !said.has("public")
        && !said.has("must-revalidate")
        && !said.has("s-maxage")) {
      return drop("3.5: the request was authorized");
    }
    if (isPersonal(request, head) && !said.has("public") && !said.has("s-maxage")) {
      return drop("7.3: a cookie was sent or set, and nobody said that others may have it");
    }
    VaryFields selecting = VaryFields.of(head, request.headers());
    if (selecting.any()) {
      return drop("4.1: Vary: *");
    }
    if (request.isPersonal() && selecting.values().containsKey("cookie")) {
      return drop("7.3: chosen by a cookie");
    }
    return useful(said, status, head, requestTime, responseTime);
  }

  private static Verdict useful(
      CacheControl said, int status, Headers head, Instant requestTime, Instant responseTime) {
    Freshness fresh = Freshness.of(status, head, requestTime, responseTime);
    if (!fresh.explicit() && !said.has("public") && !Freshness.GUESSABLE.contains(status)) {
      return drop("3: nobody said for how long");
    }
    boolean lasts = fresh.lifetime().compareTo(fresh.ageAtStart()) > 0;
    boolean validatable =
        head.has("ETag") || Freshness.date(head, "Last-Modified", responseTime).isPresent();
    boolean excusable =
        fresh.staleIfError().isPositive() || fresh.staleWhileRevalidate().isPositive();
    return lasts || validatable || excusable
        ? new Verdict.Keep(fresh.explicit() ? "3: explicit freshness" : "4.2.2: heuristic")
        : drop("4.2: never fresh, and nothing to validate by");
  }

  /**
   * Whether the answer is one to what a client demanded of it, so that another who demands nothing
   * must not get it: a 412, or a 416, or what was sent instead.
   */
  public static boolean isConditional(CacheRequest request, int status) {
    Headers asked = request.headers();
    return asked.has("If-Match")
        || asked.has("If-Unmodified-Since")
        || (request.hasRange() && status != 206 && (status != 200 || asked.has("If-Range")));
  }

  private static boolean isPersonal(CacheRequest request, Headers head) {
    return request.isPersonal()
        || (head.has("Set-Cookie")
            && !CacheDirectives.of(head).fieldsKeptOut().contains("set-cookie"));
  }

  private static Verdict drop(String clause) {
    return new Verdict.Drop(clause);
  }

  /** The head as it is kept: without what was for the connection, or for others only (3.1). */
  public static Headers head(int status, Headers head, Instant responseTime) {
    Headers kept = HopByHop.without(head);
    CacheDirectives.of(head).fieldsKeptOut().forEach(kept::remove);
    kept.remove("Content-Length").remove("Set-Cookie");
    if (status == 206) {
      kept.remove("Content-Range"); // said anew for each part that is served
    }
    if (Freshness.date(kept, "Date", responseTime).isEmpty()) {
      // Who receives an answer without a date gives it one (RFC 9110 section 6.6.1).
      kept.set("Date", new HttpDate(responseTime).toString());
    }
    return kept;
  }
}
