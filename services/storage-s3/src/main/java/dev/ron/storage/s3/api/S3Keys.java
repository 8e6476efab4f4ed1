package dev.ron.storage.s3.api;

import dev.ron.capability.KeyPair;
import dev.ron.capability.Verifier;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.http.server.guard.RefusalLimit;
import dev.ron.kernel.time.Time;
import dev.ron.sigv4.CapabilityKeys;
import dev.ron.sigv4.KeySource;
import dev.ron.sigv4.SignatureFault;
import dev.ron.storage.s3.S3Fault;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The key pair of one request, charged to the address that it comes from while it is not proven.
 *
 * <p>Threading: owned by the request's thread.
 */
public final class S3Keys implements KeySource {
  private final Verifier verifier;
  private final CapabilityKeys pairs;
  private final RefusalLimit.Account account;
  private final Instant now;
  private final long version;
  private @Nullable Claim claim;

  /**
   * @param account of the address
   */
  S3Keys(Verifier verifier, RefusalLimit.Account account, Instant now) {
    this.verifier = verifier;
    this.version = verifier.version();
    this.pairs = new CapabilityKeys(verifier, now);
    this.account = account;
    this.now = now;
  }

  @Override
  public Found find(Claim asked) {
    claim = asked;
    Duration rest = account.rest();
    return rest.isPositive() && !verifier.recalls(asked.accessKeyId(), asked.sessionToken(), now)
        ? new Found.None(new SignatureFault.TooManyWrong(rest))
        : pairs.find(asked);
  }

  /** The signature is refused: counts against the address if a key was looked for. */
  public Refusal refuse(SignatureFault fault) {
    if (claim != null) {
      account.refused();
    }
    return Refusal.of(fault);
  }

  /** The pair, once the signature was found to fit its secret; the exchange ends when it does. */
  KeyPair.Found proven(Exchange exchange, Time time) {
    KeyPair.Found found = pairs.proven();
    Claim proven = claim;
    if (proven == null) {
      throw new IllegalStateException("nothing was asked for");
    }
    new Bearer(
            verifier,
            time,
            at -> CapabilityKeys.fault(verifier, proven, at),
            found.capability(),
            version,
            fault -> Refusal.of(new S3Fault.AccessDenied(fault.detail())))
        .admit(exchange);
    return found;
  }
}
