package dev.ron.capability;

/**
 * The answer to an {@code AccessRequest}.
 *
 * <p>Threading: immutable.
 */
public sealed interface AccessDecision {
  /** The token allows it. */
  record Granted(Grant grant) implements AccessDecision {}

  /** It does not, or it is no token of ours. */
  record Refused(CapabilityFault fault) implements AccessDecision {}
}
