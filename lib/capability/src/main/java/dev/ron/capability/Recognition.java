package dev.ron.capability;

/**
 * What can be said of a token without checking a signature. It grants nothing: it is for a door
 * that has to decide whose request this is before it pays for {@link Verifier#authenticate}.
 *
 * <p>Threading: immutable.
 */
public sealed interface Recognition {
  /** It was authentic when it was last checked, with the same keys and revocations as now. */
  record Recalled(Capability capability) implements Recognition {}

  /** It names an accepted key; only its signature tells. */
  record Unverified() implements Recognition {}

  /** It cannot be authentic, and {@link Verifier#authenticate} finds so without a signature. */
  record Worthless() implements Recognition {}
}
