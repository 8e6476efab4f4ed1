package dev.ron.sigv4;

import dev.ron.capability.CapabilityFault;
import dev.ron.capability.KeyPair;
import dev.ron.capability.Verifier;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The key pair of one request: a capability cut in two, found by its public half.
 *
 * <p>Threading: owned by the request's thread.
 */
public final class CapabilityKeys implements KeySource {
  private final Verifier verifier;
  private final Instant now;
  private KeyPair.@Nullable Found pair;

  public CapabilityKeys(Verifier verifier, Instant now) {
    this.verifier = verifier;
    this.now = now;
  }

  @Override
  public Found find(Claim claim) {
    return switch (verifier.find(claim.accessKeyId(), claim.sessionToken(), now)) {
      case KeyPair.Found found -> {
        pair = found;
        yield new Found.Key(found.made(claim.scope(), DerivedKey.class, DerivedKey::of));
      }
      case KeyPair.Lookup.Refused(CapabilityFault fault) -> new Found.None(refused(fault));
    };
  }

  /** Why there is no key, as the signer is told. */
  public static SignatureFault refused(CapabilityFault fault) {
    return switch (fault) {
      case CapabilityFault.Expired _ -> new SignatureFault.ExpiredToken();
      case CapabilityFault.Revoked _ -> new SignatureFault.InvalidToken("the key pair was revoked");
      default -> new SignatureFault.UnknownAccessKey();
    };
  }

  /** Why a pair that was proven is not valid any more; empty while it is. */
  public static Optional<CapabilityFault> fault(
      Verifier verifier, Verification.Verified verified, Instant now) {
    var claim = new Claim(verified.accessKeyId(), verified.sessionToken(), verified.scope());
    return fault(verifier, claim, now);
  }

  /** The same of a pair that was proven otherwise than by a request's own signature. */
  public static Optional<CapabilityFault> fault(Verifier verifier, Claim claim, Instant now) {
    return verifier.find(claim.accessKeyId(), claim.sessionToken(), now)
            instanceof KeyPair.Lookup.Refused(CapabilityFault fault)
        ? Optional.of(fault)
        : Optional.empty();
  }

  /** The pair, once the signature was found to fit its secret. */
  public KeyPair.Found proven() {
    KeyPair.Found found = pair;
    if (found == null) {
      throw new IllegalStateException("a signature fits a key that was not asked for");
    }
    found.proven(now);
    return found;
  }
}
