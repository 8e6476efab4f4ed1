package dev.ron.capability;

/**
 * What a verifier believes at one moment: the keys it accepts and the tokens that were withdrawn.
 *
 * <p>Threading: immutable.
 */
public record Trust(KeyRing keys, Revocations revocations) {
  /** The same with other keys, after a rotation. */
  public Trust withKeys(KeyRing ring) {
    return new Trust(ring, revocations);
  }

  /** The same with other revocations. */
  public Trust withRevocations(Revocations withdrawn) {
    return new Trust(keys, withdrawn);
  }
}
