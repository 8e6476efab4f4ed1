package dev.ron.edge;

import dev.ron.config.DoorAddress;
import dev.ron.config.Section;
import dev.ron.config.WeakerValues;
import dev.ron.config.value.ByteSize;
import dev.ron.config.value.HostPort;
import dev.ron.edge.core.AllowList;
import dev.ron.kernel.retry.Backoff;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Everything the edge can be told.
 *
 * <p>What a reload changes has no rule with what it leaves, so {@link #taking} makes no
 * configuration that a start would refuse.
 *
 * <p>Threading: immutable.
 *
 * @param packs files and folders that hold packs; folders are watched
 * @param packPoll how often they are looked at
 * @param sample whether an invented map is shown while there is no other pack
 * @param publicUrl what links to tiles begin with; empty for where the door is bound
 * @param audit whether fills and changes are written to the log
 * @param corsOrigins whose pages may read what is served here
 * @param httpMultiRange whether several ranges are answered in one multipart body
 */
public record EdgeConfig(
    DoorAddress address,
    Path data,
    Mode mode,
    List<Path> packs,
    Duration packPoll,
    boolean sample,
    String publicUrl,
    boolean amnesia,
    boolean capabilityRequired,
    boolean audit,
    int events,
    Ingress ingress,
    Cache cache,
    Fill fill,
    AllowList mounts,
    List<String> corsOrigins,
    boolean httpMultiRange) {
  /** Whether anything is ever asked of an upstream. */
  public enum Mode {
    /** Packs and what the cache holds; not one packet leaves. */
    OFFLINE,
    /** Misses are filled from the mounts' upstreams. */
    LIVE
  }

  /** What becomes of a fill when nothing may be written. */
  public enum AmnesiaFill {
    /** Kept in memory, gone with the process. */
    MEMORY,
    REFUSE
  }

  /** How much is kept. */
  public record Cache(ByteSize bytes, int entries, ByteSize objectBytes) {
    public Cache {
      if (objectBytes.bytes() > bytes.bytes()) {
        throw new IllegalArgumentException(
            "cache.object_bytes = %s is more than cache.bytes = %s".formatted(objectBytes, bytes));
      }
    }
  }

  /**
   * How upstreams are asked.
   *
   * @param timeout for the head of an answer, and between two pieces of its body
   * @param retryBase the first wait before another try, doubled up to {@code retryMax}
   * @param jitter whether up to {@code retryBase} more is waited, by chance
   * @param queue fills that wait for a worker
   * @param limit for a whole fill, so that a slow upstream cannot hold a worker for ever
   */
  public record Fill(
      Duration timeout,
      Duration limit,
      int tries,
      Duration retryBase,
      Duration retryMax,
      boolean jitter,
      int workers,
      int queue,
      AmnesiaFill underAmnesia) {
    public Fill {
      if (timeout.compareTo(limit) > 0) {
        throw new IllegalArgumentException(
            "fill.timeout = %s is more than fill.limit = %s".formatted(timeout, limit));
      }
      if (retryBase.compareTo(retryMax) > 0) {
        throw new IllegalArgumentException(
            "fill.retry_base = %s is more than fill.retry_max = %s".formatted(retryBase, retryMax));
      }
    }

    Fill taking(Fill fresh) {
      return new Fill(
          timeout,
          limit,
          fresh.tries,
          fresh.retryBase,
          fresh.retryMax,
          fresh.jitter,
          workers,
          queue,
          underAmnesia);
    }

    /** What to wait before another try. */
    public Backoff backoff() {
      return new Backoff.Added(retryBase, retryMax, jitter);
    }
  }

  public EdgeConfig {
    packs = List.copyOf(packs);
    corsOrigins = List.copyOf(corsOrigins);
  }

  /**
   * What absolute links begin with. A host that a client names is not believed; bound to every
   * address or to a port that the system chooses, links are relative.
   */
  public String linkBase() {
    HostPort bind = address.bind();
    boolean one = bind.port() != 0 && !bind.host().equals("0.0.0.0") && !bind.host().equals("::");
    return !publicUrl.isEmpty() || !one ? publicUrl : address.url();
  }

  /** This, with those keys of another one that hold without a restart. */
  EdgeConfig taking(EdgeConfig fresh) {
    return new EdgeConfig(
        address,
        data,
        fresh.mode,
        packs,
        packPoll,
        sample,
        publicUrl,
        amnesia,
        capabilityRequired,
        fresh.audit,
        events,
        ingress.taking(fresh.ingress),
        cache,
        fill.taking(fresh.fill),
        mounts,
        corsOrigins,
        httpMultiRange);
  }

  /** The defaults of the specification. */
  public static EdgeConfig read(Section section) {
    return read(section, "127.0.0.1:8081", Path.of("./data/edge"));
  }

  public static EdgeConfig read(Section section, String bind, Path data) {
    return new EdgeConfig(
        DoorAddress.read(section, bind, "HTTP"),
        section.key("data", data.toString()).doc("The folder of the cache.").path(),
        section
            .key("mode", "offline")
            .live()
            .doc("`offline` never asks an upstream, `live` fills misses from the mounts.")
            .choice(Mode.values()),
        section
            .key("packs", List.of("./packs"))
            .doc("Packs: files, or folders that are watched.")
            .paths(),
        section
            .key("pack_poll", "1s")
            .doc("How often folders of packs are looked at.")
            .duration("10ms", "1h"),
        section
            .key("sample", true)
            .doc("Shows an invented map while there is no other pack.")
            .bool(),
        section
            .key("public_url", "")
            .doc(
                "Where clients reach the edge, for links in TileJSON; empty for where it is bound.")
            .text(),
        section
            .key("amnesia", false)
            .doc("Keeps nothing on disk: the cache is gone after a restart.")
            .bool(),
        section
            .key("capability_required", false)
            .doc("Refuses requests without a capability; one that is shown is always checked.")
            .bool(),
        section
            .key("audit", false)
            .live()
            .doc("Writes fills, invalidations and changes of packs to the log, chained by hash.")
            .bool(),
        events(section),
        Ingress.read(section.section("ingress")),
        cache(section.section("cache")),
        fill(section.section("fill")),
        new AllowList(
            section
                .key("mounts", List.of())
                .doc("Upstreams that may be asked; whatever is not named here is refused.")
                .each(Mount::read)),
        section
            .section("cors")
            .key("origins", List.of())
            .doc("Origins whose pages may read answers; none by default.")
            .texts(),
        section
            .section("http")
            .key("multi_range", false)
            .doc("Answers several ranges in one multipart body instead of 416.")
            .bool());
  }

  private static int events(Section section) {
    return section
        .key("events", 1024)
        .doc("Events that a slow reader may fall behind before it misses the oldest.")
        .integer(1, 1 << 16);
  }

  private static Cache cache(Section section) {
    return new Cache(
        section
            .key("bytes", "1GiB")
            .doc("What the cache may hold; the least useful go first.")
            .size("1MiB", "100TiB"),
        section
            .key("entries", 1_000_000)
            .doc("How many answers the cache may hold.")
            .integer(1, 100_000_000),
        section
            .key("object_bytes", "256MiB")
            .doc("A longer answer is passed on and not kept.")
            .size("1KiB", "1GiB"));
  }

  private static Fill fill(Section section) {
    return new Fill(
        section
            .key("timeout", "5s")
            .doc("For the head of an upstream's answer, and between two pieces of its body.")
            .hardened(WeakerValues.HIGHER)
            .duration("10ms", "5m"),
        section
            .key("limit", "5m")
            .doc("For one fill from its start to its last byte.")
            .duration("10ms", "1d"),
        section
            .key("tries", 3)
            .live()
            .doc("How often an upstream is asked that times out or answers 503 or 504.")
            .integer(1, 10),
        section
            .key("retry_base", "50ms")
            .live()
            .doc(
                "The first wait before an upstream is asked again; each further one is twice that.")
            .duration("1ms", "1m"),
        section
            .key("retry_max", "800ms")
            .live()
            .doc("The longest wait before an upstream is asked again.")
            .duration("1ms", "10m"),
        section
            .key("jitter", true)
            .live()
            .doc(
                "Waits up to `retry_base` longer by chance, so that fills do not come back"
                    + " together.")
            .bool(),
        section.key("workers", 64).doc("Fills that run at a time.").integer(1, 4096),
        section
            .key("queue", 512)
            .doc("Fills that wait for a worker; further ones get 429.")
            .integer(1, 1 << 16),
        section
            .key("under_amnesia", "memory")
            .doc("With amnesia, `memory` keeps fills in memory and `refuse` refuses them.")
            .choice(AmnesiaFill.values()));
  }
}
