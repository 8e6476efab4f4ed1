package dev.ron.storage;

import dev.ron.config.DoorAddress;
import dev.ron.config.DoorSettings;
import dev.ron.config.Section;
import dev.ron.config.WeakerValues;
import dev.ron.config.value.ByteRate;
import dev.ron.config.value.ByteSize;
import dev.ron.storage.tier.TierConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Everything the storage can be told.
 *
 * <p>Threading: immutable.
 */
public record StorageConfig(
    DoorAddress address,
    DoorSettings server,
    List<Path> dataDirs,
    boolean publicRead,
    Verify verify,
    boolean amnesia,
    Sizes sizes,
    Hot hot,
    Duration transferLimit,
    Duration diskTimeout,
    Pools pools,
    int events,
    Uploads uploads,
    Durability durability,
    Optional<TierConfig> tier) {
  public static final String BIND = "127.0.0.1:8083";
  public static final Path DATA = Path.of("./data/storage");

  /** How often bytes are hashed before they leave. */
  public enum Verify {
    ALWAYS,
    ONCE
  }

  /** How large things may be. */
  public record Sizes(
      ByteSize putBytes,
      ByteSize objectBytes,
      ByteSize bodyMemory,
      ByteSize memoryBytes,
      ByteSize freeMin) {
    public Sizes {
      if (putBytes.bytes() > objectBytes.bytes()) {
        throw new IllegalArgumentException(
            "put_bytes = %s is more than object_bytes = %s".formatted(putBytes, objectBytes));
      }
    }
  }

  /** Objects that are kept in memory since they were verified, and for how long. */
  public record Hot(ByteSize memory, Duration age) {}

  /** How many requests work and wait. */
  public record Pools(int get, int put, int work) {}

  /** Objects on their way in, part by part. */
  public record Uploads(int max, Duration expire) {}

  /** How many copies, and how they are kept. */
  public record Durability(
      int replication,
      int writeQuorum,
      ByteRate repairRate,
      int repairWorkers,
      int repairQueue,
      Duration planPeriod,
      Duration scrubPeriod,
      Duration deleteGrace) {
    public Durability {
      if (writeQuorum > replication) {
        throw new IllegalArgumentException(
            "durability.write_quorum = %d is more than durability.replication = %d"
                .formatted(writeQuorum, replication));
      }
      if (repairRate.bytesPerSecond() < 1 << 16) {
        throw new IllegalArgumentException(
            "durability.repair_rate = %s, the least is 64KiB/s".formatted(repairRate));
      }
    }

    /** Copies that must be durable before a write is answered: 0 is the majority. */
    public int quorum() {
      return writeQuorum == 0 ? replication / 2 + 1 : writeQuorum;
    }
  }

  public StorageConfig {
    dataDirs = List.copyOf(dataDirs);
    if (dataDirs.isEmpty() && !amnesia) {
      throw new IllegalArgumentException("data_dirs = [] is nowhere to store; name one");
    }
    if (new HashSet<>(dataDirs.stream().map(dir -> dir.toAbsolutePath().normalize()).toList())
            .size()
        < dataDirs.size()) {
      throw new IllegalArgumentException("data_dirs names a directory twice");
    }
    if (tier.isPresent() && amnesia) {
      throw new IllegalArgumentException(
          "tier.s3_endpoint with amnesia = true: a cold tier is for one node with disks; leave it"
              + " empty");
    }
  }

  /** The same, checked to have a directory for each copy: this node has all there are. */
  public StorageConfig alone() {
    int homes = amnesia ? 1 : dataDirs.size();
    if (durability.replication() > homes) {
      throw new IllegalArgumentException(
          "durability.replication = %d needs as many data_dirs, there %s %d"
              .formatted(durability.replication(), homes == 1 ? "is" : "are", homes));
    }
    return this;
  }

  /** Of one machine, with the defaults of the specification. */
  public static StorageConfig read(Section section) {
    return read(section, BIND, DATA).alone();
  }

  /** Of one machine or of one among several, whose copies lie on the others too. */
  public static StorageConfig read(Section section, String bind, Path data) {
    DoorAddress address = DoorAddress.read(section, bind, "HTTP");
    DoorSettings server = DoorSettings.read(section.section("server"));
    List<Path> dirs =
        section
            .key("data_dirs", List.of(data.toString()))
            .doc("Directories, one for each disk; copies are spread over them.")
            .paths();
    boolean publicRead =
        section
            .key("public_read", true)
            .doc("Whether objects can be read without a capability.")
            .bool();
    Verify verify = verify(section);
    boolean amnesia =
        section
            .key("amnesia", false)
            .doc("Keeps nothing on disk: everything is gone after a restart.")
            .bool();
    Sizes sizes = sizes(section);
    Hot hot = hot(section.section("hot"));
    Duration transferLimit =
        section
            .key("transfer_limit", "1h")
            .doc("How long one transfer may take; one that stalls ends much earlier.")
            .duration("1s", "1d");
    Duration diskTimeout =
        section
            .key("disk_timeout", "30s")
            .doc(
                "A disk that does not answer an operation for this long is asked for nothing until"
                    + " it does, and the request that waits for it ends.")
            .duration("1s", "1h");
    Pools pools = pools(section.section("pools"));
    int events =
        section
            .key("events", 1024)
            .doc("Events that a slow reader may fall behind before it misses the oldest.")
            .integer(1, 1 << 16);
    Uploads uploads = uploads(section.section("uploads"));
    Durability durability = durability(section.section("durability"));
    Optional<TierConfig> tier = TierConfig.read(section.section("tier"));
    return new StorageConfig(
        address,
        server,
        dirs,
        publicRead,
        verify,
        amnesia,
        sizes,
        hot,
        transferLimit,
        diskTimeout,
        pools,
        events,
        uploads,
        durability,
        tier);
  }

  private static Verify verify(Section section) {
    return section
        .key("verify", "always")
        .doc("`always` hashes with every read from a disk, `once` with the first since the start.")
        .choice(Verify.values());
  }

  private static Sizes sizes(Section section) {
    return new Sizes(
        section
            .key("put_bytes", "1MiB")
            .doc("The largest object in one request; larger ones go in parts.")
            .hardened(WeakerValues.HIGHER)
            .size("1KiB", "2TiB"),
        section
            .key("object_bytes", "16GiB")
            .doc("The largest object; each takes 32 bytes of memory for 64 KiB while it is stored.")
            .size("1MiB", "2TiB"),
        section
            .key("body_memory", "64MiB")
            .doc("Bodies held in memory, all requests together; more are refused as busy.")
            .size("2MiB", "1TiB"),
        section
            .key("memory_bytes", "64MiB")
            .doc("With `amnesia`: objects held in memory.")
            .size("1MiB", "1TiB"),
        section
            .key("free_min", "64MiB")
            .doc("A directory with less free space takes no more objects.")
            .size("0B", "1TiB"));
  }

  private static Hot hot(Section section) {
    return new Hot(
        section
            .key("memory", "64MiB")
            .doc(
                "Memory for objects that are read often, sent again without a hash; 0B is none, and"
                    + " the S3 door takes as much again.")
            .size("0B", "1TiB"),
        section
            .key("age", "10m")
            .doc("How long such an object is sent before it is read and hashed again.")
            .duration("1s", "1d"));
  }

  private static Pools pools(Section section) {
    return new Pools(
        section.key("get", 0).doc("Reads at a time; 0 is by cores.").integer(0, 4096),
        section.key("put", 0).doc("Writes at a time; 0 is by cores.").integer(0, 4096),
        section
            .key("work", 512)
            .doc("Requests that wait for their turn; more are refused as busy.")
            .integer(1, 65_536));
  }

  private static Uploads uploads(Section section) {
    return new Uploads(
        section.key("max", 128).doc("Uploads that are not complete.").integer(1, 10_000),
        section
            .key("expire", "24h")
            .doc("An upload that got no part for so long is dropped.")
            .duration("1s", "365d"));
  }

  private static Durability durability(Section section) {
    return new Durability(
        section.key("replication", 1).doc("Copies of each object.").integer(1, 16),
        section
            .key("write_quorum", 0)
            .doc("Copies that are durable before a write is answered; 0 is the majority.")
            .integer(0, 16),
        section
            .key("repair_rate", "50MiB/s")
            .doc("What repair and scrubbing may move together.")
            .rate(),
        section.key("repair_workers", 2).doc("Repairs at a time.").integer(1, 64),
        section
            .key("repair_queue", 256)
            .doc("Repairs that wait; more are planned again, and urgent ones have as many places.")
            .integer(1, 1 << 16),
        section
            .key("plan_period", "1m")
            .doc("How often what is there is compared with what should be.")
            .duration("100ms", "1d"),
        section
            .key("scrub_period", "7d")
            .doc("In which everything at rest is verified once.")
            .duration("1s", "365d"),
        section
            .key("delete_grace", "24h")
            .doc("How long the bytes of a deleted object stay.")
            .duration("0s", "365d"));
  }
}
