package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads all that a ledger says was acknowledged, of each machine in turn, so that each has its
 * part.
 *
 * <p>Threading: owned by the test.
 */
final class LedgerReads {
  /** Reads share the entry that each of them waits for. */
  private static final int READERS = 16;

  private final ClusterLedger ledger;
  private final List<ClusterClient> machines;
  private final AtomicInteger turn = new AtomicInteger();

  LedgerReads(ClusterLedger ledger, List<ClusterClient> machines) {
    this.ledger = ledger;
    this.machines = machines;
  }

  void everythingAcknowledgedIsThere() throws Exception {
    System.out.printf("granted: %s%n", ledger.counts());
    assertThat(ledger.contradictions()).isEmpty();
    assertThat(ledger.missing()).as("sent and never received").isEmpty();
    List<Callable<Void>> reads = new ArrayList<>();
    ledger.names.forEach((key, content) -> reads.add(() -> isThere(key, content)));
    ledger.claims.forEach((key, content) -> reads.add(() -> isThere(key, content)));
    ledger.lost.forEach(key -> reads.add(() -> isThere(key, "of ")));
    ledger.objects.forEach((key, content) -> reads.add(() -> isThere("/o/" + key, content)));
    try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
      for (Future<Void> each : readers.invokeAll(reads)) {
        each.get();
      }
    }
  }

  private Void isThere(String path, String content) throws Exception {
    ClusterClient any = machines.get(turn.getAndIncrement() % machines.size());
    HttpResponse<byte[]> read =
        path.startsWith("/o/")
            ? any.gateway("GET", path, new byte[0])
            : any.s3("GET", path, new byte[0]);
    assertThat(read.statusCode()).as(path).isEqualTo(200);
    assertThat(new String(read.body(), UTF_8)).as(path).startsWith(content);
    return null;
  }
}
