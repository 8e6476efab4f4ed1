package dev.ron.storage.s3.lifecycle;

import dev.ron.http.Refusal;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameRows;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what the lifecycle rules of all buckets say, uploads whose bucket was deleted before
 * them, and the answers of uploads that were completed long ago.
 *
 * <p>It deletes by the same commands as requests, so that conditions and locks are decided in the
 * one order of all changes. Rules are read again for each piece: one that was removed deletes
 * nothing more.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class LifecycleSweep implements Task {
  private static final int ROWS_MAX = 128;
  private static final Duration CHANGE_LIMIT = Duration.ofSeconds(30);

  /** How long a client that lost the answer to a completion may ask again. */
  private static final Duration COMPLETED_TIME = Duration.ofHours(24);

  /** Stands in a command for a name that is not known any more. */
  private static final BucketName GONE = new BucketName("gone");

  private final Names names;
  private final Time time;
  private final RandomGenerator chance;
  private final LifecycleDay day;
  private final Duration period;
  private Instant due = Instant.MIN;
  private byte[] nextBucket = RowKeys.buckets();
  private byte[] nextUpload = RowKeys.allUploads();
  private byte[] nextCompleted = RowKeys.allCompleted();
  private boolean bucketsDone;
  private boolean uploadsDone;
  private @Nullable BucketSweep sweep;

  public LifecycleSweep(
      Names names, Time time, RandomGenerator chance, Duration day, Duration period) {
    this.names = names;
    this.time = time;
    this.chance = chance;
    this.day = new LifecycleDay(day);
    this.period = period;
  }

  @Override
  public Next run(Instant now) throws Exception {
    if (now.isBefore(due)) {
      return Next.at(due);
    }
    boolean more = Deadline.in(CHANGE_LIMIT, time).call(this::step);
    if (more) {
      return Next.again();
    }
    nextBucket = RowKeys.buckets();
    nextUpload = RowKeys.allUploads();
    nextCompleted = RowKeys.allCompleted();
    bucketsDone = false;
    uploadsDone = false;
    due = now.plus(period);
    return Next.at(due);
  }

  /** Whether there is more of this round. */
  private boolean step() throws Refusal, InterruptedException {
    long nowMillis = time.wall().toEpochMilli();
    if (sweep != null) {
      piece(sweep, nowMillis);
      return true;
    }
    if (!bucketsDone) {
      find();
      return true;
    }
    if (!uploadsDone) {
      endWithoutBucket(nowMillis);
      return true;
    }
    return forgetCompleted(nowMillis);
  }

  private void piece(BucketSweep walk, long nowMillis) throws Refusal, InterruptedException {
    Optional<List<LifecycleRule>> rules = LifecycleReader.of(names.view(), walk.bucket());
    if (rules.isPresent()) {
      List<NameCommand> commands = walk.next(new LifecycleDecider(rules.get(), day), nowMillis);
      // What is refused was changed or locked meanwhile; the next round looks at it again.
      names.changeAll(commands);
    }
    if (rules.isEmpty() || walk.isDone()) {
      sweep = null;
    }
  }

  /** The next bucket that has rules. */
  private void find() {
    NameView view = names.view();
    List<Bucket> buckets = view.buckets(nextBucket, ROWS_MAX);
    for (Bucket bucket : buckets) {
      byte[] row = RowKeys.bucket(bucket.name());
      nextBucket = Arrays.copyOf(row, row.length + 1);
      if (view.setting(bucket.id(), BucketSetting.LIFECYCLE).isPresent()) {
        sweep = new BucketSweep(bucket, view, chance);
        return;
      }
    }
    bucketsDone = buckets.size() < ROWS_MAX;
  }

  /** Ends uploads whose bucket is gone, some of one bucket at a time. */
  private void endWithoutBucket(long nowMillis) throws Refusal, InterruptedException {
    NameView view = names.view();
    // Read before the buckets are: a bucket that has an upload was made before it.
    var gone = new LinkedHashSet<Long>();
    byte[] from = nextUpload;
    List<NameView.OpenRow> next = view.uploads(from, 1);
    while (!next.isEmpty() && gone.size() < ROWS_MAX) {
      long bucket = next.getFirst().bucket();
      gone.add(bucket);
      from = RowKeys.after(RowKeys.uploads(bucket)).orElseThrow();
      next = view.uploads(from, 1);
    }
    uploadsDone = gone.isEmpty();
    if (uploadsDone) {
      return;
    }
    view.buckets(bucket -> !gone.remove(bucket.id()) || !gone.isEmpty());
    if (gone.isEmpty()) {
      nextUpload = from;
      return;
    }
    long bucket = gone.getFirst();
    nextUpload = RowKeys.uploads(bucket);
    names.changeAll(
        view.uploads(nextUpload, ROWS_MAX).stream()
            .filter(upload -> upload.bucket() == bucket)
            .map(upload -> upload.abort(GONE, nowMillis))
            .toList());
  }

  private boolean forgetCompleted(long nowMillis) throws Refusal, InterruptedException {
    var rows = new ArrayList<NameRows.Row>();
    names
        .view()
        .rows()
        .scan(
            nextCompleted,
            RowKeys.after(RowKeys.allCompleted()).orElseThrow(),
            row -> rows.add(row) && rows.size() < ROWS_MAX);
    long before = nowMillis - COMPLETED_TIME.toMillis();
    var old = new ArrayList<NameCommand.Completion>();
    for (NameRows.Row row : rows) {
      nextCompleted = Arrays.copyOf(row.key(), row.key().length + 1);
      if (Names.version(row.value()).modifiedMillis() < before) {
        old.add(
            new NameCommand.Completion(
                RowKeys.bucketOf(row.key()),
                RowKeys.keyOfVersion(row.key()),
                RowKeys.uploadOf(row.key())));
      }
    }
    if (!old.isEmpty()) {
      names.changed(new NameCommand.ForgetCompleted(old));
    }
    return rows.size() == ROWS_MAX;
  }
}
