package dev.ron.bench.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.supervise.Tree;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.rocks.RocksOrderedStore;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCheckpoint;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives names to very many objects of a few bytes, where the door will look for them: through the
 * log and the rows, with many names a flush and without requests.
 *
 * <p>Threading: owned by the main thread.
 */
public final class S3FillMain {
  static final String BUCKET = "many";

  private static final int BATCH = 2000;

  /** The next batch is made while one is being flushed; more batches than the inbox takes fail. */
  private static final int FILLERS = 2;

  private static final int MIB = 1 << 20;
  private static final Duration CHECKPOINT = Duration.ofSeconds(30);

  private S3FillMain() {}

  static String key(long number) {
    return String.format(Locale.ROOT, "photos/%03d/%09d.jpg", number / 1_000_000, number);
  }

  /**
   * Ends when all names are durable.
   *
   * @param args the folder as {@link S3TargetMain} takes it, and how many
   */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0], S3TargetMain.DATA, "s3", "names");
    long keys = Long.parseLong(args[1]);
    var scope = Scope.of("fill", World.real(Log.silent()));
    Files.createDirectories(folder.resolve("rows"));
    FileJournal journal =
        FileJournal.open(
            scope,
            JournalSettings.in(folder.resolve("journal")).sized(64 * MIB, 8 * MIB, 2 * MIB, MIB));
    OrderedStore rows =
        RocksOrderedStore.open(
            folder.resolve("rows"), OrderedSettings.named("fill").sized(64 * MIB, 16 * MIB, 4));
    Names names = Names.open(scope, journal, rows);
    Tree tree =
        Supervisor.named("fill")
            .child(
                "checkpoint", Restart.ALWAYS, () -> new NameCheckpoint(journal, rows, CHECKPOINT))
            .child("flush", Restart.ALWAYS, journal::flushTask)
            .child("names", Restart.ALWAYS, () -> names.loop(journal))
            .start(scope);
    fill(names, keys);
    tree.drain();
  }

  private static void fill(Names names, long keys) throws Exception {
    var made =
        (NameOutcome.BucketMade)
            names.changed(
                new NameCommand.CreateBucket(
                    new BucketName(BUCKET), S3Server.TENANT, false, Acl.NONE, "", null, 0));
    var next = new AtomicLong();
    var fillers = new ArrayList<FutureTask<Void>>();
    for (int number = 0; number < FILLERS; number++) {
      var filler = new FutureTask<>(() -> fill(names, made.bucket(), next, keys));
      Threads.virtual().start("fill/" + number, filler);
      fillers.add(filler);
    }
    for (FutureTask<Void> filler : fillers) {
      filler.get();
    }
  }

  private static Void fill(Names names, Bucket bucket, AtomicLong next, long keys)
      throws Exception {
    for (long first = next.getAndAdd(BATCH); first < keys; first = next.getAndAdd(BATCH)) {
      var batch = new ArrayList<NameCommand>(BATCH);
      for (long each = first; each < Math.min(keys, first + BATCH); each++) {
        batch.add(put(bucket, each));
      }
      for (NameOutcome outcome : names.changeAll(batch)) {
        if (!(outcome instanceof NameOutcome.Stored)) {
          throw new IllegalStateException("a name was not taken: " + outcome);
        }
      }
    }
    return null;
  }

  private static NameCommand put(Bucket bucket, long number) throws Exception {
    byte[] body = Long.toString(number).getBytes(UTF_8);
    String md5 = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(body));
    var version =
        new ObjectVersion(
            new Uid(0, number),
            ObjectVersion.Kind.OBJECT,
            false,
            S3Server.TENANT,
            number,
            body.length,
            new EntityTag(md5, 0),
            null,
            List.of(new ObjectVersion.Pair("Content-Type", "image/jpeg")),
            List.of(),
            Acl.NONE,
            null,
            false,
            new ObjectContent.Inline(body),
            null);
    return new NameCommand.PutObject(
        bucket.id(),
        bucket.name(),
        ObjectKey.of(key(number)).orElseThrow(),
        version,
        WriteCondition.NONE);
  }
}
