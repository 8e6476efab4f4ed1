package dev.ron.node;

import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.time.Time;
import java.util.List;
import java.util.function.Supplier;

/**
 * The trust in capabilities that all services of a running node share, and the tokens they show
 * each other.
 *
 * <p>One verifier for all of them: what {@link TrustRefresh} reads reaches every service at once.
 *
 * <p>Threading: immutable; the verifier is thread-safe.
 */
record NodeTrust(Verifier verifier, Time time) {
  static NodeTrust of(NodeKeys keys, Time time) {
    return new NodeTrust(new Verifier(keys.trust()), time);
  }

  /** A token for one service to show to another, renewed by itself. */
  Supplier<String> token(Caveat... caveats) {
    return new RenewedToken(verifier, time, List.of(caveats));
  }
}
