package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.json.JsonTree;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads all that a ledger says was acknowledged, of each machine in turn, so that each has its
 * part.
 *
 * <p>Threading: owned by the test.
 */
final class LedgerReads {
  /** Reads share the entry that each of them waits for. */
  private static final int READERS = 16;

  private static final Duration SETTLED_WITHIN = Duration.ofMinutes(1);

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
    everyEpochIsPaidOnce();
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

  /** One that was begun and not shown may be there too. */
  void everyEpochIsPaidOnce() throws Exception {
    ClusterClient any = machines.getFirst();
    for (Map.Entry<String, String> epoch : ledger.epochs.entrySet()) {
      String path = "/rewarder/epochs/" + epoch.getKey();
      HttpResponse<byte[]> shown = any.gateway("GET", path, new byte[0]);
      assertThat(JsonTree.object(shown.body()).get("root"))
          .as(new String(shown.body(), UTF_8))
          .isEqualTo(epoch.getValue());
      long limit = System.nanoTime() + SETTLED_WITHIN.toNanos();
      while (!isSettled(any, path)) {
        assertThat(System.nanoTime()).as(path + " is paid").isLessThan(limit);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    }
    HttpResponse<byte[]> account =
        any.gateway("GET", "/rewarder/ledger/actor:ROC:did:ron:a", new byte[0]);
    long paid =
        Long.parseLong(String.valueOf(JsonTree.object(account.body()).get("credits_minor")));
    assertThat(paid % EpochRunner.PAID).isZero();
    assertThat(paid / EpochRunner.PAID)
        .as("epochs that were paid")
        .isBetween((long) ledger.epochs.size(), ledger.epochs.size() + 1L);
  }

  private static boolean isSettled(ClusterClient any, String path) throws Exception {
    HttpResponse<byte[]> answer = any.gateway("GET", path + "/settlement", new byte[0]);
    return new String(answer.body(), UTF_8).contains("\"state\":\"settled\"");
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
