package dev.ron.edge.core;

import dev.ron.http.field.ByteRange;

/**
 * What is to be done about a request, and the clause that says so.
 *
 * <p>Threading: immutable.
 */
public sealed interface CacheDecision {
  /** The section of RFC 9111, or of the RFC named, and its reason in a word or two. */
  String clause();

  /** The stored answer serves. */
  record Hit(StoredResponse stored, long ageSeconds, long ttlSeconds, String clause)
      implements CacheDecision {}

  /**
   * The stored answer serves although it is stale.
   *
   * @param revalidate and the origin is asked meanwhile
   */
  record Stale(
      StoredResponse stored, long ageSeconds, long ttlSeconds, boolean revalidate, String clause)
      implements CacheDecision {}

  /** The origin is asked whether the stored answer is still right. */
  record Validate(StoredResponse stored, ForwardReason why, String clause)
      implements CacheDecision {}

  /** The origin is asked for the bytes that are missing of a stored answer. */
  record Complete(StoredResponse stored, ByteRange missing, String clause)
      implements CacheDecision {}

  /** The origin is asked. */
  record Forward(ForwardReason why, String clause) implements CacheDecision {}

  /** 504: the client wants what is stored or nothing. */
  record Refuse(String clause) implements CacheDecision {}
}
