package dev.ron.storage.s3.core;

/**
 * Until when a version may not be deleted.
 *
 * <p>Threading: immutable.
 */
public record Retention(Mode mode, long untilMillis) {
  /** How strict it is. */
  public enum Mode {
    /** A caller with the right to bypass it may end it. */
    GOVERNANCE,
    /** No caller may end or shorten it. */
    COMPLIANCE
  }

  public boolean holds(long nowMillis) {
    return nowMillis < untilMillis;
  }
}
