package dev.ron.capability;

/**
 * Whether a token is one of ours and still valid, whatever it is for.
 *
 * <p>Threading: immutable.
 */
public sealed interface Authentication {
  /** It is. */
  record Authentic(Capability capability) implements Authentication {}

  /** It is not; the fault's code is {@code unauth}. */
  record Refused(CapabilityFault fault) implements Authentication {}
}
