package dev.ron.storage.s3.cluster;

import dev.ron.config.Section;
import dev.ron.config.value.ByteSize;
import dev.ron.config.value.HostPort;
import dev.ron.storage.cluster.PeerTrust;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.s3.StorageS3Config;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the S3 door is told besides, where several machines open it. Which machine this is, how they
 * trust each other and in how many copies bytes lie, the storage's own settings say.
 *
 * <p>Threading: immutable.
 *
 * @param names where each machine is listened for by those that keep the log of names; empty is one
 *     machine alone
 * @param blocks where each machine is listened for by those that keep blocks
 * @param founders machines that found the log, of which the others wait to be taken in; none is all
 * @param bind where this machine listens for the log, if not as in {@code names}
 */
public record StorageS3ClusterConfig(
    StorageS3Config s3,
    Map<String, String> names,
    Map<String, String> blocks,
    String bind,
    Duration election,
    boolean join,
    List<String> founders,
    Log log) {
  /** How much of the shared log is kept. */
  public record Log(ByteSize logSegment, int logEntries) {}

  public StorageS3ClusterConfig {
    names = Map.copyOf(names);
    blocks = Map.copyOf(blocks);
    founders = List.copyOf(founders);
    if (!names.keySet().equals(blocks.keySet())) {
      throw new IllegalArgumentException(
          "s3.cluster.names has %s and s3.cluster.blocks has %s: both name every machine"
              .formatted(names.keySet(), blocks.keySet()));
    }
  }

  /** The machines that found the log if it does not exist yet. */
  Set<String> foundedBy() {
    if (join) {
      return Set.of();
    }
    return founders.isEmpty() ? names.keySet() : Set.copyOf(founders);
  }

  /** Whether other machines keep these names too. */
  public boolean isShared() {
    return !names.isEmpty();
  }

  /**
   * How blocks are kept: as the objects of the storage, in folders and at addresses of their own.
   *
   * @throws IllegalArgumentException if the storage's settings do not fit; the message says why
   */
  StorageClusterConfig blocksOf(StorageClusterConfig storage) {
    check(storage);
    URI here = URI.create(blocks.get(storage.node()));
    var bound = HostPort.parse(here.getHost() + ":" + here.getPort());
    // Nodes that show certificates have a door apart, and what would be the clients' is not opened.
    HostPort clients = storage.tls().byCertificate() ? HostPort.parse("127.0.0.1:0") : bound;
    return new StorageClusterConfig(
        StorageS3Config.blocks(storage.storage(), clients),
        storage.poolsPeer(),
        storage.coding(),
        storage.node(),
        storage.region(),
        blocks,
        storage.regions(),
        storage.weights(),
        storage.residency(),
        storage.grace(),
        storage.hedgeAfter(),
        storage.hedgeBudget(),
        storage.cap(),
        "",
        storage.tls(),
        storage.retry(),
        new StorageClusterConfig.Etcd(List.of(), "/", Duration.ofSeconds(10), ""));
  }

  private void check(StorageClusterConfig storage) {
    if (storage.etcd().used()) {
      throw new IllegalArgumentException(
          "s3.cluster.names with cluster.etcd: the machines of the S3 door are a list; set"
              + " cluster.peers instead");
    }
    if (!names.keySet().equals(storage.peers().keySet())) {
      throw new IllegalArgumentException(
          "s3.cluster.names has %s and cluster.peers has %s: they name the same machines"
              .formatted(names.keySet(), storage.peers().keySet()));
    }
    PeerTrust trust = storage.tls();
    String scheme = trust.byCertificate() ? "https://" : "http://";
    names.values().forEach(each -> trust.require("s3.cluster.names", scheme + each));
  }

  /**
   * @param section {@code storage.s3}
   * @param masterKeys the file of the server's own keys, if no other is named
   */
  public static StorageS3ClusterConfig read(Section section, String bind, String masterKeys) {
    StorageS3Config s3 = StorageS3Config.read(section, bind, masterKeys);
    Section cluster = section.section("cluster");
    return new StorageS3ClusterConfig(
        s3,
        cluster
            .key("names", Map.of())
            .doc("Host and port of each machine for the log of names; none is one machine alone.")
            .textTable(),
        cluster
            .key("blocks", Map.of())
            .live()
            .doc("The http address of each machine at which the others reach its blocks.")
            .textTable(),
        cluster
            .key("bind", "")
            .doc("Where this machine listens for the log of names, if not as in `names`.")
            .text(),
        cluster
            .key("election", "1s")
            .doc("How long a leader may be silent before another is elected, up to twice that.")
            .duration("100ms", "1m"),
        cluster
            .key("join", false)
            .doc("Waits to be taken into the log of names instead of founding it.")
            .bool(),
        cluster
            .key("founders", List.of())
            .doc("Machines that found the log; the others wait to be taken in. None is all.")
            .texts(),
        new Log(
            cluster
                .key("log_segment", "32MiB")
                .doc("A file of the log of names.")
                .size("64KiB", "1GiB"),
            cluster
                .key("log_entries", 20_000)
                .doc("Entries after which the log before them is let go, if all machines have it.")
                .integer(100, 100_000_000)));
  }
}
