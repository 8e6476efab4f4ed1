package dev.ron.capability;

import dev.ron.capability.registered.RegisteredKeys;

/**
 * What a verifier believes at one moment: the keys it accepts, the tokens that were withdrawn, and
 * the short ids of key pairs.
 *
 * <p>Threading: immutable.
 */
public record Trust(KeyRing keys, Revocations revocations, RegisteredKeys registered) {
  /** Without short ids. */
  public Trust(KeyRing keys, Revocations revocations) {
    this(keys, revocations, RegisteredKeys.NONE);
  }
}
