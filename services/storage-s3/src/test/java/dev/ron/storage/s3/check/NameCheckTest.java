package dev.ron.storage.s3.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.RowBatch;
import dev.ron.ordered.rocks.RocksOrderedStore;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameApplier;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that do not follow from the others any more are found, and what is lost by it is named. */
@Timeout(120)
final class NameCheckTest {
  private static final BucketName BUCKET = new BucketName("photos");
  private static final byte[] EMPTY = {};

  @TempDir private Path folder;

  private long position;
  private Uid older;
  private Uid newest;
  private Uid whole;
  private Uid open;

  /** One row that is gone or another. */
  enum Harm {
    REFERENCE_OF_THE_NEWEST("photos/k, block b3: | has no reference and would be collected"),
    REFERENCE_OF_A_VERSION("photos/k version  | has no reference and would be collected"),
    REFERENCE_OF_A_PART("photos/parts, part 2, block b3: | has no reference"),
    REFERENCE_OF_AN_UPLOAD("photos/open upload  | , part 1, block b3: | has no reference"),
    PART("photos/parts, of its 2 parts with 5242892 bytes 1 with 5242880 are there"),
    REFERENCE_TOO_MANY("1 references to blocks lead to no object and no part"),
    SUM("main has 5242947 bytes stored and 5242948 are counted"),
    SUM_OF_ANOTHER("nobody has 0 bytes stored and 3 are counted"),
    SUM_OF_AN_UPLOAD("photos/open upload  | has 14 bytes and 15 are counted");

    /** Pieces of what is told, between bars. */
    private final String said;

    Harm(String said) {
      this.said = said;
    }
  }

  private static Scope scope() {
    return Scope.of("s3", World.real(Log.silent()));
  }

  private static Address block(int number) {
    return new Address(Blake3.hash(ByteBuffer.allocate(Integer.BYTES).putInt(number).array()));
  }

  private static ObjectContent content(int number, int length) {
    return new ObjectContent.Blocks(
        List.of(new Extent(block(number), 0, length - 1), new Extent(block(number), 0, 1)));
  }

  private static ObjectKey key(String text) {
    return ObjectKey.of(text).orElseThrow();
  }

  private OrderedStore rows() throws IOException {
    Files.createDirectories(folder.resolve("names"));
    return RocksOrderedStore.open(
        folder.resolve("names/rows"), OrderedSettings.named("rows").sized(8 << 20, 1 << 20, 2));
  }

  private Uid put(NameApplier applier, int number, int length) {
    var version =
        new ObjectVersion(
            new Uid(0, 7),
            ObjectVersion.Kind.OBJECT,
            false,
            "main",
            1,
            length,
            new EntityTag("0".repeat(32), 0),
            null,
            List.of(),
            List.of(),
            Acl.NONE,
            null,
            false,
            content(number, length),
            null);
    var outcome =
        (NameOutcome.Stored)
            decide(
                applier,
                new NameCommand.PutObject(1, BUCKET, key("k"), version, WriteCondition.NONE));
    return outcome.version().uid();
  }

  private Uid upload(NameApplier applier, String key) {
    var upload =
        new MultipartUpload(
            new Uid(0, 7), "main", 5, null, List.of(), List.of(), Acl.NONE, null, false, null);
    long sequence = position + 1;
    decide(applier, new NameCommand.CreateUpload(1, BUCKET, key(key), upload));
    return new Uid(sequence, 7);
  }

  private void part(NameApplier applier, String key, Uid upload, int number, int length) {
    var part =
        new UploadPart(
            number, length, "0".repeat(32), 6, null, content(100 * number + length, length));
    decide(applier, new NameCommand.PutPart(1, BUCKET, key(key), upload, part));
  }

  private NameOutcome decide(NameApplier applier, NameCommand command) {
    NameOutcome outcome = applier.decide(command, Long.MAX_VALUE, position++);
    assertThat(outcome).isNotInstanceOf(NameOutcome.Refused.class);
    return outcome;
  }

  /** Two versions, an object of two parts, an upload with one, and a deleted object of parts. */
  private void fill(OrderedStore store) {
    NameApplier applier = new Names(scope(), store, () -> {}).applier();
    decide(applier, new NameCommand.CreateBucket(BUCKET, "main", false, Acl.NONE, "", null, 1));
    decide(
        applier, new NameCommand.ChangeBucket(1, BUCKET, Bucket.Versioning.ENABLED, null, false));
    older = put(applier, 1, 20);
    newest = put(applier, 2, 21);
    whole = upload(applier, "parts");
    part(applier, "parts", whole, 1, 5 << 20);
    part(applier, "parts", whole, 2, 12);
    String md5 = "0".repeat(32);
    var seen =
        List.of(new NameCommand.PartSeen(1, md5, 5 << 20), new NameCommand.PartSeen(2, md5, 12));
    decide(
        applier,
        new NameCommand.CompleteUpload(
            1, BUCKET, key("parts"), whole, seen, md5, null, WriteCondition.NONE, 7, 8));
    Uid gone = upload(applier, "gone");
    part(applier, "gone", gone, 1, 13);
    decide(applier, new NameCommand.AbortUpload(1, BUCKET, key("gone"), gone, 9));
    open = upload(applier, "open");
    part(applier, "open", open, 1, 14);
    applier.bringIn();
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private RowBatch harm(Harm harm) {
    var batch = new RowBatch();
    return switch (harm) {
      case REFERENCE_OF_THE_NEWEST -> batch.delete(RowKeys.reference(block(2), newest, 0));
      case REFERENCE_OF_A_VERSION -> batch.delete(RowKeys.reference(block(1), older, 0));
      case REFERENCE_OF_A_PART -> batch.delete(RowKeys.reference(block(212), whole, 2));
      case REFERENCE_OF_AN_UPLOAD -> batch.delete(RowKeys.reference(block(114), open, 1));
      case PART ->
          batch.delete(RowKeys.part(whole, 2)).delete(RowKeys.reference(block(212), whole, 2));
      case REFERENCE_TOO_MANY -> batch.put(RowKeys.reference(block(9), newest, 0), EMPTY);
      case SUM -> batch.put(RowKeys.stored("main"), number(5242948));
      case SUM_OF_ANOTHER -> batch.put(RowKeys.stored("nobody"), number(3));
      case SUM_OF_AN_UPLOAD -> batch.put(RowKeys.storedOpen(open), number(15));
    };
  }

  private List<String> lost() throws IOException {
    return NameCheck.runShared(
            scope(), folder.resolve("names"), folder.resolve("scratch"), _ -> true)
        .lost();
  }

  @Test
  void rowsThatFollowFromEachOtherAreNotToldOf() throws Exception {
    try (OrderedStore store = rows()) {
      fill(store);
    }
    assertThat(lost()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aRowThatDoesNotFollowIsNamed(Harm harm) throws Exception {
    try (OrderedStore store = rows()) {
      fill(store);
      store.apply(harm(harm), position);
    }
    assertThat(lost()).singleElement().asString().contains(harm.said.split(" \\| ", -1));
  }
}
