package dev.ron.mailbox.cluster;

import dev.ron.config.Section;
import dev.ron.config.WeakerValues;
import dev.ron.config.value.ByteSize;
import dev.ron.config.value.HostPort;
import dev.ron.http.tls.PeerTls;
import dev.ron.mailbox.MailboxConfig;
import dev.ron.mailbox.shard.TopicShards;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The machines that share one log, and the mailbox that each of them is.
 *
 * <p>Threading: immutable.
 *
 * @param mailbox this machine's, with or without others
 * @param peers where the machines reach each other
 * @param bind where this one listens for the others; empty for its address among the peers
 * @param founders machines that found the groups, of which the others wait to be taken in; none is
 *     all of them
 * @param doors where clients reach each machine; needed to redirect them
 */
public record MailboxClusterConfig(
    MailboxConfig mailbox,
    Engine engine,
    String node,
    Map<String, String> peers,
    String bind,
    int groups,
    Duration election,
    boolean spread,
    boolean join,
    List<String> founders,
    Log log,
    Follower follower,
    Map<String, String> doors,
    Tls tls) {
  private static final Pattern LOOPBACK = Pattern.compile("127(\\.[0-9]+){3}");

  /** Whose log the facts go to. */
  public enum Engine {
    LOCAL,
    RATIS
  }

  /** What a machine does with a request that another decides. */
  public enum Follower {
    /** Asks the other and passes its answer on. */
    FORWARD,
    /** Tells the client where to ask. */
    REDIRECT
  }

  /** The shared log on disk. */
  public record Log(ByteSize logSegment, int logEntries) {}

  /** Which peers may speak to this machine: those with a certificate of the authority. */
  public record Tls(
      Optional<Path> cert,
      Optional<Path> key,
      Optional<Path> ca,
      Optional<Path> revoked,
      boolean plaintext) {
    public Tls {
      if (cert.isPresent() != key.isPresent() || key.isPresent() != ca.isPresent()) {
        throw new IllegalArgumentException(
            "cluster.tls.cert, cluster.tls.key and cluster.tls.ca must be set together");
      }
    }

    public boolean isOn() {
      return cert.isPresent();
    }

    /** The files, if they are set. */
    public Optional<PeerTls> files() {
      return cert.map(file -> new PeerTls(file, key.orElseThrow(), ca.orElseThrow(), revoked));
    }
  }

  public MailboxClusterConfig {
    peers = Map.copyOf(peers);
    doors = Map.copyOf(doors);
    founders = List.copyOf(founders);
    if (engine == Engine.RATIS) {
      if (!mailbox.durability().words().equals("always")) {
        throw new IllegalArgumentException(
            "cluster.engine = ratis needs flush = always and amnesia = false: what a majority has is on its disks");
      }
      check(node, peers, doors, follower);
      if (!peers.keySet().containsAll(founders)) {
        throw new IllegalArgumentException(
            "cluster.founders = %s are not all among cluster.peers = %s"
                .formatted(founders, peers.keySet()));
      }
      HostPort at = HostPort.parse(bind.isEmpty() ? String.valueOf(peers.get(node)) : bind);
      if (!isLoopback(at.host()) && !tls.isOn() && !tls.plaintext()) {
        throw new IllegalArgumentException(
            "the peers' port %s can be reached from elsewhere and anybody there could speak as a peer: set cluster.tls.cert, key and ca, or cluster.tls.plaintext = true on a network that is yours alone"
                .formatted(at));
      }
    }
  }

  private static void check(
      String node, Map<String, String> peers, Map<String, String> doors, Follower follower) {
    if (!peers.containsKey(node)) {
      throw new IllegalArgumentException(
          "cluster.node = %s is not among cluster.peers = %s".formatted(node, peers));
    }
    if (follower == Follower.REDIRECT && !doors.keySet().containsAll(peers.keySet())) {
      throw new IllegalArgumentException(
          "cluster.follower = redirect needs cluster.doors for each of %s and has %s"
              .formatted(peers.keySet(), doors.keySet()));
    }
  }

  /** By its text alone; a name other than localhost might be looked up to anything. */
  private static boolean isLoopback(String host) {
    return host.equals("localhost") || host.equals("::1") || LOOPBACK.matcher(host).matches();
  }

  /** Where clients reach a machine, if they are to be sent there. */
  public Optional<String> doorOf(String machine) {
    return follower == Follower.REDIRECT
        ? Optional.ofNullable(doors.get(machine))
        : Optional.empty();
  }

  /** The machines that found groups which do not exist yet. */
  Set<String> foundedBy() {
    if (join) {
      return Set.of();
    }
    return founders.isEmpty() ? peers.keySet() : Set.copyOf(founders);
  }

  /** Whether other machines keep this mailbox too. */
  public boolean isShared() {
    return engine == Engine.RATIS;
  }

  /** The mailbox's section, with the defaults of the specification. */
  public static MailboxClusterConfig read(Section section) {
    return read(MailboxConfig.read(section), section.section("cluster"));
  }

  public static MailboxClusterConfig read(Section section, String bind, Path data) {
    return read(MailboxConfig.read(section, bind, data), section.section("cluster"));
  }

  private static MailboxClusterConfig read(MailboxConfig mailbox, Section section) {
    return new MailboxClusterConfig(
        mailbox,
        section
            .key("engine", "local")
            .doc("`local` is this machine alone; `ratis` commits by a majority of the peers.")
            .choice(Engine.values()),
        section.key("node", "a").doc("This machine's name among the peers.").text(),
        section.key("peers", peersDefault()).doc("The machines that share one log.").textTable(),
        section
            .key("bind", "")
            .doc("Where this machine listens for the others, if not as in `peers`.")
            .text(),
        section
            .key("groups", 3)
            .doc(
                "Logs that the shards are spread over, each with a leader; fixed like shard_count.")
            .integer(1, TopicShards.SHARDS_MAX),
        section
            .key("election", "1s")
            .doc("How long a leader may be silent before another is elected, up to twice that.")
            .duration("100ms", "1m"),
        section
            .key("spread", true)
            .doc("Hands leadership over until every machine has its part.")
            .bool(),
        section
            .key("join", false)
            .doc("Waits to be taken in instead of founding the groups.")
            .bool(),
        section
            .key("founders", List.of())
            .doc("Machines that found the groups; the others wait to be taken in. None is all.")
            .texts(),
        log(section),
        follower(section),
        doors(section),
        tls(section.section("tls")));
  }

  private static Log log(Section section) {
    return new Log(
        section
            .key("log_segment", "32MiB")
            .doc("A file of the shared log; at least four of the largest messages.")
            .size("64KiB", "1GiB"),
        section
            .key("log_entries", 20_000)
            .doc("Entries after which the shared log before them is let go, if all peers have it.")
            .integer(100, 100_000_000));
  }

  private static Follower follower(Section section) {
    return section
        .key("follower", "forward")
        .doc("`forward` asks the leader for the client; `redirect` answers 307 with its door.")
        .choice(Follower.values());
  }

  private static Map<String, String> doors(Section section) {
    return section
        .key("doors", Map.of())
        .doc("Where clients reach each machine, as in `http://10.0.0.1:8082`; for `redirect`.")
        .textTable();
  }

  private static Tls tls(Section section) {
    return new Tls(
        section
            .key("cert", "")
            .doc("This machine's certificate for its peers, PEM; its names are those in `peers`.")
            .pathOrNothing(),
        section.key("key", "").doc("The certificate's key, PKCS#8 PEM.").pathOrNothing(),
        section
            .key("ca", "")
            .doc(
                "Whose certificates a peer must have, PEM; both sides of a connection are checked.")
            .pathOrNothing(),
        section
            .key("revoked", "")
            .doc("Serial numbers of certificates that count no more, one a line in hexadecimal.")
            .pathOrNothing(),
        section
            .key("plaintext", false)
            .doc("Lets peers in without TLS from other machines: on a network of their own only.")
            .hardened(WeakerValues.OTHER)
            .bool());
  }

  /** In order, so that what is shown is the same each time. */
  private static Map<String, String> peersDefault() {
    var peers = new LinkedHashMap<String, String>();
    peers.put("a", "127.0.0.1:7101");
    peers.put("b", "127.0.0.1:7102");
    peers.put("c", "127.0.0.1:7103");
    return peers;
  }
}
