package dev.ron.erasure;

/**
 * What verify found out.
 *
 * <p>Threading: immutable.
 */
public sealed interface Verdict {
  /** Every parity byte is what the data say it should be. */
  record Intact() implements Verdict {}

  /**
   * These shards hold wrong bytes, all others are right. With r shards more than k present this is
   * certain as long as at most r/2 (rounded down) shards are wrong at any one offset: beyond that,
   * wrong bytes can imitate right ones, as in any such code.
   */
  record Corrupt(ShardSet shards) implements Verdict {}

  /** Something is wrong, and the shards alone do not tell what. A checksum of each would. */
  record Ambiguous() implements Verdict {}

  default boolean intact() {
    return this instanceof Intact;
  }
}
