package dev.ron.storage.s3.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.lifecycle.LifecycleSweep;
import dev.ron.storage.s3.names.NameApplier;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameRequest;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Open uploads end with their bucket, however many they are, and only with it. */
@Timeout(60)
final class DeleteBucketTest {
  private static final BucketName NAME = new BucketName("bucket");
  private static final BucketName OTHER = new BucketName("other");

  /** More than one change ends. */
  private static final int UPLOADS = 450;

  private final Scope scope = Scope.of("s3", World.real(Log.silent()));
  private final Names names =
      new Names(
          scope,
          MemoryOrderedStore.empty(OrderedSettings.named("rows"), 1 << 26, new SplittableRandom(1)),
          () -> {});
  private final NameApplier applier = names.applier();
  private volatile @Nullable NameCommand meanwhile;
  private long position;
  private Bucket bucket;
  private @Nullable Tree tree;

  /** What decides the changes, of which another caller's comes first now and then. */
  private final Task log =
      _ -> {
        List<NameRequest> taken = names.inbox().receiveBatch(256);
        var answers = new ArrayList<Runnable>();
        NameCommand first = meanwhile;
        if (!taken.isEmpty() && first != null) {
          decide(first);
          meanwhile = null;
        }
        for (NameRequest request : taken) {
          var outcome = applier.decide(request.command(), Long.MAX_VALUE, position++);
          answers.add(() -> request.answer(outcome));
        }
        applier.bringIn();
        answers.forEach(Runnable::run);
        return new Next.Await(List.of(names.inbox()), Instant.MAX);
      };

  private void decide(NameCommand command) {
    applier.decide(command, Long.MAX_VALUE, position++);
  }

  @BeforeEach
  void open() {
    bucket = made(NAME);
    uploads(bucket, UPLOADS);
  }

  /** From here the log alone decides: an applier is one thread's. */
  private void serve() throws Exception {
    tree = Supervisor.named("s3").child("names", Restart.ALWAYS, () -> log).start(scope);
  }

  @AfterEach
  void close() throws Exception {
    if (tree != null) {
      tree.drain();
    }
  }

  private Bucket made(BucketName name) {
    decide(new NameCommand.CreateBucket(name, "main", false, Acl.NONE, "", null, 1));
    applier.bringIn();
    return names.view().bucket(name).orElseThrow();
  }

  private void uploads(Bucket in, int count) {
    for (int i = 0; i < count; i++) {
      var upload =
          new MultipartUpload(
              new Uid(0, i), "main", 5, null, List.of(), List.of(), Acl.NONE, null, false, null);
      decide(new NameCommand.CreateUpload(in.id(), in.name(), key("k" + i), upload));
    }
    applier.bringIn();
  }

  private static ObjectKey key(String text) {
    return ObjectKey.of(text).orElseThrow();
  }

  private int open(Bucket of) {
    int[] count = new int[1];
    names.view().rows().scanAll(RowKeys.uploads(of.id()), _ -> ++count[0] > 0);
    return count[0];
  }

  private void delete() throws Exception {
    serve();
    new DeleteBucket(names).handle(new NameCommand.DeleteBucket(bucket.id(), NAME, 7));
  }

  @Test
  void allOfThemEndWithTheBucket() throws Exception {
    delete();
    assertThat(names.view().bucket(NAME)).isEmpty();
    assertThat(open(bucket)).isZero();
    assertThat(names.view().trash(Long.MAX_VALUE, 1000)).hasSize(UPLOADS);
  }

  @Test
  void anObjectThatComesMeanwhileKeepsTheBucketAndAllOfThem() {
    var version =
        new ObjectVersion(
            new Uid(0, 7),
            ObjectVersion.Kind.OBJECT,
            false,
            "main",
            2,
            1,
            new EntityTag("0".repeat(32), 0),
            null,
            List.of(),
            List.of(),
            Acl.NONE,
            null,
            false,
            new ObjectContent.Inline(new byte[1]),
            null);
    meanwhile =
        new NameCommand.PutObject(bucket.id(), NAME, key("late"), version, WriteCondition.NONE);
    assertThatThrownBy(this::delete).hasMessageContaining("still has objects");
    assertThat(open(bucket)).isEqualTo(UPLOADS);
    assertThat(names.view().bucket(NAME)).isPresent();
  }

  /** A machine that stops behind the decision leaves the rest to the sweep. */
  @Test
  void whatIsLeftOfABucketThatIsGoneEndsWithTheNextSweep() throws Exception {
    Bucket other = made(OTHER);
    uploads(other, 3);
    Bucket bare = made(new BucketName("bare"));
    decide(new NameCommand.DeleteBucket(bucket.id(), NAME, 7));
    applier.bringIn();
    Bucket again = made(NAME);
    uploads(again, 2);
    assertThat(open(bucket)).isPositive();
    serve();
    var sweep =
        new LifecycleSweep(
            names, scope.time(), new SplittableRandom(1), Duration.ofDays(1), Duration.ofDays(1));
    Instant now = scope.time().now();
    for (Next next = sweep.run(now); next.equals(Next.again()); next = sweep.run(now)) {
      assertThat(open(other)).isEqualTo(3);
    }
    assertThat(open(bucket)).isZero();
    assertThat(List.of(open(other), open(bare), open(again))).containsExactly(3, 0, 2);
    assertThat(names.view().trash(Long.MAX_VALUE, 1000)).hasSize(UPLOADS);
  }
}
