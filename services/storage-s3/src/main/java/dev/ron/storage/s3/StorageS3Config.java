package dev.ron.storage.s3;

import dev.ron.config.DoorAddress;
import dev.ron.config.Section;
import dev.ron.config.value.ByteSize;
import dev.ron.config.value.HostPort;
import dev.ron.ordered.OrderedSettings;
import dev.ron.storage.StorageConfig;
import java.time.Duration;
import java.util.Optional;

/**
 * Everything the S3 door can be told. Where its bytes lie, and in how many copies, the storage's
 * own settings say.
 *
 * <p>Threading: immutable.
 *
 * @param masterKeys the file of the server's own keys, empty for none
 */
public record StorageS3Config(
    DoorAddress address,
    String domain,
    String region,
    Sizes sizes,
    Names names,
    Garbage garbage,
    Lifecycle lifecycle,
    String masterKeys) {
  public static final String BIND = "127.0.0.1:8085";

  /** Beside the objects of the storage's other door in each of its directories. */
  private static final String FOLDER = "s3";

  /** How large things may be. */
  public record Sizes(
      ByteSize objectBytes, ByteSize inlineBytes, ByteSize documentBytes, ByteSize bodyMemory) {}

  /** Where names are kept, and how much memory that takes. */
  public record Names(
      ByteSize cacheBytes, ByteSize memtableBytes, Duration checkpointPeriod, int requests) {
    /** What the rows are opened with. */
    public OrderedSettings rows() {
      return OrderedSettings.named("s3-names").sized(cacheBytes.bytes(), memtableBytes.bytes(), 4);
    }
  }

  /** When bytes that no name leads to are deleted. */
  public record Garbage(Duration grace, Duration period) {}

  /** How often the rules of buckets are followed, and how long a day of them is. */
  public record Lifecycle(Duration day, Duration period) {}

  public int documentBytes() {
    return (int) sizes.documentBytes().bytes();
  }

  public int inlineBytes() {
    return (int) sizes.inlineBytes().bytes();
  }

  /**
   * @param section {@code storage.s3}
   */
  public static StorageS3Config read(Section section, String bind) {
    return read(section, bind, "");
  }

  /**
   * The same.
   *
   * @param masterKeys the file, if no other is named
   */
  public static StorageS3Config read(Section section, String bind, String masterKeys) {
    return new StorageS3Config(
        DoorAddress.read(section, bind, "S3"),
        section
            .key("domain", "")
            .doc("Hosts below this name their bucket, as in photos.s3.example; empty is none.")
            .text(),
        section.key("region", "us-east-1").doc("What clients are told and may ask for.").text(),
        sizes(section),
        names(section.section("names")),
        garbage(section.section("garbage")),
        lifecycle(section.section("lifecycle")),
        section
            .key("master_keys", masterKeys)
            .doc("The file of keys that the server encrypts with; one machine alone makes it.")
            .text());
  }

  private static Sizes sizes(Section section) {
    return new Sizes(
        section
            .key("object_bytes", "5GiB")
            .doc("The largest body of one request; larger objects come in parts.")
            .size("1MiB", "5GiB"),
        section
            .key("inline_bytes", "4KiB")
            .doc("Objects up to this size lie beside their name and take no block.")
            .size("0B", "64KiB"),
        section
            .key("document_bytes", "2MiB")
            .doc("The largest XML or JSON document of a request.")
            .size("64KiB", "16MiB"),
        section
            .key("body_memory", "64MiB")
            .doc("Bodies held in memory, all requests together; more have to wait.")
            .size("16MiB", "1TiB"));
  }

  private static Names names(Section section) {
    return new Names(
        section
            .key("cache_bytes", "64MiB")
            .doc(
                "Native memory for rows that were read, and for the parts of their indexes that were used.")
            .size("8MiB", "1TiB"),
        section
            .key("memtable_bytes", "16MiB")
            .doc("Rows of this size are sorted in native memory; four times this is taken.")
            .size("1MiB", "1GiB"),
        section
            .key("checkpoint_period", "30s")
            .doc("How often rows are made durable, and the log before them let go.")
            .duration("1s", "1h"),
        section
            .key("requests", 512)
            .doc("Requests at a time; more are told to slow down.")
            .integer(1, 65_536));
  }

  private static Garbage garbage(Section section) {
    return new Garbage(
        section
            .key("grace", "24h")
            .doc("How long the bytes of a deleted object stay for readers that have begun.")
            .duration("0s", "365d"),
        section
            .key("period", "1m")
            .doc("How often bytes that no name leads to are looked for.")
            .duration("100ms", "1d"));
  }

  private static Lifecycle lifecycle(Section section) {
    return new Lifecycle(
        section
            .key("day", "24h")
            .doc("A day of the rules that delete objects; shorter only to see rules at work.")
            .duration("1s", "24h"),
        section
            .key("period", "1h")
            .doc("How often the rules that delete objects are followed.")
            .duration("100ms", "1d"));
  }

  /** Blocks are kept as the storage keeps objects, in a folder of their own in each directory. */
  static StorageConfig blocks(StorageConfig storage) {
    return blocks(storage, storage.address().bind());
  }

  /**
   * The same.
   *
   * @param bind where machines that keep blocks too are listened for
   */
  public static StorageConfig blocks(StorageConfig storage, HostPort bind) {
    return new StorageConfig(
        DoorAddress.plain(bind),
        storage.server(),
        storage.dataDirs().stream().map(dir -> dir.resolve(FOLDER)).toList(),
        false,
        storage.verify(),
        storage.amnesia(),
        storage.sizes(),
        storage.hot(),
        storage.transferLimit(),
        storage.diskTimeout(),
        storage.pools(),
        storage.events(),
        storage.uploads(),
        storage.durability(),
        Optional.empty());
  }
}
