package dev.ron.edge.core;

import dev.ron.http.Headers;

/**
 * What this cache did about a request, in the form of RFC 9211.
 *
 * <p>Threading: immutable.
 *
 * @param text this cache's member of the field
 */
public record CacheStatus(String text) {
  public static final String FIELD = "Cache-Status";

  private static final String NAME = "ron-edge";

  public static CacheStatus hit(long ttlSeconds) {
    return new CacheStatus(NAME + "; hit; ttl=" + ttlSeconds);
  }

  /** From a pack: there is no lifetime to tell. */
  public static CacheStatus pack() {
    return new CacheStatus(NAME + "; hit; detail=pack");
  }

  public static CacheStatus stale(CacheDecision.Stale stale) {
    return hit(stale.ttlSeconds()).detail(stale.clause());
  }

  public static CacheStatus forwarded(ForwardReason why) {
    return new CacheStatus(NAME + "; fwd=" + why.word());
  }

  public CacheStatus status(int upstream) {
    return new CacheStatus(text + "; fwd-status=" + upstream);
  }

  public CacheStatus stored() {
    return new CacheStatus(text + "; stored");
  }

  public CacheStatus collapsed() {
    return new CacheStatus(text + "; collapsed");
  }

  /** A reason in words; what cannot stand in a quoted string is left out. */
  public CacheStatus detail(String words) {
    String plain = words.replaceAll("[^ !#-\\[\\]-~]", "");
    return new CacheStatus(text + "; detail=\"" + plain + "\"");
  }

  /** Puts this cache's member behind those of caches closer to the origin. */
  public Headers on(Headers head) {
    return head.addParsed(FIELD, text);
  }
}
