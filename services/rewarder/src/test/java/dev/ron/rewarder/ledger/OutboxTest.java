package dev.ron.rewarder.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.rewarder.core.payout.Settlements;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The outbox under snapshots, restarts, and writers it should not have. */
@Timeout(120)
final class OutboxTest {
  private static final int HISTORY_MAX = 8;
  private static final int WRITERS = 4;
  private static final int RECORDS = 100;

  @TempDir private Path folder;

  /** An outbox whose journal is flushed while {@code use} runs. */
  private void open(Use use) throws Exception {
    var scope = Scope.of("test", World.real(Log.silent()));
    var journal = FileJournal.open(scope, JournalSettings.in(folder).sized(8192, 4096, 256, 0));
    var outbox = Outbox.recover(journal, scope.registry(), HISTORY_MAX);
    Tree tree =
        Supervisor.named("test").child("flush", Restart.ALWAYS, journal::flushTask).start(scope);
    try {
      use.of(outbox);
    } finally {
      tree.drain();
    }
  }

  private interface Use {
    void of(Outbox outbox) throws Exception;
  }

  private static String key(int writer) {
    return Integer.toString(writer).repeat(64);
  }

  @Test
  void whatWasRecordedIsThereAfterAStartAlsoBySeveralWriters() throws Exception {
    Map<String, Long> recorded = new ConcurrentHashMap<>();
    open(
        outbox -> {
          try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (int i = 0; i < WRITERS; i++) {
              String key = key(i);
              all.add(threads.submit(() -> write(outbox, key, recorded)));
            }
            for (Future<?> each : all) {
              each.get();
            }
          }
        });
    assertThat(recorded).hasSize(WRITERS).containsValue((long) RECORDS);
    open(
        outbox ->
            recorded.forEach(
                (key, next) ->
                    assertThat(outbox.of(key).map(Settlements.Progress::next)).contains(next)));
  }

  private static Void write(Outbox outbox, String key, Map<String, Long> recorded)
      throws Exception {
    for (long next = 1; next <= RECORDS; next++) {
      boolean done = false;
      while (!done) {
        try {
          outbox.record(new Settlements.Progress(key, next, RECORDS));
          recorded.put(key, next);
          done = true;
        } catch (IllegalStateException second) {
          assertThat(second).hasMessageContaining("two writers");
          Thread.onSpinWait();
        }
      }
    }
    return null;
  }
}
