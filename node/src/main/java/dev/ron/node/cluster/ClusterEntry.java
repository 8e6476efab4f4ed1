package dev.ron.node.cluster;

import dev.ron.client.ServiceRefusal;
import dev.ron.http.tls.CertificateAuthority;
import dev.ron.http.tls.PeerIdentity;
import dev.ron.http.tls.Pem;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Time;
import dev.ron.node.NodeFolders;
import dev.ron.node.NodeKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a node comes to belong to a cluster: it begins one, or is taken into one by an invitation.
 *
 * <p>Threading: owned by the command.
 *
 * @param folders the node's, wherever its configuration has them
 * @param basePort the node's
 */
public record ClusterEntry(NodeFolders folders, int basePort, Time time) {
  /** The file by which a node belongs to a cluster, below its folder. */
  public static final String MEMBER = "keys/cluster/self";

  private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
  private static final int TRIES = 5;
  private static final Duration REST = Duration.ofSeconds(1);

  /** A node that has everything in one folder. */
  public ClusterEntry(Path data, int basePort, Time time) {
    this(NodeFolders.below(data, 1), basePort, time);
  }

  public Path data() {
    return folders.data();
  }

  private ClusterFolder folder() {
    return ClusterFolder.of(data());
  }

  /** Makes the node the first machine of a cluster; it goes on as it is. */
  ClusterRoster init(String cluster, String node, String host) throws IOException {
    ClusterFolder folder = folder();
    if (folder.exists()) {
      throw new IOException(
          "this node is machine %s of cluster %s already"
              .formatted(folder.self(), folder.roster().cluster()));
    }
    NodeKeys.openOrMake(data());
    folder.make();
    Instant now = time.wall();
    var authority = CertificateAuthority.generate("ron cluster " + cluster, now, AUTHORITY_LIFE);
    KeyPair key = folder.ownKey();
    X509Certificate made = JoinCluster.sign(authority, node, host, key.getPublic(), now);
    var machine = new ClusterMachine(node, host, basePort, PeerIdentity.serial(made));
    folder.keepAuthority(authority);
    folder.keepCertificate(Pem.of(made, authority.certificate()));
    ClusterRoster roster = ClusterRoster.founded(cluster, machine);
    folder.keepRoster(roster);
    folder.keepSelf(node);
    return roster;
  }

  public boolean isMember() {
    return folder().exists();
  }

  /** Like {@code ron cluster init}, unless that was done before. */
  public void initOnce(String cluster, String node, String host) throws IOException {
    if (!isMember()) {
      init(cluster, node, host);
    }
  }

  /** An invitation for a further machine, as text. */
  public String invite() throws IOException {
    return invite("");
  }

  /**
   * @param replaces the machine whose place it is for; empty for none
   */
  String invite(String replaces) throws IOException {
    ClusterFolder folder = folder();
    requireMember(folder);
    CertificateAuthority authority = folder.authority();
    String secret = Invitations.secret(new SecureRandom());
    ClusterRoster roster =
        folder.locked(
            () -> {
              ClusterRoster now = folder.roster();
              if (!replaces.isEmpty()) {
                now.requireReplaceable(replaces);
              }
              folder.keepInvitations(folder.invitations().with(secret, time.wall(), replaces));
              return now;
            });
    String at = roster.machine(folder.self()).orElseThrow().at(ClusterMachine.JOIN);
    return new JoinToken(roster.cluster(), List.of(at), authority.fingerprint(), secret).text();
  }

  static void requireMember(ClusterFolder folder) throws IOException {
    if (!folder.exists()) {
      throw new IOException(
          "this node belongs to no cluster; `ron cluster init` begins one, and `ron up --join TOKEN`"
              + " joins one (is --data the node's folder?)");
    }
  }

  /**
   * Asks to be taken in; a node that is in already stays what it is.
   *
   * @param node the name it wants; empty takes the next letter
   * @param host where the others reach it; empty is its address on the way to the machine asked
   * @param replaces a machine that is gone for good; empty for none
   */
  public String join(String token, String node, String host, String replaces)
      throws IOException, InterruptedException {
    ClusterFolder folder = folder();
    JoinToken invitation = JoinToken.parse(token);
    if (folder.exists()) {
      return "machine %s of cluster %s already; the invitation was not needed"
          .formatted(folder.self(), folder.roster().cluster());
    }
    requireEmpty();
    NodeKeys.openOrMake(data());
    folder.make();
    return asked(invitation, node, host, replaces);
  }

  /** Asks again if there is no answer: the invitation belongs to this machine's key by then. */
  private String asked(JoinToken invitation, String node, String host, String replaces)
      throws IOException, InterruptedException {
    IOException silence = new IOException("the invitation names no machine");
    for (int i = 0; i < TRIES; i++) {
      String address = invitation.addresses().get(i % invitation.addresses().size());
      try {
        PinnedAuthority pinned = PinnedAuthority.of(address, invitation.authority());
        String own = host.isEmpty() ? pinned.ownAddress() : host;
        Files.writeString(folder().authorityFile(), Pem.of(pinned.authority()));
        return taken(address, request(invitation.secret(), node, own, replaces));
      } catch (ServiceRefusal refused) {
        throw new IOException("%s refuses: %s".formatted(address, refused.getMessage()), refused);
      } catch (IOException away) {
        silence = new IOException("%s: %s".formatted(address, away.getMessage()), away);
      }
      time.sleepUntil(time.now().plus(REST));
    }
    throw silence;
  }

  private JoinCluster.Request request(String secret, String node, String host, String replaces)
      throws IOException {
    KeyPair key = folder().ownKey();
    return signed(
        new JoinCluster.Request(
            secret, node, host, basePort, MachineProof.text(key.getPublic()), replaces, ""),
        key);
  }

  private String taken(String address, JoinCluster.Request request)
      throws IOException, InterruptedException {
    ClusterFolder folder = folder();
    var scope = Scope.of("cluster", World.real(Log.silent()));
    try (MachineClient client = MachineClient.invited(scope, folder.authorityFile())) {
      JoinCluster.Reply reply = client.post(address, "/v1/join", request, JoinCluster.Reply.class);
      requireSameTime(Instant.ofEpochMilli(reply.nowMillis()), address);
      NodeKeys.adopt(data(), reply.keys());
      folder.keepCertificate(reply.chain());
      folder.keepRoster(reply.roster());
      folder.keepSelf(reply.node());
      return "machine %s of cluster %s".formatted(reply.node(), reply.roster().cluster());
    }
  }

  private static JoinCluster.Request signed(JoinCluster.Request plain, KeyPair key) {
    return new JoinCluster.Request(
        plain.secret(),
        plain.node(),
        plain.host(),
        plain.basePort(),
        plain.key(),
        plain.replaces(),
        MachineProof.sign(key.getPrivate(), plain.words()));
  }

  /** Leases and certificates end by each machine's own clock. */
  private void requireSameTime(Instant there, String address) throws IOException {
    Duration differs = Duration.between(there, time.wall()).abs();
    if (differs.compareTo(JoinCluster.CLOCKS_DIFFER_MAX) > 0) {
      throw new IOException(
          "this machine's clock and that of %s differ by %d s; set it, and join with the same"
                  .formatted(address, differs.toSeconds())
              + " invitation again");
    }
  }

  /** What it has would be in no other machine's log. */
  private void requireEmpty() throws IOException {
    List<Path> others = List.of(folders.mailbox(), folders.rewarder());
    for (Path used : Stream.concat(others.stream(), folders.disks().stream()).toList()) {
      if (!NodeFolders.isEmpty(used)) {
        throw new IOException(
            ("%s is not empty: a machine that joins begins with nothing. Begin the cluster on"
                    + " this one by `ron cluster init`, or name another folder by --data")
                .formatted(used));
      }
    }
  }
}
