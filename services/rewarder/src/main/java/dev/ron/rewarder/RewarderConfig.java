package dev.ron.rewarder;

import dev.ron.config.DoorAddress;
import dev.ron.config.DoorSettings;
import dev.ron.config.Section;
import dev.ron.config.value.ByteSize;
import dev.ron.config.value.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * All settings of the rewarder.
 *
 * <p>Threading: immutable.
 *
 * @param workers 0 for as many as there are cores
 * @param queue places of each of the channels between door, scheduler, workers, writer and emitter
 */
public record RewarderConfig(
    DoorAddress address,
    DoorSettings server,
    int workers,
    int queue,
    int events,
    Path artifacts,
    Inputs inputs,
    boolean amnesia,
    Trust trust,
    Capacity capacity,
    Duration upstreamTimeout,
    Duration epochDuration,
    Ledger ledger) {
  /** Where inputs are. */
  public enum InputKind {
    STORAGE,
    FILES
  }

  /** Which sink payments go through. */
  public enum SinkKind {
    EMBEDDED,
    HTTP,
    MAILBOX
  }

  /** Where inputs come from. */
  public record Inputs(InputKind kind, String storageUrl, Secret storageCapability, Path folder) {
    public Inputs {
      if (kind == InputKind.STORAGE) {
        checkUrl("storage_url", storageUrl);
      }
    }
  }

  /** Whose signatures a policy needs. */
  public record Trust(boolean signedPolicy, boolean postQuantum, List<String> policyKeys) {
    public Trust {
      policyKeys = List.copyOf(policyKeys);
    }
  }

  /** How much is held, and how large an input may become. */
  public record Capacity(ByteSize memory, ByteSize decoded, int ratio, ByteSize amnesiaMemory) {}

  /** Where intents go. */
  public record Ledger(
      SinkKind sink, String url, String topic, Secret capability, int accountsMax) {
    public Ledger {
      if (sink != SinkKind.EMBEDDED) {
        checkUrl("ledger.url", url);
      }
    }
  }

  private static void checkUrl(String key, String url) {
    boolean good;
    try {
      URI uri = URI.create(url);
      good = uri.getHost() != null && String.valueOf(uri.getScheme()).startsWith("http");
    } catch (IllegalArgumentException _) {
      good = false;
    }
    if (!good) {
      throw new IllegalArgumentException(key + " = \"" + url + "\" must be an http address");
    }
  }

  /** The defaults of the specification. */
  public static RewarderConfig read(Section section) {
    return read(section, "127.0.0.1:8084", Path.of("./data/rewarder"), "http://127.0.0.1:8083");
  }

  public static RewarderConfig read(
      Section section, String bind, Path artifacts, String storageUrl) {
    return new RewarderConfig(
        DoorAddress.read(section, bind, "HTTP"),
        DoorSettings.read(section.section("server")),
        section
            .key("workers", 0)
            .doc("Workers that compute runs; 0 for as many as there are cores.")
            .integer(0, 256),
        section
            .key("queue", 512)
            .doc("Places of each queue between door, scheduler, workers, writer and emitter.")
            .integer(1, 1 << 16),
        section
            .key("events", 1024)
            .doc("Events that a slow reader may fall behind before it misses the oldest.")
            .integer(1, 1 << 16),
        section
            .key("artifacts", artifacts.toString())
            .doc("The folder of runs, keys, outbox and ledger.")
            .path(),
        inputs(section, artifacts, storageUrl),
        section
            .key("amnesia", false)
            .doc("Keeps nothing on disk: runs, outbox and ledger are gone after a restart.")
            .bool(),
        trust(section),
        capacity(section),
        section
            .key("upstream_timeout", "5s")
            .doc("How long a storage may be silent, and a ledger take for one batch.")
            .duration("10ms", "10m"),
        section
            .key("epoch_duration", "24h")
            .live()
            .doc("How long an epoch is; a run that takes more than half of it is given up.")
            .duration("2ms", "366d"),
        ledger(section.section("ledger")));
  }

  private static Inputs inputs(Section section, Path artifacts, String storageUrl) {
    return new Inputs(
        section
            .key("inputs", "storage")
            .doc("`storage`, or `files`: a folder of sealed files named by their address.")
            .choice(InputKind.values()),
        section.key("storage_url", storageUrl).doc("Where inputs are, by address.").text(),
        section.key("storage_cap", "").doc("The capability that is shown to the storage.").secret(),
        section
            .key("inputs_folder", artifacts.resolve("inputs").toString())
            .doc("The folder of sealed files when `inputs` is `files`.")
            .path());
  }

  private static Trust trust(Section section) {
    return new Trust(
        section
            .key("require_signed_policy", true)
            .live()
            .doc("Refuses a policy that no trusted key has signed.")
            .bool(),
        section
            .key("post_quantum", false)
            .doc("Signs runs with ML-DSA beside Ed25519, and wants both on a policy.")
            .bool(),
        section
            .key("policy_keys", List.of())
            .live()
            .doc("Public keys in base64 whose signature a policy may have, besides our own.")
            .texts());
  }

  private static Capacity capacity(Section section) {
    return new Capacity(
        section
            .key("memory_bytes", "64MiB")
            .doc("Scores held in memory, all workers together; more are spilled to disk.")
            .size("1MiB", "1TiB"),
        section
            .key("decoded_bytes", "256GiB")
            .doc("The largest accounting input once it is decompressed.")
            .size("1MiB", "16TiB"),
        section
            .key("decoded_ratio", 200)
            .doc("Bytes that one compressed byte of accounting may become.")
            .integer(1, 10_000),
        section
            .key("amnesia_bytes", "256MiB")
            .doc("What is kept in memory instead of on disk under `amnesia`.")
            .size("1MiB", "1TiB"));
  }

  private static Ledger ledger(Section section) {
    return new Ledger(
        section
            .key("sink", "embedded")
            .doc("`embedded`, `http`, or `mailbox`: where intents are sent.")
            .choice(SinkKind.values()),
        section.key("url", "").doc("The ledger or mailbox over HTTP.").text(),
        section.key("topic", "settlements").doc("The mailbox's topic for intents.").text(),
        section.key("cap", "").doc("The capability that is shown to the ledger.").secret(),
        section
            .key("accounts", 1_000_000)
            .doc("Accounts that the embedded ledger holds; more are refused.")
            .integer(3, 100_000_000));
  }

  /** This, with those keys of another one that hold without a restart. */
  RewarderConfig taking(RewarderConfig fresh) {
    return new RewarderConfig(
        address,
        server,
        workers,
        queue,
        events,
        artifacts,
        inputs,
        amnesia,
        new Trust(fresh.trust.signedPolicy, trust.postQuantum, fresh.trust.policyKeys),
        capacity,
        upstreamTimeout,
        fresh.epochDuration,
        ledger);
  }

  /** From the request for a run to its end: the next epoch's run has the other half. */
  public Duration runLimit() {
    return epochDuration.dividedBy(2);
  }

  /** As many as there are cores, unless the configuration says otherwise. */
  public int workerCount() {
    return workers == 0 ? Runtime.getRuntime().availableProcessors() : workers;
  }
}
