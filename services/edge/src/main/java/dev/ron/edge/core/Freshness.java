package dev.ron.edge.core;

import dev.ron.http.Headers;
import dev.ron.http.field.CacheControl;
import dev.ron.http.field.HttpDate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * How long an answer may be used, and how old it was when it came (RFC 9111 section 4.2).
 *
 * <p>Worked out once, when the answer is stored, so that a hit only subtracts.
 *
 * <p>Threading: immutable.
 *
 * @param lifetime zero if it was never fresh
 * @param explicit the origin named the lifetime; otherwise it is a guess, or none
 * @param ageAtStart when it came, by the worse of its own account and its date (section 4.2.3)
 * @param mustValidate never used without asking, however fresh: {@code no-cache}
 * @param neverStale not used stale whatever the excuse: {@code must-revalidate} and its kin
 */
public record Freshness(
    Duration lifetime,
    boolean explicit,
    Duration ageAtStart,
    boolean mustValidate,
    boolean neverStale,
    Duration staleWhileRevalidate,
    Duration staleIfError) {
  /** What a guess may come to at most; a day old is old for an origin that said nothing. */
  private static final Duration GUESS_MAX = Duration.ofDays(1);

  /** A tenth of the time it stayed unchanged, as section 4.2.2 suggests. */
  private static final int GUESS_SHARE = 10;

  /** Statuses that may be kept without being told for how long (RFC 9110 section 15.1). */
  static final Set<Integer> GUESSABLE =
      Set.of(200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501);

  static Freshness of(int status, Headers head, Instant requestTime, Instant responseTime) {
    CacheDirectives said = CacheDirectives.of(head);
    CacheControl control = said.control();
    Instant date = date(head, "Date", responseTime).orElse(responseTime);
    Optional<Duration> named = named(said, head, date, responseTime);
    boolean guessable = GUESSABLE.contains(status) || control.has("public");
    Duration lifetime =
        named.orElseGet(() -> guessable ? guess(head, date, responseTime) : Duration.ZERO);
    return new Freshness(
        lifetime,
        named.isPresent(),
        ageAtStart(head, date, requestTime, responseTime),
        control.unqualified("no-cache"),
        control.has("must-revalidate")
            || control.has("proxy-revalidate")
            || control.has("s-maxage")
            || control.unqualified("no-cache"),
        seconds(control.seconds("stale-while-revalidate")),
        seconds(control.seconds("stale-if-error")));
  }

  /** {@code s-maxage}, {@code max-age}, {@code Expires}, in this order (section 4.2.1). */
  private static Optional<Duration> named(
      CacheDirectives said, Headers head, Instant date, Instant responseTime) {
    OptionalLong seconds = said.control().sharedMaxAgeSeconds();
    if (seconds.isPresent()) {
      return Optional.of(seconds(seconds));
    }
    if (said.targeted() || !head.has("Expires")) {
      return Optional.empty();
    }
    // What is no date, above all 0, has passed already (section 5.3).
    Duration left =
        date(head, "Expires", responseTime)
            .map(expires -> Duration.between(date, expires))
            .orElse(Duration.ZERO);
    return Optional.of(left.isNegative() ? Duration.ZERO : left);
  }

  private static Duration guess(Headers head, Instant date, Instant responseTime) {
    Duration unchanged =
        date(head, "Last-Modified", responseTime)
            .map(modified -> Duration.between(modified, date))
            .orElse(Duration.ZERO);
    Duration share = unchanged.dividedBy(GUESS_SHARE);
    if (share.isNegative()) {
      return Duration.ZERO;
    }
    return share.compareTo(GUESS_MAX) > 0 ? GUESS_MAX : share;
  }

  private static Duration ageAtStart(
      Headers head, Instant date, Instant requestTime, Instant responseTime) {
    Duration apparent = Duration.between(date, responseTime);
    Duration told = seconds(told(head)).plus(positive(requestTime, responseTime));
    return apparent.compareTo(told) > 0 ? apparent : told;
  }

  private static Duration positive(Instant from, Instant to) {
    Duration between = Duration.between(from, to);
    return between.isNegative() ? Duration.ZERO : between;
  }

  /** The first member of the first line; what is no number was not said (section 5.1). */
  private static OptionalLong told(Headers head) {
    String line = head.first("Age");
    if (line == null) {
      return OptionalLong.empty();
    }
    return CacheControl.parse(List.of("age=" + line.split(",", -1)[0].strip())).seconds("age");
  }

  private static Duration seconds(OptionalLong seconds) {
    return Duration.ofSeconds(seconds.orElse(0));
  }

  /** A date that stands alone; read without regard to case, as section 4.2 asks of caches. */
  static Optional<Instant> date(Headers head, String name, Instant now) {
    List<String> lines = head.all(name);
    return lines.size() == 1
        ? HttpDate.parse(recased(lines.getFirst()), now).asOptional().map(HttpDate::instant)
        : Optional.empty();
  }

  private static String recased(String date) {
    var right = new StringBuilder(date.length());
    boolean inWord = false;
    for (int i = 0; i < date.length(); i++) {
      char c = date.charAt(i);
      right.append(inWord ? Character.toLowerCase(c) : Character.toUpperCase(c));
      inWord = Character.isLetter(c);
    }
    int zone = right.length() - 3;
    if (zone > 0 && right.substring(zone).toUpperCase(Locale.ROOT).equals("GMT")) {
      right.replace(zone, right.length(), "GMT");
    }
    return right.toString();
  }

  /** How old the answer is now. */
  public Duration age(Instant responseTime, Instant now) {
    return ageAtStart.plus(positive(responseTime, now));
  }

  /** What is left of its lifetime; negative once it is stale. */
  public Duration left(Instant responseTime, Instant now) {
    return lifetime.minus(age(responseTime, now));
  }
}
