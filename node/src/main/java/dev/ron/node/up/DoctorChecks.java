package dev.ron.node.up;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.ron.config.value.HostPort;
import dev.ron.http.Transport;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.Time;
import dev.ron.node.DataFolderLock;
import dev.ron.node.NodeConfig;
import dev.ron.node.NodeSettings;
import dev.ron.node.profile.FailureWords;
import dev.ron.node.profile.UnopenedDoor;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What {@code ron doctor} looks at, each thing as the node would use it. */
final class DoctorChecks {
  private static final int FLUSHES = 60;
  private static final int FLUSH_BYTES = 4096;

  /** Above this a durable answer takes noticeably long. */
  private static final Duration SLOW_FLUSH = Duration.ofMillis(20);

  /** The hardened limits: connections of five services, files of segments and journals. */
  private static final long OPEN_FILES_WANTED = 8192;

  private static final long FREE_BYTES_WANTED = 2L << 30;

  private DoctorChecks() {}

  static List<DoctorResult> of(NodeSettings settings) throws IOException {
    var findings = new ArrayList<DoctorResult>();
    findings.add(jdk());
    findings.add(cores());
    findings.add(transport());
    findings.add(openFiles());
    NodeConfig node = settings.node();
    findings.add(ports(settings));
    findings.addAll(disk(node.data(), new SystemTime()));
    return findings;
  }

  private static DoctorResult jdk() {
    String version = Runtime.version().toString();
    return Runtime.version().feature() >= 25
        ? DoctorResult.good("jdk", version)
        : DoctorResult.bad("jdk", version, "install a JDK 25 and set JAVA_HOME to it");
  }

  private static DoctorResult cores() {
    int cores = Runtime.getRuntime().availableProcessors();
    long heapMib = Runtime.getRuntime().maxMemory() >> 20;
    String seen = "%d cores, %d MiB heap".formatted(cores, heapMib);
    return heapMib >= 128
        ? DoctorResult.good("machine", seen)
        : DoctorResult.fair("machine", seen, "set RON_HEAP to 256m or more");
  }

  private static DoctorResult transport() {
    Transport best = Transport.AUTO.resolved();
    return best == Transport.NIO
        ? DoctorResult.fair(
            "transport", "nio", "epoll is faster; it needs Linux on x86-64 or ARM64 with glibc")
        : DoctorResult.good("transport", best.name().toLowerCase(java.util.Locale.ROOT));
  }

  private static DoctorResult openFiles() {
    if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)) {
      return DoctorResult.fair("open files", "unknown on this system", "");
    }
    long max = unix.getMaxFileDescriptorCount();
    return max >= OPEN_FILES_WANTED
        ? DoctorResult.good("open files", max + " allowed")
        : DoctorResult.fair(
            "open files", max + " allowed", "raise it: ulimit -n " + OPEN_FILES_WANTED);
  }

  /** Tries each address that the start will listen at; the system finds free ports itself. */
  private static DoctorResult ports(NodeSettings settings) throws IOException {
    var taken = new ArrayList<String>();
    var asked = new ArrayList<String>();
    settings
        .doors()
        .forEach(
            (key, at) -> {
              if (at.port() != 0) {
                String door = isUsual(at) ? String.valueOf(at.port()) : at.toString();
                asked.add(door);
                UnopenedDoor.refusal(at)
                    .ifPresent(why -> taken.add("%s (%s: %s)".formatted(door, key, why)));
              }
            });
    Path data = settings.node().data();
    if (!taken.isEmpty() && DataFolderLock.isHeld(data)) {
      return DoctorResult.good("ports", taken.size() + " are open: a node runs on " + data);
    }
    if (taken.isEmpty()) {
      return DoctorResult.good(
          "ports", asked.isEmpty() ? "the system chooses them" : asked + " are free");
    }
    return DoctorResult.bad(
        "ports",
        taken + " cannot be listened at",
        "stop what listens there, or start with --base-port N or another address");
  }

  private static boolean isUsual(HostPort at) {
    return at.host().equals("127.0.0.1");
  }

  private static List<DoctorResult> disk(Path data, Time time) throws IOException {
    var findings = new ArrayList<DoctorResult>();
    // A start makes the folder, with its owner's rights alone.
    Path place = nearest(data);
    Path file;
    try {
      file = Files.createTempFile(place, "doctor", ".tmp");
    } catch (IOException refused) {
      return List.of(
          DoctorResult.bad(
              "data", FailureWords.of(refused), "make it writable, or start with --data FOLDER"));
    }
    long free = Files.getFileStore(place).getUsableSpace();
    String room =
        "%s, %d MiB free%s"
            .formatted(data, free >> 20, Files.exists(data) ? "" : "; the first start makes it");
    findings.add(
        free >= FREE_BYTES_WANTED
            ? DoctorResult.good("data", room)
            : DoctorResult.fair(
                "data", room, "make room: durable writes are refused on a full disk"));
    try {
      findings.add(flushes(file, time));
    } finally {
      Files.delete(file);
    }
    return findings;
  }

  /** The folder, or the first above it that is there. */
  private static Path nearest(Path folder) {
    Path at = folder.toAbsolutePath().normalize();
    while (!Files.exists(at) && at.getParent() != null) {
      at = at.getParent();
    }
    return at;
  }

  private static DoctorResult flushes(Path file, Time time) throws IOException {
    var took = new ArrayList<Duration>();
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      var block = ByteBuffer.allocate(FLUSH_BYTES);
      for (int i = 0; i < FLUSHES; i++) {
        Instant began = time.now();
        channel.write(block.clear());
        channel.force(false);
        took.add(Duration.between(began, time.now()));
      }
    }
    took.sort(null);
    Duration median = took.get(FLUSHES / 2);
    String seen =
        "one flush takes %.2f ms, the slowest of %d took %.2f ms"
            .formatted(millis(median), FLUSHES, millis(took.getLast()));
    return median.compareTo(SLOW_FLUSH) < 0
        ? DoctorResult.good("flush", seen)
        : DoctorResult.fair(
            "flush", seen, "durable answers wait for it; a disk with a protected cache is faster");
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
