package dev.ron.edge.core;

import dev.ron.decode.ContentCoding;
import dev.ron.http.Headers;
import dev.ron.http.field.AcceptEncoding;
import dev.ron.http.field.CacheControl;
import dev.ron.http.field.ParseResult;
import dev.ron.http.field.TraceParent;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The fields of a client's request that reach an upstream: a list, and nothing beside it.
 *
 * <p>A field that is sent on and is not part of what an answer is found by lets one client decide
 * what others read. So a field of a client is sent only if the answer is kept under its value:
 * because the mount lists it, or because the upstream's own {@code Vary} names it. The rest is made
 * here, or brought into a form that leaves a client no choice of bytes.
 *
 * <p>Threading: immutable.
 *
 * @param keyed names that the mount lists: always sent, always part of the key
 * @param unkeyed names that the mount promises have no say in any answer, such as a tracer's
 */
public record RequestFields(Set<String> keyed, Set<String> unkeyed) {
  /** Sent once the upstream has named them in {@code Vary}. */
  private static final Set<String> NEGOTIATED =
      Set.of("accept", "accept-language", "origin", "save-data", "user-agent");

  /** What a request that no cache answers may carry besides. */
  private static final Set<String> PASSED_THROUGH =
      Set.of(
          "accept",
          "accept-encoding",
          "accept-language",
          "authorization",
          "content-disposition",
          "content-encoding",
          "content-language",
          "content-type",
          "if-match",
          "if-modified-since",
          "if-none-match",
          "if-unmodified-since",
          "origin",
          "prefer",
          "referer",
          "user-agent");

  /** Framing, routing and what the edge decides itself; a mount cannot list them. */
  private static final Set<String> NEVER =
      Set.of(
          "accept-encoding",
          "authorization",
          "cache-control",
          "content-length",
          "expect",
          "forwarded",
          "host",
          "if-match",
          "if-modified-since",
          "if-none-match",
          "if-range",
          "if-unmodified-since",
          "pragma",
          "range",
          "traceparent",
          "via",
          "x-corr-id",
          "x-original-url",
          "x-rewrite-url");

  private static final String AGENT = "ron-edge";
  private static final int RANGE_CHARS_MAX = 200;

  public RequestFields {
    keyed = Set.copyOf(keyed);
    unkeyed = Set.copyOf(unkeyed);
  }

  /** Names as a configuration lists them. */
  public static RequestFields listed(List<String> keyed, List<String> unkeyed) {
    return new RequestFields(lower(keyed), lower(unkeyed));
  }

  private static Set<String> lower(List<String> names) {
    return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  /** Whether a mount may list a field. */
  public static boolean listable(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return !NEVER.contains(lower) && !lower.startsWith("x-forwarded") && !HopByHop.is(lower);
  }

  /** What every answer of the mount is kept under; a cookie's value is never written down. */
  public Set<String> selecting() {
    return keyed.stream().filter(name -> !name.equals("cookie")).collect(Collectors.toSet());
  }

  /** Whether the upstream learns who asks. */
  public boolean hasCookies() {
    return isListed("cookie");
  }

  /** Of those the answer's {@code Vary} names, the ones that may be sent. */
  public static Set<String> negotiated(Headers answer) {
    var named = new HashSet<String>();
    for (String line : answer.all("Vary")) {
      for (String member : line.split(",", -1)) {
        String name = member.strip().toLowerCase(Locale.ROOT);
        if (NEGOTIATED.contains(name)) {
          named.add(name);
        }
      }
    }
    return named;
  }

  /**
   * A request as the cache sees it: without the fields that no upstream of this mount sees, so that
   * {@code Vary} on one of them chooses nothing.
   */
  public Headers admitted(Headers client) {
    Headers end = HopByHop.without(client);
    var admitted = new Headers(Math.max(4, end.size()));
    end.forEach(
        (name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          boolean own = NEVER.contains(lower) && !lower.equals("accept-encoding");
          if (own || lower.equals("prefer") || NEGOTIATED.contains(lower) || isListed(lower)) {
            admitted.addParsed(name, value);
          }
        });
    String codings = codings(end.all("Accept-Encoding"));
    return codings.isEmpty() ? admitted : admitted.add("Accept-Encoding", codings);
  }

  private boolean isListed(String lower) {
    return keyed.contains(lower) || unkeyed.contains(lower);
  }

  /**
   * What is asked with.
   *
   * @param admitted of the client, see {@link #admitted}
   * @param chosenBy names that the upstream has been seen to choose this answer by
   */
  public Headers toward(Headers admitted, Set<String> chosenBy) {
    var out = new Headers(8);
    admitted.forEach(
        (name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          boolean sent =
              isListed(lower)
                  || chosenBy.contains(lower)
                  || lower.equals("accept-encoding")
                  || lower.equals("authorization")
                  || lower.equals("x-corr-id")
                  || lower.equals("if-match")
                  || lower.equals("if-unmodified-since");
          if (sent) {
            out.addParsed(name, value);
          }
        });
    if (!out.has("User-Agent")) {
      out.add("User-Agent", AGENT);
    }
    trace(admitted, out);
    CacheControl asked = CacheControl.parse(admitted.all("Cache-Control"));
    if (asked.has("no-cache") || asked.maxAgeSeconds().orElse(1) == 0) {
      out.add("Cache-Control", "no-cache");
    } else if (asked.noStore()) {
      out.add("Cache-Control", "no-store");
    }
    return out;
  }

  /** What a request that no cache answers is passed on with. */
  public Headers passedThrough(Headers client) {
    var out = new Headers(8);
    HopByHop.without(client)
        .forEach(
            (name, value) -> {
              String lower = name.toLowerCase(Locale.ROOT);
              if (PASSED_THROUGH.contains(lower) || isListed(lower)) {
                out.addParsed(name, value);
              }
            });
    trace(client, out);
    return out;
  }

  private static void trace(Headers from, Headers to) {
    String parent = from.first("traceparent");
    if (parent != null
        && TraceParent.parse(parent) instanceof ParseResult.Ok<TraceParent>(var known)) {
      to.add("traceparent", known.toString());
    }
  }

  /** The client's ranges if they are numbers and nothing else; empty if they are not. */
  public static String ranges(Headers client) {
    List<String> lines = client.all("Range");
    String ranges = lines.size() == 1 ? lines.getFirst().replaceAll("\\s", "") : "";
    return ranges.length() <= RANGE_CHARS_MAX
            && ranges.matches("bytes=[0-9]*-[0-9]*(,[0-9]*-[0-9]*)*")
        ? ranges
        : "";
  }

  /** One of few texts for all that clients say of codings. */
  static String codings(List<String> lines) {
    if (lines.isEmpty()) {
      return "";
    }
    AcceptEncoding taken = AcceptEncoding.parse(lines);
    return Arrays.stream(ContentCoding.values())
        .filter(coding -> coding != ContentCoding.IDENTITY && taken.thousandths(coding) > 0)
        .map(ContentCoding::token)
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
