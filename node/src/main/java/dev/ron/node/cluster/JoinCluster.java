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
import dev.ron.node.NodeKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * {@code POST /v1/join}: a machine with an invitation becomes one of the cluster's.
 *
 * <p>The invitation is bound to the machine's key before the machine is listed, and listed before
 * it is answered: a machine that does not hear the answer asks again with the same key.
 *
 * <p>Threading: immutable; one machine joins at a time.
 *
 * @param data the node's folder
 */
record JoinCluster(Path data, ClusterFolder folder, Time time)
    implements Verb<JoinCluster.Request, JoinCluster.Reply> {
  static final int BODY_BYTES_MAX = 16 << 10;

  /**
   * @param node the name it wants; empty takes the next letter
   * @param key its public key
   * @param proof signature of that key over all the rest
   * @param replaces a machine that is gone for good, the one its invitation is for; empty leaves
   *     that to the invitation
   */
  record Request(
      String secret,
      String node,
      String host,
      int basePort,
      String key,
      String replaces,
      String proof) {
    Request {
      for (Object each : new Object[] {secret, node, host, key, replaces, proof}) {
        Objects.requireNonNull(each, "a field of the request");
      }
    }

    /** What is signed. */
    String words() {
      return "ron join\n%s\n%s\n%s\n%d\n%s\n%s"
          .formatted(Invitations.hash(secret), node, host, basePort, key, replaces);
    }

    /** The secret is for no log. */
    @Override
    public String toString() {
      return "Request[%s at %s:%d]".formatted(node, host, basePort);
    }
  }

  /**
   * @param chain the machine's certificate, and behind it the authority's
   * @param keys the files by which capabilities are signed and checked, the same on all machines
   * @param nowMillis the clock here: machines whose clocks differ do not agree on when a lease ends
   */
  record Reply(
      String node,
      String chain,
      String authority,
      ClusterRoster roster,
      NodeKeys.Shared keys,
      long nowMillis) {}

  @Override
  public Request parse(Exchange exchange) throws Exception {
    byte[] body = exchange.body().collect(BODY_BYTES_MAX);
    return switch (Json.tolerant().read(body, Request.class)) {
      case JsonRead.Value<Request>(Request request) -> request;
      case JsonRead.Bad<Request>(var fault) ->
          throw Refusal.of(new HttpFault.Malformed(fault.detail()));
    };
  }

  @Override
  public Reply handle(Request request) throws Refusal {
    try {
      return folder.locked(() -> join(request));
    } catch (Refusal refused) {
      throw refused;
    } catch (IllegalArgumentException wrong) {
      throw Refusal.of(new HttpFault.Malformed(String.valueOf(wrong.getMessage())));
    } catch (IOException failed) {
      throw Refusal.of(new HttpFault.Internal());
    }
  }

  private Reply join(Request request) throws IOException {
    if (!folder.keepsTheList()) {
      // Two that write would make two lists, of which the others keep one.
      throw Refusal.of(
          new HttpFault.Forbidden(
              "machine %s keeps the list of machines now; ask there for an invitation"
                  .formatted(folder.roster().founder())));
    }
    Instant now = time.wall();
    Invitations invitations = folder.invitations();
    String keyHash = Invitations.hash(request.key());
    Invitations.Invitation invitation =
        switch (invitations.claim(request.secret(), keyHash, now)) {
          case Invitations.Claim.Good(var found) -> found;
          case Invitations.Claim.Refused(String why) ->
              throw Refusal.of(new HttpFault.Forbidden(why));
        };
    PublicKey key = MachineProof.key(request.key());
    if (!MachineProof.holds(key, request.words(), request.proof())) {
      throw Refusal.of(new HttpFault.Forbidden("the machine does not show that it has its key"));
    }
    String given = invitation.machine();
    requireItsPlace(request, invitation);
    ClusterRoster roster = folder.roster();
    boolean again = !given.isEmpty() && roster.machine(given).isPresent();
    if (!given.isEmpty() && !again && !roster.isFree(given)) {
      // Otherwise one that is not trusted any more would be listed, and told the keys of today.
      throw Refusal.of(
          new HttpFault.Forbidden(
              "machine %s, which used this invitation, was let go; ask for another"
                  .formatted(given)));
    }
    String name = given.isEmpty() ? name(request, roster, invitations.promised(now)) : given;
    CertificateAuthority authority = folder.authority();
    X509Certificate made = sign(authority, name, request.host(), key, now);
    var machine =
        new ClusterMachine(name, request.host(), request.basePort(), PeerIdentity.serial(made));
    // One that is listed has had its wish: an invitation takes the place of one machine, not of
    // all.
    ClusterRoster next = (again ? roster : replaced(roster, invitation.replaces())).with(machine);
    folder.keepInvitations(invitations.used(request.secret(), keyHash, name));
    folder.keepRoster(next);
    return new Reply(
        name,
        Pem.of(made, authority.certificate()),
        Pem.of(authority.certificate()),
        next,
        NodeKeys.shared(data),
        now.toEpochMilli());
  }

  /** Whose place is taken was decided where the authority is, not by whatever machine joins. */
  private static void requireItsPlace(Request request, Invitations.Invitation invitation)
      throws Refusal {
    if (!request.replaces().isEmpty() && !request.replaces().equals(invitation.replaces())) {
      throw Refusal.of(
          new HttpFault.Forbidden(
              "this invitation is %s; `ron cluster invite --replace %s` makes one that is"
                  .formatted(
                      invitation.replaces().isEmpty()
                          ? "not for another machine's place"
                          : "for the place of " + invitation.replaces(),
                      request.replaces())));
    }
  }

  private static ClusterRoster replaced(ClusterRoster roster, String gone) {
    if (gone.isEmpty() || roster.revoked().contains(PeerIdentity.holder(gone))) {
      return roster;
    }
    roster.requireReplaceable(gone);
    return roster.replaced(gone);
  }

  /** A machine that was given a name and is not listed yet, for a crash, will ask for it again. */
  private static String name(Request request, ClusterRoster roster, Set<String> promised) {
    if (request.node().isEmpty()) {
      return roster.freeName(promised);
    }
    if (!roster.isFree(request.node()) || promised.contains(request.node())) {
      throw new IllegalArgumentException(
          "a machine named %s is there or was, of %s; choose another name by --node"
              .formatted(request.node(), roster.names()));
    }
    return request.node();
  }

  /** A certificate for a machine; see {@link CertificateRenewal} for when it is made anew. */
  static X509Certificate sign(
      CertificateAuthority authority, String name, String host, PublicKey key, Instant now) {
    return authority.sign(
        new CertificateAuthority.Subject(name, List.of(host)), key, now, CertificateRenewal.LIFE);
  }

  /** Clocks that differ by more are refused at the machine that joins. */
  static final Duration CLOCKS_DIFFER_MAX = Duration.ofMinutes(1);
}
