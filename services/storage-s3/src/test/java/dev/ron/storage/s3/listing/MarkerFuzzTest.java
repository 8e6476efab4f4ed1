package dev.ron.storage.s3.listing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.ordered.MemoryOrderedStore;
import dev.ron.ordered.OrderedSettings;
import dev.ron.storage.s3.api.S3Query;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameApplier;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;

/**
 * Whatever the query of a listing of versions or uploads says, its markers included, is a page of
 * its prefix in order or refused; and pages that follow each other show what one page would.
 *
 * <p>An input is a query as it goes over the wire.
 */
class MarkerFuzzTest {
  private static final Bucket BUCKET =
      new Bucket(
          1, new BucketName("bucket"), "main", 0, Bucket.Versioning.ENABLED, false, Acl.NONE);
  private static final List<String> KEYS =
      List.of("a", "a/", "a/b", "a/c", "b", "m/1", "z%", "ä/ö");
  private static final int ALL = 3 * KEYS.size();

  private static Names names;

  /** Of each key a null version, one with an id and a marker; and three uploads. */
  @BeforeAll
  static void fill() {
    var store =
        MemoryOrderedStore.empty(OrderedSettings.named("rows"), 1 << 26, new SplittableRandom(1));
    names = new Names(Scope.of("s3", World.real(Log.silent())), store, () -> {});
    var commands = new ArrayList<NameCommand>();
    BucketName name = BUCKET.name();
    commands.add(new NameCommand.CreateBucket(name, "main", false, Acl.NONE, "", null, 1));
    KEYS.forEach(key -> commands.add(put(key)));
    commands.add(new NameCommand.ChangeBucket(1, name, Bucket.Versioning.ENABLED, null, false));
    for (String text : KEYS) {
      ObjectKey key = ObjectKey.of(text).orElseThrow();
      commands.add(put(text));
      commands.add(
          new NameCommand.DeleteObject(
              1, name, key, new VersionRef.Current(), WriteCondition.NONE, "main", false, 7, 3));
      for (int i = 0; i < 3; i++) {
        var upload =
            new MultipartUpload(
                new Uid(0, i), "main", 5, null, List.of(), List.of(), Acl.NONE, null, false, null);
        commands.add(new NameCommand.CreateUpload(1, name, key, upload));
      }
    }
    NameApplier applier = names.applier();
    for (int i = 0; i < commands.size(); i++) {
      applier.decide(commands.get(i), Long.MAX_VALUE, i);
    }
    applier.bringIn();
  }

  private static NameCommand put(String key) {
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
    return new NameCommand.PutObject(
        1, BUCKET.name(), ObjectKey.of(key).orElseThrow(), version, WriteCondition.NONE);
  }

  /** What a page shows, as a key or common prefix and an id, and where the next one begins. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Page(
      List<byte[]> at, List<String> shown, boolean more, byte[] last, String lastId) {}

  /** Where pages come from: by what they show, and behind which version or upload they begin. */
  private interface Pages {
    Page of(ListRequest request, String id) throws IOException;
  }

  private static Page versions(ListRequest request, String id) throws IOException {
    VersionListing page = VersionListing.of(request, names, 1, id.isEmpty() ? null : id);
    var at = new ArrayList<byte[]>();
    var shown = new ArrayList<String>();
    for (VersionListing.Entry entry : page.entries()) {
      switch (entry) {
        case VersionListing.Entry.Version(ObjectKey key, ObjectVersion version, boolean latest) -> {
          at.add(key.bytes());
          shown.add(key + " " + version.versionId() + " " + latest);
        }
        case VersionListing.Entry.CommonPrefix(byte[] prefix) -> {
          at.add(prefix);
          shown.add("prefix " + new String(prefix, UTF_8));
        }
      }
    }
    return new Page(at, shown, page.isTruncated(), page.lastKey(), page.lastVersion());
  }

  private static Page uploads(ListRequest request, String id) throws IOException {
    UploadListing page = UploadListing.of(request, names, 1, Uid.parse(id));
    var at = new ArrayList<byte[]>();
    var shown = new ArrayList<String>();
    for (UploadListing.Entry entry : page.entries()) {
      switch (entry) {
        case UploadListing.Entry.Open(ObjectKey key, MultipartUpload upload) -> {
          at.add(key.bytes());
          shown.add(key + " " + upload.id());
        }
        case UploadListing.Entry.CommonPrefix(byte[] prefix) -> {
          at.add(prefix);
          shown.add("prefix " + new String(prefix, UTF_8));
        }
      }
    }
    return new Page(at, shown, page.isTruncated(), page.lastKey(), page.lastUpload());
  }

  @FuzzTest(maxDuration = "40s")
  void anyPageOfVersionsIsOfItsPrefix(byte[] bytes) throws IOException {
    try {
      S3Query query = S3Query.parse(new String(bytes, ISO_8859_1));
      ListObjectVersions.Request asked = ListObjectVersions.request(BUCKET, query);
      String id = Optional.ofNullable(asked.version()).orElse("");
      check(asked.query().after(asked.key().getBytes(UTF_8)), id, MarkerFuzzTest::versions);
    } catch (Refusal refusal) {
      assertThat(refusal.status()).isEqualTo(400);
    }
  }

  @FuzzTest(maxDuration = "40s")
  void anyPageOfUploadsIsOfItsPrefix(byte[] bytes) throws IOException {
    try {
      S3Query query = S3Query.parse(new String(bytes, ISO_8859_1));
      ListMultipartUploads.Request asked = ListMultipartUploads.request(BUCKET, query);
      String id = asked.upload().map(Uid::toString).orElse("");
      check(asked.query().after(asked.key().getBytes(UTF_8)), id, MarkerFuzzTest::uploads);
    } catch (Refusal refusal) {
      assertThat(refusal.status()).isEqualTo(400);
    }
  }

  private static void check(ListRequest request, String id, Pages pages) throws IOException {
    Page page = pages.of(request, id);
    assertThat(page.shown()).hasSizeLessThanOrEqualTo(request.max());
    for (byte[] at : page.at()) {
      assertThat(Arrays.mismatch(at, request.prefix())).isIn(-1, request.prefix().length);
      int order = Arrays.compareUnsigned(at, request.after());
      assertThat(order > 0 || (order == 0 && !id.isEmpty())).isTrue();
    }
    var whole = new ListRequest(request.prefix(), request.delimiter(), request.after(), ALL);
    assertThat(stepped(whole, id, pages)).isEqualTo(pages.of(whole, id).shown());
  }

  /** All entries, one a page. */
  private static List<String> stepped(ListRequest whole, String from, Pages pages)
      throws IOException {
    var shown = new ArrayList<String>();
    byte[] after = whole.after();
    String id = from;
    boolean more = true;
    while (more) {
      Page page = pages.of(new ListRequest(whole.prefix(), whole.delimiter(), after, 1), id);
      shown.addAll(page.shown());
      assertThat(shown).hasSizeLessThanOrEqualTo(ALL);
      more = page.more();
      after = page.last();
      id = page.lastId();
    }
    return shown;
  }
}
