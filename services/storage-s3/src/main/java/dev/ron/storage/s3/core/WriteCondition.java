package dev.ron.storage.s3.core;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What must be true of the object now for a write or delete to happen.
 *
 * <p>It is decided where the name is changed, in the one order of all changes, so of two writers
 * that ask for the same only one gets it.
 *
 * <p>Threading: immutable.
 *
 * @param ifMatch an entity tag, or {@code *} for any object; null asks nothing
 * @param ifNoneMatch the same for what must not be there
 * @param sizeBytes what a delete expects; negative asks nothing
 * @param modifiedSeconds what a delete expects, in seconds since 1970; negative asks nothing
 */
public record WriteCondition(
    @Nullable String ifMatch, @Nullable String ifNoneMatch, long sizeBytes, long modifiedSeconds) {
  public static final WriteCondition NONE = new WriteCondition(null, null, -1, -1);

  private static final String ANY = "*";

  /** What a condition says of an object. */
  public enum Verdict {
    HOLDS,
    FAILS,
    /** It asks for an object, and there is none. */
    ABSENT
  }

  public static WriteCondition matching(@Nullable String ifMatch, @Nullable String ifNoneMatch) {
    return new WriteCondition(ifMatch, ifNoneMatch, -1, -1);
  }

  /**
   * Of a delete. Nothing that was asked counts as not asked: no object is as old as 1970.
   *
   * @param sizeBytes a whole number, null if it is not asked
   * @param modified null if it is not asked
   * @throws NumberFormatException if the size is none
   */
  public static WriteCondition ofDelete(
      @Nullable String ifMatch, @Nullable String sizeBytes, @Nullable Instant modified) {
    long size = sizeBytes == null ? -1 : Long.parseLong(sizeBytes.strip());
    if (sizeBytes != null && size < 0) {
      throw new NumberFormatException("an object of " + size + " bytes");
    }
    return new WriteCondition(
        ifMatch, null, size, modified == null ? -1 : Math.max(0, modified.getEpochSecond()));
  }

  /** Whether it asks anything. */
  public boolean asks() {
    return !equals(NONE);
  }

  /** Whether its verdict says more of an object than that there is one. */
  public boolean tells() {
    return asksMore(ifMatch) || asksMore(ifNoneMatch) || sizeBytes >= 0 || modifiedSeconds >= 0;
  }

  private static boolean asksMore(@Nullable String tag) {
    return tag != null && !tag.strip().equals(ANY);
  }

  /**
   * A delete marker has no entity tag: only {@code *} matches it.
   *
   * @param current the object that is there, null if none is
   */
  public Verdict of(@Nullable ObjectVersion current) {
    if (current == null) {
      return ifMatch != null || sizeBytes >= 0 || modifiedSeconds >= 0
          ? Verdict.ABSENT
          : Verdict.HOLDS;
    }
    boolean holds =
        (ifMatch == null || matches(ifMatch, current))
            && (ifNoneMatch == null || !matches(ifNoneMatch, current))
            && (sizeBytes < 0 || sizeBytes == current.sizeBytes())
            && (modifiedSeconds < 0 || modifiedSeconds == current.modifiedMillis() / 1000);
    return holds ? Verdict.HOLDS : Verdict.FAILS;
  }

  private static boolean matches(String asked, ObjectVersion current) {
    return asked.strip().equals(ANY) || (!current.isMarker() && current.etag().isMeantBy(asked));
  }
}
