package dev.ron.mailbox;

import dev.ron.config.DoorAddress;
import dev.ron.config.DoorSettings;
import dev.ron.config.Section;
import dev.ron.config.WeakerValues;
import dev.ron.config.value.ByteSize;
import dev.ron.kernel.retry.Backoff;
import dev.ron.mailbox.core.state.Attempts;
import dev.ron.mailbox.core.state.ShardLimits;
import dev.ron.mailbox.shard.TopicShards;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Everything the mailbox can be told.
 *
 * <p>Threading: immutable.
 */
public record MailboxConfig(
    DoorAddress address,
    DoorSettings server,
    Path data,
    Capacity capacity,
    Visibility visibility,
    Duration tReplay,
    int maxAttempts,
    Duration backoffBase,
    Duration backoffMax,
    Durability durability,
    Retention retention) {
  /** What the index of a table of keys can tell apart; memory is the bound that counts. */
  private static final int KEYS_MAX = 1 << 30;

  /** Acknowledged ids a shard remembers, 4 MiB of them. */
  private static final int ACKS_MAX = 131_072;

  /** When an answer is given. */
  public enum Flush {
    /** When the disk has it. */
    ALWAYS,
    /** At once; a crash loses what came since the last flush. */
    INTERVAL
  }

  /** How much is held. */
  public record Capacity(
      int shardCount,
      int shardCapacity,
      int deadCapacity,
      int inbox,
      int events,
      int globalInflight,
      ByteSize payloadBytes,
      ByteSize memoryBytes,
      ByteSize indexBytes,
      ByteSize idemBytes) {
    /** A table of keys begins with a block; so much is the least that is any use. */
    private static final long KEY_BYTES_MIN = 64 << 10;

    public Capacity {
      if (idemBytes.bytes() / shardCount < KEY_BYTES_MIN) {
        throw new IllegalArgumentException(
            "idem_bytes = %s is less than 64KiB for each of shard_count = %d"
                .formatted(idemBytes, shardCount));
      }
    }
  }

  /** How long a consumer may keep a message. */
  public record Visibility(
      Duration visibilityMin, Duration visibilityDefault, Duration visibilityMax) {
    public Visibility {
      if (visibilityMin.compareTo(visibilityDefault) > 0
          || visibilityDefault.compareTo(visibilityMax) > 0) {
        throw new IllegalArgumentException(
            "visibility_min = %s, visibility_default = %s and visibility_max = %s must rise"
                .formatted(visibilityMin, visibilityDefault, visibilityMax));
      }
    }
  }

  /** What a crash may take. */
  public record Durability(
      Flush flush, Duration flushInterval, boolean amnesia, ByteSize snapshotBytes) {
    /** As the answers say it. */
    public String words() {
      return amnesia ? "amnesia" : flush == Flush.ALWAYS ? "always" : "interval";
    }
  }

  /** How long messages stay, and how much disk they may take. */
  public record Retention(Duration ready, Duration dead, ByteSize diskBytes) {}

  public MailboxConfig {
    if (backoffBase.compareTo(backoffMax) > 0) {
      throw new IllegalArgumentException(
          "backoff_base = %s is more than backoff_max = %s".formatted(backoffBase, backoffMax));
    }
  }

  /** The defaults of the specification. */
  public static MailboxConfig read(Section section) {
    return read(section, "127.0.0.1:8082", Path.of("./data/mailbox"));
  }

  public static MailboxConfig read(Section section, String bind, Path data) {
    return new MailboxConfig(
        DoorAddress.read(section, bind, "HTTP"),
        DoorSettings.read(section.section("server")),
        section.key("data", data.toString()).doc("The folder of the journal.").path(),
        capacity(section),
        new Visibility(
            section
                .key("visibility_min", "250ms")
                .doc("The least time a consumer can ask for.")
                .duration("1ms", "1h"),
            section
                .key("visibility_default", "5s")
                .doc("The time a consumer gets who does not say.")
                .duration("1ms", "12h"),
            section
                .key("visibility_max", "12h")
                .doc("The most time a consumer can ask for.")
                .duration("1s", "7d")),
        section
            .key("t_replay", "300s")
            .doc("How long a repeated idem_key is known.")
            .duration("1s", "1d"),
        section
            .key("max_attempts", 5)
            .doc("Deliveries that may fail before a message is dead.")
            .integer(1, 1000),
        section
            .key("backoff_base", "200ms")
            .doc("The longest rest after the first nack; it doubles with each.")
            .duration("1ms", "1h"),
        section.key("backoff_max", "60s").doc("No rest is longer than this.").duration("1ms", "1d"),
        durability(section),
        retention(section.section("retention")));
  }

  private static Capacity capacity(Section section) {
    return new Capacity(
        section
            .key("shard_count", 8)
            .doc(
                "Parts of the mailbox, each with one writer; another number drains the former"
                    + " parts.")
            .integer(1, TopicShards.SHARDS_MAX),
        section
            .key("shard_capacity", 4096)
            .doc("Living messages of a shard; more are refused as saturated.")
            .integer(1, 10_000_000),
        section
            .key("dead_capacity", 65_536)
            .doc("Dead letters of a shard at which it takes no more messages.")
            .integer(1, 10_000_000),
        section
            .key("inbox", 1024)
            .doc("Requests that wait for one shard; more are refused as saturated.")
            .integer(1, 1_000_000),
        section
            .key("events", 1024)
            .doc("Events that a slow reader may fall behind before it misses the oldest.")
            .integer(1, 1 << 16),
        section
            .key("global_inflight", 8192)
            .doc("Messages in the hands of consumers, all shards together.")
            .integer(1, 10_000_000),
        section
            .key("payload_bytes", "1MiB")
            .doc("The largest payload.")
            .hardened(WeakerValues.HIGHER)
            .size("1KiB", "16MiB"),
        section
            .key("memory_bytes", "32MiB")
            .doc("Messages kept in memory besides the disk, all shards together.")
            .size("0B", "1TiB"),
        section
            .key("index_bytes", "128MiB")
            .doc("Memory that orders messages, about 40 bytes each; beyond it sends are refused.")
            .size("1MiB", "1TiB"),
        section
            .key("idem_bytes", "128MiB")
            .doc("Memory for keys, about 50 bytes each, never forgotten early: sends are refused.")
            .size("1MiB", "1TiB"));
  }

  private static Durability durability(Section section) {
    return new Durability(
        section
            .key("flush", "always")
            .doc("`always` answers when the disk has it, `interval` before.")
            .choice(Flush.values()),
        section
            .key("flush_interval", "20ms")
            .doc("How often the disk is flushed when `flush` is `interval`.")
            .duration("1ms", "1m"),
        section
            .key("amnesia", false)
            .doc("Keeps nothing on disk: everything is gone after a restart.")
            .bool(),
        section
            .key("snapshot_bytes", "64MiB")
            .doc("The least growth of the journal after which its history is replaced by state.")
            .size("64KiB", "1TiB"));
  }

  private static Retention retention(Section section) {
    return new Retention(
        section
            .key("ready", "7d")
            .doc("A message that was not received for this long becomes a dead letter.")
            .duration("1m", "365d"),
        section
            .key("dead", "14d")
            .doc("A dead letter of this age is dropped.")
            .duration("1m", "365d"),
        section
            .key("disk_bytes", "10GiB")
            .doc("The journal's size at which sends are refused as saturated.")
            .size("16MiB", "100TiB"));
  }

  public ShardLimits shardLimits() {
    return new ShardLimits(
        capacity.shardCapacity(),
        capacity.deadCapacity(),
        tReplay.toMillis(),
        KEYS_MAX,
        ACKS_MAX,
        new Attempts(maxAttempts, new Backoff.FullJitter(backoffBase, backoffMax)));
  }
}
