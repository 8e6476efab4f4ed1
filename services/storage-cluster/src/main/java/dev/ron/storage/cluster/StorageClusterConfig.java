package dev.ron.storage.cluster;

import dev.ron.config.Section;
import dev.ron.config.value.ByteSize;
import dev.ron.config.value.HostPort;
import dev.ron.config.value.Secret;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.cluster.core.Member;
import dev.ron.storage.cluster.core.Membership;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes that share the objects, and this one among them.
 *
 * <p>Threading: immutable.
 *
 * @param storage what this node is told as one machine
 * @param poolsPeer requests of other nodes at a time; 0 is by cores
 * @param peers where each node is, this one included; one entry is no cluster
 * @param regions of the other nodes, where they are not this one's
 * @param weights of nodes, where they are not 1
 * @param residency regions in which objects may lie; empty is all
 * @param grace after which a node that is away is planned around
 * @param cap what is shown to the other nodes; empty is one that the node mints
 * @param bind where the others are listened for, if nodes show certificates; empty is as advertised
 */
public record StorageClusterConfig(
    StorageConfig storage,
    int poolsPeer,
    Coding coding,
    String node,
    String region,
    Map<String, String> peers,
    Map<String, String> regions,
    Map<String, Integer> weights,
    List<String> residency,
    Duration grace,
    Duration hedgeAfter,
    double hedgeBudget,
    Secret cap,
    String bind,
    PeerTrust tls,
    PeerRetry retry,
    Etcd etcd) {
  /**
   * Where the nodes find each other, instead of a list that each of them is given.
   *
   * @param etcd endpoints of one etcd; none is the static list
   * @param etcdTtl how long a node that does not renew its entry is listed
   * @param advertise where the others find this node; empty is its own entry in the list, or else
   *     where it listens
   */
  public record Etcd(List<String> etcd, String etcdPrefix, Duration etcdTtl, String advertise) {
    public Etcd {
      etcd = List.copyOf(etcd);
      etcd.forEach(each -> checkUrl("etcd", each));
      if (!advertise.isEmpty()) {
        checkUrl("advertise", advertise);
      }
      if (!etcdPrefix.endsWith("/")) {
        throw new IllegalArgumentException(
            "cluster.etcd_prefix = %s must end with /".formatted(etcdPrefix));
      }
    }

    public boolean used() {
      return !etcd.isEmpty();
    }
  }

  /** How objects from a size on are cut into shards; 0 bytes is never. */
  public record Coding(int ecData, int ecParity, ByteSize ecMinBytes) {
    /** Whether any object is. */
    public boolean used() {
      return ecMinBytes.bytes() > 0;
    }

    public boolean applies(long sizeBytes) {
      return used() && sizeBytes >= ecMinBytes.bytes();
    }

    public int shards() {
      return ecData + ecParity;
    }
  }

  public StorageClusterConfig {
    peers = Map.copyOf(peers);
    regions = Map.copyOf(regions);
    weights = Map.copyOf(weights);
    residency = List.copyOf(residency);
    peers.values().forEach(each -> checkUrl("peers", each));
    if (peers.size() > 1 || etcd.used()) {
      trustworthy(tls, peers, etcd);
    }
    if (peers.size() > 1) {
      if (!peers.containsKey(node) && !etcd.used()) {
        throw new IllegalArgumentException(
            "cluster.node = %s is not among cluster.peers = %s".formatted(node, peers.keySet()));
      }
      for (String named : List.copyOf(weights.keySet())) {
        known("weights", named, peers);
      }
      for (String named : List.copyOf(regions.keySet())) {
        known("regions", named, peers);
      }
    }
    if (node.contains("/") || node.isBlank()) {
      throw new IllegalArgumentException("cluster.node = '%s' is no name".formatted(node));
    }
    // How many nodes will be in the registry is not known; each write looks which are there.
    if (coding.used() && !etcd.used()) {
      checkCoding(coding, peers.size());
    }
    if (peers.size() > 1 || etcd.used()) {
      shared(storage, etcd.used() ? Integer.MAX_VALUE : peers.size());
      HostPort door = storage.address().bind();
      if (storage.address().isSecured() && !tls.byCertificate()) {
        throw new IllegalArgumentException(
            "tls_certificate with several cluster.peers: nodes meet at this door too, unless they"
                + " show certificates to each other; set cluster.tls.cert, key and ca");
      }
      if (tls.byCertificate()) {
        apart(door, doorAddress(bind, node, peers, etcd));
      }
      tls.require("bind", named(node, peers, etcd).orElseGet(() -> url(tls, bind, door)));
    } else {
      storage.alone();
    }
  }

  private static void known(String key, String named, Map<String, String> peers) {
    if (!peers.containsKey(named)) {
      throw new IllegalArgumentException(
          "cluster.%s names %s, which is not among cluster.peers".formatted(key, named));
    }
  }

  private static void checkUrl(String key, String text) {
    if (PeerTrust.httpUri(text).isEmpty()) {
      throw new IllegalArgumentException(
          "cluster.%s has %s, which is no http address".formatted(key, text));
    }
  }

  private static void trustworthy(PeerTrust tls, Map<String, String> peers, Etcd etcd) {
    if (peers.size() > 1) {
      peers.values().forEach(each -> tls.require("cluster.peers", each));
    }
    if (!etcd.advertise().isEmpty()) {
      tls.require("cluster.advertise", etcd.advertise());
    }
  }

  /** What one machine can do and one of several cannot. */
  private static void shared(StorageConfig storage, int nodes) {
    if (storage.amnesia()) {
      throw new IllegalArgumentException(
          "amnesia = true with several cluster.peers: their copies would be promises of nothing");
    }
    if (storage.tier().isPresent()) {
      throw new IllegalArgumentException(
          "tier.s3_endpoint with several cluster.peers: a cold tier is for one node with disks;"
              + " leave it empty");
    }
    int replication = storage.durability().replication();
    if (replication > nodes) {
      throw new IllegalArgumentException(
          "durability.replication = %d needs as many cluster.peers, there are %d"
              .formatted(replication, nodes));
    }
  }

  private static void apart(HostPort bind, HostPort peerDoor) {
    if (bind.port() != 0 && peerDoor.port() == bind.port()) {
      throw new IllegalArgumentException(
          "bind = %s and the nodes' door at %s have one port: nodes that show certificates need one of their own, in cluster.peers or cluster.bind"
              .formatted(bind, peerDoor));
    }
  }

  private static void checkCoding(Coding coding, int nodes) {
    if (nodes < 2) {
      throw new IllegalArgumentException(
          "durability.ec_min_bytes = %s needs several cluster.peers"
              .formatted(coding.ecMinBytes()));
    }
    if (coding.shards() > 255) {
      throw new IllegalArgumentException(
          "durability.ec_data + ec_parity = %d, the most is 255".formatted(coding.shards()));
    }
    int each = Math.ceilDiv(coding.shards(), nodes);
    if (each > coding.ecParity()) {
      throw new IllegalArgumentException(
          "%d + %d shards on %d nodes are %d on one: more than durability.ec_parity, so the loss of one node would lose objects"
              .formatted(coding.ecData(), coding.ecParity(), nodes, each));
    }
  }

  /** Whether there are other nodes, or may be. */
  public boolean several() {
    return peers.size() > 1 || etcd.used();
  }

  /** The nodes this one was told of: with a registry, until that has been read. */
  public Membership membership() {
    var seats = new LinkedHashMap<String, Membership.Seat>();
    if (peers.size() > 1) {
      peers.forEach((name, url) -> seats.put(name, seat(name, url)));
    }
    String here =
        named(node, peers, etcd).orElseGet(() -> url(tls, bind, storage.address().bind()));
    seats.put(node, seat(node, here));
    return new Membership(seats);
  }

  private Membership.Seat seat(String name, String url) {
    return new Membership.Seat(
        url,
        name.equals(node) ? region : regions.getOrDefault(name, region),
        weights.getOrDefault(name, 1));
  }

  private static String url(PeerTrust tls, String bind, HostPort door) {
    return tls.byCertificate() ? "https://" + bind : "http://" + door;
  }

  /** Where this node is, as the configuration tells the others. */
  private static Optional<String> named(String node, Map<String, String> peers, Etcd etcd) {
    if (!etcd.advertise().isEmpty()) {
      return Optional.of(etcd.advertise());
    }
    return peers.size() > 1 ? Optional.ofNullable(peers.get(node)) : Optional.empty();
  }

  /** Where the other nodes are listened for, if nodes show certificates. */
  public HostPort peerDoor() {
    return doorAddress(bind, node, peers, etcd);
  }

  private static HostPort doorAddress(
      String bind, String node, Map<String, String> peers, Etcd etcd) {
    if (!bind.isEmpty()) {
      return HostPort.parse(bind);
    }
    URI uri =
        named(node, peers, etcd)
            .flatMap(PeerTrust::httpUri)
            .filter(each -> each.getPort() > 0)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "cluster.tls is set and nothing says at which port the other nodes are"
                            + " listened for: set cluster.bind = host:port"));
    return HostPort.parse(uri.getHost() + ":" + uri.getPort());
  }

  /** The defaults of the specification. */
  public static StorageClusterConfig read(Section section) {
    return read(section, StorageConfig.BIND, StorageConfig.DATA);
  }

  /** All of the storage's section: what it is told as one machine, and what several are told. */
  public static StorageClusterConfig read(Section all, String bindDefault, Path data) {
    StorageConfig storage = StorageConfig.read(all, bindDefault, data);
    int poolsPeer =
        all.section("pools")
            .key("peer", 0)
            .doc("Requests of other nodes at a time; 0 is by cores.")
            .integer(0, 4096);
    Coding coding = coding(all.section("durability"));
    return read(storage, poolsPeer, coding, all.section("cluster"));
  }

  private static StorageClusterConfig read(
      StorageConfig storage, int poolsPeer, Coding coding, Section section) {
    String node = section.key("node", "a").doc("This node's name among the peers.").text();
    String region = section.key("region", "local").doc("Where this node is.").text();
    var self = new LinkedHashMap<String, String>();
    self.put("a", "http://127.0.0.1:8083");
    Map<String, String> peers =
        section
            .key("peers", self)
            .live()
            .doc("The nodes that share the objects, this one too.")
            .textTable();
    Etcd etcd = etcd(section);
    return new StorageClusterConfig(
        storage,
        poolsPeer,
        coding,
        node,
        region,
        peers,
        section
            .key("regions", Map.of())
            .live()
            .doc("Regions of other nodes; those not named are in this node's.")
            .textTable(),
        section
            .key("weights", Map.of())
            .live()
            .doc("How much nodes take, 1 if not named; 0 gives away what it has.")
            .integerTable(0, Member.WEIGHT_MAX),
        section
            .key("residency", List.of())
            .doc("Regions in which objects may lie; none is all.")
            .texts(),
        section
            .key("grace", "15m")
            .doc("A node that is away for longer is planned around.")
            .duration("1s", "365d"),
        section
            .key("hedge_after", "30ms")
            .doc("When a second copy is asked too.")
            .duration("1ms", "10s"),
        section
            .key("hedge_budget", "0.02")
            .doc("Share of reads that may be asked twice.")
            .decimal("0", "1")
            .doubleValue(),
        section
            .key("cap", "")
            .doc("The capability shown to the other nodes, with the operation `peer`.")
            .secret(),
        section
            .key("bind", "")
            .doc("With `tls`: where this node listens for the others, if not as in `peers`.")
            .text(),
        PeerTrust.read(section.section("tls")),
        PeerRetry.read(section.section("retry")),
        etcd);
  }

  private static Coding coding(Section section) {
    return new Coding(
        section.key("ec_data", 6).doc("Data shards of an erasure-coded object.").integer(1, 254),
        section
            .key("ec_parity", 3)
            .doc("Parity shards of an erasure-coded object: so many may be lost.")
            .integer(1, 254),
        section
            .key("ec_min_bytes", "0B")
            .doc("Objects from this size on are erasure-coded; 0B is none.")
            .size("0B", "2TiB"));
  }

  private static Etcd etcd(Section section) {
    return new Etcd(
        section
            .key("etcd", List.of())
            .doc(
                "Endpoints of an etcd in which the nodes find each other; none is the static list.")
            .texts(),
        section.key("etcd_prefix", "/ron/storage/").doc("What their keys begin with.").text(),
        section
            .key("etcd_ttl", "10s")
            .doc("How long a node that does not renew its entry is listed.")
            .duration("3s", "1h"),
        section
            .key("advertise", "")
            .doc("With etcd: where others find this node; empty is `peers` or `bind`.")
            .text());
  }
}
