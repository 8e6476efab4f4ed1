package dev.ron.storage.s3.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.journal.AmnesiaJournal;
import dev.ron.journal.Journal;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.supervise.Tree;
import dev.ron.ordered.MemoryOrderedStore;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.RowBatch;
import dev.ron.ordered.rocks.RocksOrderedStore;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.testkit.FaultyDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class NameLoopTest {
  private static final Duration PERIOD = Duration.ofMillis(5);

  @TempDir private Path folder;

  private static Scope scope() {
    return Scope.of("s3", World.real(Log.silent()));
  }

  private JournalSettings settings() {
    return JournalSettings.in(folder.resolve("journal")).sized(16 << 10, 8 << 10, 4 << 10, 0);
  }

  private static OrderedStore memory() {
    return MemoryOrderedStore.empty(
        OrderedSettings.named("rows"), 1 << 26, new SplittableRandom(1));
  }

  private OrderedStore rocks() throws IOException {
    return RocksOrderedStore.open(
        folder.resolve("rows"), OrderedSettings.named("rows").sized(8 << 20, 1 << 20, 2));
  }

  private static NameCommand.CreateBucket bucket(String name) {
    return new NameCommand.CreateBucket(new BucketName(name), "main", false, Acl.NONE, "", null, 1);
  }

  /** The members as the service has them. */
  private static Tree start(Scope scope, Journal journal, OrderedStore rows, Names names)
      throws Exception {
    Supervisor tree =
        Supervisor.named("names")
            .child("checkpoint", Restart.ALWAYS, () -> new NameCheckpoint(journal, rows, PERIOD));
    if (journal instanceof FileJournal file) {
      tree = tree.child("flush", Restart.ALWAYS, file::flushTask);
    }
    return tree.child("names", Restart.ALWAYS, () -> names.loop(journal)).start(scope);
  }

  @Test
  void everyStartGoesOnFromATrimmedLog() throws Exception {
    long first = 0;
    for (int round = 0; round < 6; round++) {
      Scope scope = scope();
      FileJournal journal = FileJournal.open(scope, settings());
      OrderedStore rows = rocks();
      Names names = Names.open(scope, journal, rows);
      for (int i = 0; i < 100 * round; i++) {
        assertThat(names.view().bucket(new BucketName("bucket-" + i)))
            .as("bucket " + i)
            .isPresent();
      }
      assertThat(journal.first()).isGreaterThanOrEqualTo(first);
      first = journal.first();
      Tree tree = start(scope, journal, rows, names);
      for (int i = 100 * round; i < 100 * round + 100; i++) {
        assertThat(names.change(bucket("bucket-" + i))).isInstanceOf(NameOutcome.BucketMade.class);
      }
      assertThat(tree.drain().clean()).isTrue();
      assertThatThrownBy(() -> rows.row(new byte[1])).isInstanceOf(IllegalStateException.class);
    }
    assertThat(first).as("the log was trimmed").isPositive();
    try (OrderedStore rows = rocks()) {
      assertThat(rows.appliedIndex()).isEqualTo(599);
    }
  }

  @Test
  void rowsAheadOfTheLogAreRefused() throws Exception {
    Scope scope = scope();
    FileJournal journal = FileJournal.open(scope, settings());
    OrderedStore rows = memory();
    rows.apply(new RowBatch().put(new byte[] {1}, new byte[0]), 3);
    assertThatThrownBy(() -> Names.open(scope, journal, rows))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("end at entry 3 and the log has 0 to -1")
        .hasMessageContaining("bring both back from one backup");
  }

  @Test
  void rowsBehindTheLogAreRefused() {
    Scope scope = scope();
    var journal = new AmnesiaJournal(scope, settings());
    for (int i = 0; i < 5; i++) {
      journal.append(List.of(ByteBuffer.wrap(NameCommandCodec.bytes(bucket("bucket-" + i)))));
    }
    assertThatThrownBy(
            () -> {
              journal.snapshot(4, out -> out.write(new byte[1]));
              journal.snapshot(5, out -> out.write(new byte[1]));
              journal.trim(4);
              Names.open(scope, journal, memory());
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("end at entry -1 and the log has 4 to 4");
  }

  @Test
  void aLoopThatTakesOverDoesWhatItsPredecessorLogged() throws Exception {
    Scope scope = scope();
    FileJournal journal = FileJournal.open(scope, settings());
    OrderedStore rows = memory();
    Names names = Names.open(scope, journal, rows);
    CompletableFuture<NameOutcome> first = asked(names, "first-bucket");
    untilTaken(names.loop(journal));
    Task successor = names.loop(journal);
    CompletableFuture<NameOutcome> second = asked(names, "second-bucket");
    untilTaken(successor);
    journal.flushTask().run(scope.time().now());
    successor.run(Instant.EPOCH);
    assertThat(second.get()).isInstanceOf(NameOutcome.BucketMade.class);
    assertThat(first).as("the loop that had its reply is gone").isNotDone();
    assertThat(names.view().bucket(new BucketName("first-bucket")).map(Bucket::id)).contains(1L);
    assertThat(names.view().bucket(new BucketName("second-bucket")).map(Bucket::id)).contains(2L);
    journal.flushTask().finish(Instant.EPOCH);
  }

  @Test
  void whatADiskMayHaveTakenIsNotRefused() throws Exception {
    World real = World.real(Log.silent());
    var disk = new FaultyDisk(real.time(), new SplittableRandom(1));
    var world =
        new World(real.time(), real.chance(), real.secrets(), disk, real.threads(), real.log());
    Scope scope = Scope.of("s3", world);
    FileJournal journal = FileJournal.open(scope, settings());
    Names names = Names.open(scope, journal, memory());
    Task loop = names.loop(journal);
    CompletableFuture<NameOutcome> outcome = asked(names, "bucket");
    untilTaken(loop);
    disk.failFlushAfter(0);
    journal.flushTask().run(scope.time().now());
    loop.run(Instant.EPOCH);
    // Refused would say that it never happens, and its blocks would be let go.
    assertThatThrownBy(outcome::get).hasMessageContaining("not known");
  }

  private static CompletableFuture<NameOutcome> asked(Names names, String bucket) {
    var outcome = new CompletableFuture<NameOutcome>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                outcome.complete(names.change(bucket(bucket)));
              } catch (Exception failed) {
                outcome.completeExceptionally(failed);
              }
            });
    return outcome;
  }

  private static void untilTaken(Task loop) throws Exception {
    while (!(loop.run(Instant.EPOCH) instanceof Next.Again)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aRowThatIsTooLargeIsRefusedAndTheNextChangeIsMade() throws Exception {
    Scope scope = scope();
    var journal = new AmnesiaJournal(scope, JournalSettings.in(folder));
    OrderedStore rows = memory();
    Names names = Names.open(scope, journal, rows);
    Tree tree = start(scope, journal, rows, names);
    var name = new BucketName("bucket");
    names.changed(bucket("bucket"));
    var large =
        new NameCommand.PutSetting(
            1, name, BucketSetting.CORS, new byte[OrderedStore.VALUE_BYTES_MAX + 1]);
    assertThat(names.change(large)).isInstanceOf(NameOutcome.Refused.class);
    assertThat(names.change(bucket("another"))).isInstanceOf(NameOutcome.BucketMade.class);
    assertThat(tree.drain().clean()).isTrue();
  }

  @Test
  void withoutFilesTheLogIsLetGoToo() throws Exception {
    Scope scope = scope();
    var journal = new AmnesiaJournal(scope, settings());
    OrderedStore rows = memory();
    Names names = Names.open(scope, journal, rows);
    Tree tree = start(scope, journal, rows, names);
    int made = 0;
    while (made < 1000) {
      // The log holds a few hundred; a full one makes room at the next checkpoint.
      made += names.change(bucket("bucket-" + made)) instanceof NameOutcome.BucketMade ? 1 : 0;
    }
    assertThat(journal.first()).isPositive();
    assertThat(tree.drain().clean()).isTrue();
  }
}
