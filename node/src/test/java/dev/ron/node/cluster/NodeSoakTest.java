package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One node with all services and both AWS doors under load, killed every few minutes: it keeps what
 * it acknowledged, and while it lives it grows by little more than what it was given to keep.
 *
 * <p>Long: an hour, or {@code -Dron.soak.minutes}.
 */
final class NodeSoakTest {
  private static final int MINUTES = Integer.getInteger("ron.soak.minutes", 60);
  private static final Duration LIFE = Duration.ofMinutes(Math.max(2, MINUTES / 10));
  private static final Duration WARM_UP = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofSeconds(10);

  /** What a send or a put may leave in memory: its key of a window, its place in an index. */
  private static final long HEAP_BYTES_EACH_MAX = 700;

  /** Caches that fill, and what a collection finds at one look and not at another. */
  private static final long HEAP_SLACK_BYTES = 12L << 20;

  /** The heap and what is mapped come on top; the rest is buffers, code and threads. */
  private static final long RESIDENT_SLACK_BYTES = 48L << 20;

  private static final int THREADS_SLACK = 24;
  private static final int FILES_SLACK = 48;

  @TempDir private Path folder;
  private final ClusterLedger ledger = new ClusterLedger();

  /**
   * What a process holds.
   *
   * @param heapBytes that a collection leaves
   * @param granted requests so far, of all clients
   */
  private record Footprint(
      long heapBytes, long residentBytes, long threads, long files, long granted) {
    /** What a node that goes on may grow to. */
    void requireSteady(Footprint then) {
      long more = then.granted - granted;
      assertThat(more).as("requests were granted").isPositive();
      assertThat(then.heapBytes)
          .as("heap after %d requests, from %s to %s", more, this, then)
          .isLessThan(heapBytes + HEAP_SLACK_BYTES + more * HEAP_BYTES_EACH_MAX);
      assertThat(then.residentBytes)
          .as("resident, from %s to %s", this, then)
          .isLessThan(residentBytes + RESIDENT_SLACK_BYTES + more * HEAP_BYTES_EACH_MAX);
      assertThat(then.threads).as("threads").isLessThan(threads + THREADS_SLACK);
      assertThat(then.files).as("open files").isLessThan(files + FILES_SLACK);
    }

    @Override
    public String toString() {
      return "heap %.1f MiB, resident %.0f MiB, %d threads, %d files after %d requests"
          .formatted(heapBytes / 1048576.0, residentBytes / 1048576.0, threads, files, granted);
    }
  }

  @Test
  @Tag("long")
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void aNodeUnderLoadThatIsKilledKeepsWhatItAcknowledgedAndGrowsByNothingElse() throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    try (var network = MachineNetwork.loopback();
        var machines = new ClusterMachines(folder, network)) {
      start(machines);
      machines.ron("a", ClusterClient.S3, "s3", "mb", "s3://" + ClusterLoad.BUCKET);
      queue(machines.client("a"));
      ClusterClient client = machines.client("a");
      try (var load = new ClusterLoad(ledger, () -> List.of(client))) {
        load.start();
        int life = 1;
        while (live(machines, life, end)) {
          machines.kill9("a");
          start(machines);
          life++;
        }
        load.drain(Duration.ofMinutes(2));
        new LedgerReads(ledger, List.of(client)).everythingAcknowledgedIsThere();
        System.out.printf(
            "%d lives, %d kills, %,d bytes on the disk%n", life, life - 1, size(machines));
      }
      machines.stop("a");
    }
  }

  private static void start(ClusterMachines machines) throws Exception {
    machines.start("a", "--limits", "open");
    machines.awaitReady("a");
  }

  private static void queue(ClusterClient client) throws Exception {
    HttpResponse<byte[]> made =
        client.sqs(
            "CreateQueue",
            "{\"QueueName\":\"%s\",\"Attributes\":{\"FifoQueue\":\"true\"}}"
                .formatted(ClusterLoad.QUEUE));
    assertThat(made.statusCode()).as(new String(made.body(), UTF_8)).isEqualTo(200);
  }

  /** False if it was the last. */
  private boolean live(ClusterMachines machines, int life, long end) throws Exception {
    long over = System.nanoTime() + LIFE.toNanos();
    rest(WARM_UP);
    Footprint first = footprint(machines.pid("a"));
    Footprint last = first;
    while (System.nanoTime() < over) {
      rest(LOOK);
      last = footprint(machines.pid("a"));
    }
    System.out.printf("life %d: from %s%n          to %s%n", life, first, last);
    System.out.printf("  no grant for %s%n", ledger.pauses());
    ledger.forgetPauses();
    assertThat(ledger.contradictions()).isEmpty();
    first.requireSteady(last);
    return System.nanoTime() < end;
  }

  private Footprint footprint(long pid) throws Exception {
    jcmd(pid, "GC.run");
    Matcher used = Pattern.compile("total \\d+K, used (\\d+)K").matcher(jcmd(pid, "GC.heap_info"));
    long heap = used.results().mapToLong(each -> Long.parseLong(each.group(1)) << 10).sum();
    assertThat(heap).as("jcmd says how full the heap is").isPositive();
    String status = Files.readString(Path.of("/proc/%d/status".formatted(pid)));
    try (Stream<Path> files = Files.list(Path.of("/proc/%d/fd".formatted(pid)))) {
      return new Footprint(
          heap,
          field(status, "VmRSS") << 10,
          field(status, "Threads"),
          files.count(),
          ledger.count());
    }
  }

  private static long field(String status, String name) {
    Matcher found = Pattern.compile(name + ":\\s+(\\d+)").matcher(status);
    assertThat(found.find()).as(name).isTrue();
    return Long.parseLong(found.group(1));
  }

  private static String jcmd(long pid, String command) throws Exception {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process process =
        new ProcessBuilder(jcmd, Long.toString(pid), command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static long size(ClusterMachines machines) throws IOException {
    try (Stream<Path> files = Files.walk(machines.data("a"))) {
      return files
          .mapToLong(
              each -> {
                try {
                  return Files.isRegularFile(each) ? Files.size(each) : 0;
                } catch (IOException gone) {
                  return 0; // compaction and trimming go on
                }
              })
          .sum();
    }
  }

  private static void rest(Duration howLong) {
    long end = System.nanoTime() + howLong.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
