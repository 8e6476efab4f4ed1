package dev.ron.storage.s3.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Retention;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameDecision;
import dev.ron.storage.s3.names.NameMachine;
import dev.ron.storage.s3.names.NameRows;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a walk deletes of a bucket that keeps versions, decided by the machine of all names. */
final class BucketSweepTest {
  private static final BucketName NAME = new BucketName("photos");

  /** Rows in a tree. */
  private static final class TreeRows implements NameRows {
    final TreeMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);

    @Override
    public Optional<byte[]> row(byte[] key) {
      return Optional.ofNullable(rows.get(key));
    }

    @Override
    public void scan(byte[] from, byte[] to, Predicate<Row> each) {
      for (var entry : rows.subMap(from, to).entrySet()) {
        if (!each.test(new Row(entry.getKey(), entry.getValue()))) {
          return;
        }
      }
    }
  }

  private final TreeRows rows = new TreeRows();
  private final NameView view = new NameView(rows);
  private final NameMachine machine = new NameMachine(rows);
  private long sequence;

  private void apply(NameCommand command) {
    NameDecision decision = machine.decide(command, ++sequence);
    for (NameDecision.Change change : decision.changes()) {
      byte[] value = change.value();
      if (value == null) {
        rows.rows.remove(change.key());
      } else {
        rows.rows.put(change.key(), value);
      }
    }
  }

  private Bucket versioned() {
    apply(new NameCommand.CreateBucket(NAME, "acme", true, Acl.NONE, "", null, 0));
    return view.bucket(NAME).orElseThrow();
  }

  private void put(Bucket bucket, String key, long nowMillis, @Nullable Retention retention) {
    var version =
        new ObjectVersion(
            new Uid(0, nowMillis),
            ObjectVersion.Kind.OBJECT,
            false,
            "acme",
            nowMillis,
            1,
            new EntityTag("d41d8cd98f00b204e9800998ecf8427e", 0),
            null,
            List.of(),
            List.of(),
            Acl.NONE,
            retention,
            false,
            new ObjectContent.Inline(new byte[] {1}),
            null);
    apply(
        new NameCommand.PutObject(
            bucket.id(), NAME, ObjectKey.of(key).orElseThrow(), version, WriteCondition.NONE));
  }

  private void delete(Bucket bucket, String key, long nowMillis) {
    apply(
        new NameCommand.DeleteObject(
            bucket.id(),
            NAME,
            ObjectKey.of(key).orElseThrow(),
            new VersionRef.Current(),
            WriteCondition.NONE,
            "acme",
            false,
            nowMillis,
            nowMillis));
  }

  private void sweep(Bucket bucket, String rule, long nowMillis) throws Exception {
    String document =
        "<LifecycleConfiguration><Rule><ID>r</ID><Status>Enabled</Status><Prefix/>"
            + rule
            + "</Rule></LifecycleConfiguration>";
    var decider =
        new LifecycleDecider(
            LifecycleReader.read(document.getBytes(UTF_8)),
            new LifecycleDay(Duration.ofMillis(10)));
    var walk = new BucketSweep(bucket, view, new Random(1));
    while (!walk.isDone()) {
      walk.next(decider, nowMillis).forEach(this::apply);
    }
  }

  /** The current versions, then the others, each as its key and time; markers with a minus. */
  private List<String> left(Bucket bucket) {
    var left = new ArrayList<String>();
    rows.scanAll(
        RowKeys.objects(bucket.id()),
        row -> left.add(RowKeys.keyOfObject(row.key()) + shown(Names.version(row.value()))));
    rows.scanAll(
        RowKeys.versions(bucket.id()),
        row -> left.add(RowKeys.keyOfVersion(row.key()) + shown(Names.version(row.value()))));
    return left;
  }

  private static String shown(ObjectVersion version) {
    return (version.isMarker() ? "-" : "+") + version.modifiedMillis();
  }

  private static final String NONCURRENT =
      "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
          + "</NoncurrentVersionExpiration>";

  @Test
  void aVersionGoesADayAfterItWasReplacedAndNeverWhileItIsLocked() throws Exception {
    Bucket bucket = versioned();
    put(bucket, "a", 1, null);
    put(bucket, "a", 2, new Retention(Retention.Mode.GOVERNANCE, 1000));
    put(bucket, "a", 3, null);
    put(bucket, "a", 50, null);
    put(bucket, "b", 1, null);
    sweep(bucket, NONCURRENT, 59);
    assertThat(left(bucket)).containsExactly("a+50", "b+1", "a+3", "a+2");
    sweep(bucket, NONCURRENT, 60);
    assertThat(left(bucket)).containsExactly("a+50", "b+1", "a+2");
    sweep(bucket, NONCURRENT, 1000);
    assertThat(left(bucket)).containsExactly("a+50", "b+1");
  }

  @Test
  void theNewestOfThoseStayThatARuleKeepsAlsoOverSeveralPieces() throws Exception {
    Bucket bucket = versioned();
    for (int i = 0; i < 300; i++) {
      put(bucket, "a", i, null);
    }
    sweep(
        bucket,
        "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
            + "<NewerNoncurrentVersions>3</NewerNoncurrentVersions></NoncurrentVersionExpiration>",
        10_000);
    assertThat(left(bucket)).containsExactly("a+299", "a+298", "a+297", "a+296");
  }

  @Test
  void anExpiredObjectIsHiddenThenItsVersionsGoThenItsMarker() throws Exception {
    Bucket bucket = versioned();
    put(bucket, "a", 1, null);
    sweep(bucket, "<Expiration><Days>1</Days></Expiration>", 10);
    assertThat(left(bucket)).containsExactly("a+1");
    sweep(bucket, "<Expiration><Days>1</Days></Expiration>", 11);
    assertThat(left(bucket)).containsExactly("a-11", "a+1");
    sweep(bucket, NONCURRENT, 21);
    assertThat(left(bucket)).containsExactly("a-11");
    sweep(
        bucket,
        "<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>",
        21);
    assertThat(left(bucket)).isEmpty();
  }

  @Test
  void aMarkerThatHidesAVersionStays() throws Exception {
    Bucket bucket = versioned();
    put(bucket, "a", 1, null);
    delete(bucket, "a", 2);
    sweep(
        bucket,
        "<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>",
        1000);
    assertThat(left(bucket)).containsExactly("a-2", "a+1");
  }

  @Test
  void anUploadIsAbortedAfterItsDays() throws Exception {
    Bucket bucket = versioned();
    ObjectKey key = ObjectKey.of("a").orElseThrow();
    var upload =
        new MultipartUpload(
            new Uid(0, 7), "acme", 5, null, List.of(), List.of(), Acl.NONE, null, false, null);
    apply(new NameCommand.CreateUpload(bucket.id(), NAME, key, upload));
    var id = new Uid(sequence, 7);
    String rule =
        "<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation>"
            + "</AbortIncompleteMultipartUpload>";
    sweep(bucket, rule, 14);
    assertThat(view.upload(bucket.id(), key, id)).isPresent();
    sweep(bucket, rule, 15);
    assertThat(view.upload(bucket.id(), key, id)).isEmpty();
  }
}
