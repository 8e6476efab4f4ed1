package dev.ron.storage.s3.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.kernel.metric.Meter;
import dev.ron.ordered.KeyRange;
import dev.ron.ordered.MemoryOrderedStore;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.RowBatch;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.core.WriteCondition;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A start takes as long with a hundred million objects as with none: it reads sums, not rows. */
final class NameStartTest {
  private static final BucketName BUCKET = new BucketName("bucket");
  private static final List<String> OWNERS = List.of("acme", "main");

  private final OrderedStore store =
      MemoryOrderedStore.empty(OrderedSettings.named("rows"), 1 << 26, new SplittableRandom(1));
  private final List<Byte> scanned = new ArrayList<>();
  private final NameApplier applier = new Names(scope(), store, () -> {}).applier();
  private long position;

  private static Scope scope() {
    return Scope.of("s3", World.real(Log.silent()));
  }

  private void decide(NameCommand command) {
    assertThat(applier.decide(command, Long.MAX_VALUE, position++))
        .isNotInstanceOf(NameOutcome.Refused.class);
    applier.bringIn();
  }

  private static ObjectKey key(String text) {
    return ObjectKey.of(text).orElseThrow();
  }

  private void put(String key, String owner, int bytes) {
    var version =
        new ObjectVersion(
            new Uid(0, 7),
            ObjectVersion.Kind.OBJECT,
            false,
            owner,
            1,
            bytes,
            new EntityTag("0".repeat(32), 0),
            null,
            List.of(),
            List.of(),
            Acl.NONE,
            null,
            false,
            new ObjectContent.Inline(new byte[bytes]),
            null);
    decide(new NameCommand.PutObject(1, BUCKET, key(key), version, WriteCondition.NONE));
  }

  /** Versions of two owners, and an open upload, which is stored and is no version. */
  private void fill() {
    decide(new NameCommand.CreateBucket(BUCKET, "main", false, Acl.NONE, "", null, 1));
    put("a", "main", 10);
    put("b", "main", 20);
    put("a", "acme", 5);
    var upload =
        new MultipartUpload(
            new Uid(0, 7), "main", 5, null, List.of(), List.of(), Acl.NONE, null, false, null);
    decide(new NameCommand.CreateUpload(1, BUCKET, key("open"), upload));
    var part = new UploadPart(1, 3, "0".repeat(32), 6, null, new ObjectContent.Inline(new byte[3]));
    decide(new NameCommand.PutPart(1, BUCKET, key("open"), new Uid(position, 7), part));
  }

  /** The same store, which tells what tables are walked. */
  private OrderedStore watched() {
    return (OrderedStore)
        Proxy.newProxyInstance(
            OrderedStore.class.getClassLoader(),
            new Class<?>[] {OrderedStore.class},
            (_, method, arguments) -> {
              if (method.getName().equals("scan")) {
                scanned.add(((KeyRange) arguments[0]).from()[0]);
              }
              return method.invoke(store, arguments);
            });
  }

  /** What each owner's versions come to by a start. */
  private List<Long> started() throws IOException {
    scanned.clear();
    Scope scope = scope();
    var kept = new ByteSeconds(Meter.NONE);
    var versions = new NameTable.StoredVersions(kept, scope.time());
    versions.load(watched());
    return OWNERS.stream().map(kept::bytes).toList();
  }

  @Test
  void aStartWalksNoObjectAndNoVersion() throws Exception {
    fill();
    assertThat(started()).containsExactly(5L, 20L);
    assertThat(scanned).isNotEmpty().doesNotContain(RowKeys.OBJECT, RowKeys.VERSION);
  }

  /** Rows of builds that kept no sums are walked until their first change. */
  @Test
  void rowsWithoutSumsAreWalkedOnce() throws Exception {
    fill();
    store.apply(
        new RowBatch().deleteRange(KeyRange.withPrefix(RowKeys.storedCounted())), position++);
    assertThat(started()).containsExactly(5L, 20L);
    assertThat(scanned).contains(RowKeys.OBJECT, RowKeys.VERSION);
    put("c", "acme", 1);
    assertThat(started()).containsExactly(6L, 20L);
    assertThat(scanned).doesNotContain(RowKeys.OBJECT, RowKeys.VERSION);
  }

  /** A sum that is too small is for fsck to find: what is deleted is no reason to stop. */
  @Test
  void aSumThatIsTooSmallStopsNothing() throws Exception {
    var kept = new ByteSeconds(Meter.NONE);
    Scope scope = scope();
    var versions = new NameTable.StoredVersions(kept, scope.time());
    versions.tell(Map.of("main", 7L));
    versions.tell(Map.of("main", -9L));
    assertThat(kept.bytes("main")).isZero();
    versions.tell(Map.of("main", 4L));
    assertThat(kept.bytes("main")).isEqualTo(4);
  }
}
