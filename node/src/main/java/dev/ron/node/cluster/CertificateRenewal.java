package dev.ron.node.cluster;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.tls.CertificateAuthority;
import dev.ron.http.tls.PeerIdentity;
import dev.ron.http.tls.Pem;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * {@code POST /v1/renew}: a machine of the cluster gets another certificate for its key, before its
 * own ends.
 *
 * <p>Any machine of the cluster can call this door, so a request is signed by the key that it is
 * for: a machine gets its own certificate and no other's.
 *
 * <p>Threading: immutable; one machine at a time.
 */
record CertificateRenewal(ClusterFolder folder, Time time)
    implements Verb<CertificateRenewal.Request, CertificateRenewal.Reply> {
  /** Long enough for a holiday during which the authority is away. */
  static final Duration LIFE = Duration.ofDays(90);

  /** From then on a machine asks every minute. */
  private static final Duration RENEWED_BEFORE = Duration.ofDays(45);

  /**
   * @param chain the certificate that ends
   * @param proof signature of its key over that
   */
  record Request(String chain, String proof) {
    Request {
      Objects.requireNonNull(chain, "chain");
      Objects.requireNonNull(proof, "proof");
    }

    String words() {
      return "ron renew\n" + chain;
    }
  }

  record Reply(String chain) {}

  static boolean isDue(X509Certificate shown, Instant now) {
    return now.isAfter(shown.getNotAfter().toInstant().minus(RENEWED_BEFORE));
  }

  @Override
  public Request parse(Exchange exchange) throws Exception {
    byte[] body = exchange.body().collect(JoinCluster.BODY_BYTES_MAX);
    return switch (Json.tolerant().read(body, Request.class)) {
      case JsonRead.Value<Request>(Request request) -> request;
      case JsonRead.Bad<Request>(var fault) ->
          throw Refusal.of(new HttpFault.Malformed(fault.detail()));
    };
  }

  @Override
  public Reply handle(Request request) throws IOException {
    X509Certificate shown;
    try {
      shown = Pem.certificates(request.chain()).getFirst();
    } catch (IOException none) {
      throw Refusal.of(new HttpFault.Malformed(String.valueOf(none.getMessage())));
    }
    if (!MachineProof.holds(shown.getPublicKey(), request.words(), request.proof())) {
      throw Refusal.of(new HttpFault.Forbidden("the machine does not show that it has its key"));
    }
    return folder.locked(() -> renew(shown));
  }

  private Reply renew(X509Certificate shown) throws IOException {
    ClusterRoster roster = folder.roster();
    if (!folder.keepsTheList()) {
      throw Refusal.of(
          new HttpFault.Forbidden(roster.founder() + " has the authority of the cluster"));
    }
    String name = CertificateAuthority.commonName(shown);
    ClusterMachine machine =
        roster
            .machine(name)
            .filter(each -> !roster.revoked().contains(PeerIdentity.serial(shown)))
            .orElseThrow(
                () -> Refusal.of(new HttpFault.Forbidden(name + " is no machine of this cluster")));
    CertificateAuthority authority = folder.authority();
    if (!isOf(authority, shown)) {
      throw Refusal.of(new HttpFault.Forbidden("a certificate of another authority"));
    }
    X509Certificate made =
        JoinCluster.sign(authority, name, machine.host(), shown.getPublicKey(), time.wall());
    folder.keepRoster(roster.with(machine.certified(PeerIdentity.serial(made))));
    return new Reply(Pem.of(made, authority.certificate()));
  }

  private static boolean isOf(CertificateAuthority authority, X509Certificate shown) {
    try {
      shown.verify(authority.certificate().getPublicKey());
      return true;
    } catch (GeneralSecurityException strange) {
      return false;
    }
  }
}
