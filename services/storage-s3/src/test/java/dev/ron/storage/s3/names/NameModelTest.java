package dev.ron.storage.s3.names;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.ordered.KeyRange;
import dev.ron.ordered.MemoryOrderedStore;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.RowCursor;
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
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Random changes of names, each compared with {@link NameModel}. */
final class NameModelTest {
  private static final String[] BUCKETS = {"one-bucket", "two-bucket"};
  private static final String[] KEYS = {"a", "a\u0000", "b"};
  private static final int STEPS = 250;

  @Test
  void namesAreAsTheModelSays() {
    Seeds.forEach(60, (_, random) -> new Run(random).play());
  }

  private static OrderedStore empty() {
    return MemoryOrderedStore.empty(
        OrderedSettings.named("names"), 1 << 26, new SplittableRandom(1));
  }

  private static Map<String, String> rows(OrderedStore store) throws IOException {
    var rows = new TreeMap<String, String>();
    try (RowCursor cursor = store.scan(KeyRange.all())) {
      while (cursor.next()) {
        rows.put(HexFormat.of().formatHex(cursor.key()), HexFormat.of().formatHex(cursor.value()));
      }
    }
    return rows;
  }

  private static final class Run {
    private final RandomGenerator random;
    private final NameModel model = new NameModel();
    private final OrderedStore store = empty();
    private final NameTable table = new NameTable(store, new RowMemory());
    private final NameView view = new NameView(table);
    private final NameMachine machine = new NameMachine(table);
    private final NameApplier.Tally tally = new NameApplier.Tally(table);
    private final List<byte[]> log = new ArrayList<>();
    private final Set<Address> stored = new HashSet<>();
    private final List<Uid> uids = new ArrayList<>();
    private final List<Uid> uploads = new ArrayList<>();
    private long now = 1;
    private long counted;

    Run(RandomGenerator random) {
      this.random = random;
    }

    void play() throws IOException {
      for (int step = 0; step < STEPS; step++) {
        NameCommand command = command();
        log.add(NameCommandCodec.bytes(command));
        long sequence = log.size();
        NameDecision decision = machine.decide(NameCommandCodec.command(log.getLast()), sequence);
        tally.count(decision, command);
        table.take(decision, sequence - 1);
        assertThat(told(decision.outcome()))
            .as("step %d, %s", step, command)
            .isEqualTo(model.step(command, sequence));
        note(command, decision.outcome());
        if (random.nextInt(3) == 0) {
          compare(step + ", " + command);
        }
      }
      compare("the end");
      assertThat(counted).as("bytes that were there to count").isPositive();
      replay();
    }

    private void note(NameCommand command, NameOutcome outcome) {
      switch (command) {
        case NameCommand.PutObject put -> stored.addAll(NameModel.blocks(put.version().content()));
        case NameCommand.PutPart put -> stored.addAll(NameModel.blocks(put.part().content()));
        case NameCommand.Forget(var garbage) -> garbage.forEach(each -> forgotten(each.block()));
        default -> {}
      }
      if (outcome instanceof NameOutcome.Stored(ObjectVersion version, _)) {
        uids.add(version.uid());
      }
      if (outcome instanceof NameOutcome.UploadMade(MultipartUpload upload)) {
        uploads.add(upload.id());
      }
    }

    /** A note of a block may go when others are left, when it is named, or with its bytes. */
    private void forgotten(Address block) {
      if (view.garbage(null, Long.MAX_VALUE, 10_000).stream()
          .noneMatch(g -> g.block().equals(block))) {
        stored.remove(block);
      }
    }

    private static String told(NameOutcome outcome) {
      return outcome instanceof NameOutcome.Refused(var fault) ? fault.s3Code() : "ok";
    }

    private void compare(String when) throws IOException {
      table.bringIn();
      compareBytes(when);
      for (String name : BUCKETS) {
        NameModel.Kept kept = model.buckets.get(name);
        assertThat(view.bucket(new BucketName(name)).map(Bucket::id).orElse(0L))
            .as(when)
            .isEqualTo(kept == null ? 0 : kept.id);
        for (String text : KEYS) {
          if (kept != null) {
            compare(when, kept, ObjectKey.of(text).orElseThrow());
          }
        }
      }
      compareReferences(when);
    }

    private void compare(String when, NameModel.Kept kept, ObjectKey key) {
      List<NameModel.Version> expected = kept.versions(key);
      var found = new ArrayList<NameModel.Version>();
      view.object(kept.id, key).map(NameModel::of).ifPresent(found::add);
      table.scanAll(
          RowKeys.versions(kept.id, key),
          row -> found.add(NameModel.of(RowCodec.version(row.value()))));
      assertThat(found).as("%s: versions of %s", when, key).isEqualTo(expected);
      assertThat(view.object(kept.id, key).map(NameModel::of))
          .as("%s: current of %s", when, key)
          .isEqualTo(expected.stream().findFirst().filter(version -> !version.marker()));
      assertThat(
              view.version(kept.id, key, new VersionRef.Null()).map(f -> NameModel.of(f.version())))
          .as("%s: null version of %s", when, key)
          .isEqualTo(expected.stream().filter(NameModel.Version::isNull).findFirst());
      for (NameModel.Version version : expected) {
        if (!version.isNull()) {
          assertThat(view.version(kept.id, key, new VersionRef.Exact(version.uid())))
              .as("%s: version %s of %s", when, version.uid(), key)
              .hasValueSatisfying(f -> assertThat(NameModel.of(f.version())).isEqualTo(version));
        }
      }
    }

    /** What owners have stored is what the rows add up to. */
    private void compareBytes(String when) throws IOException {
      Map<String, Long> bytes = new TreeMap<>();
      for (byte table : new byte[] {RowKeys.OBJECT, RowKeys.VERSION}) {
        this.table.scanAll(
            new byte[] {table},
            row -> {
              ObjectVersion version = RowCodec.version(row.value());
              bytes.merge(version.owner(), version.sizeBytes(), Long::sum);
              return true;
            });
      }
      compareStart(when, bytes);
      this.table.scanAll(
          new byte[] {RowKeys.UPLOAD},
          row -> {
            MultipartUpload upload = RowCodec.upload(row.value());
            long open =
                view.parts(upload.id(), 0, 10_000).stream().mapToLong(UploadPart::sizeBytes).sum();
            assertThat(
                    this.table
                        .row(RowKeys.storedOpen(upload.id()))
                        .map(sum -> ByteBuffer.wrap(sum).getLong())
                        .orElse(0L))
                .as("%s: bytes of upload %s", when, upload.id())
                .isEqualTo(open);
            bytes.merge(upload.owner(), open, Long::sum);
            return true;
          });
      for (String owner : List.of("main", "other")) {
        assertThat(view.storedBytes(owner))
            .as("%s: bytes of %s", when, owner)
            .isEqualTo(bytes.getOrDefault(owner, 0L));
      }
      counted += bytes.values().stream().mapToLong(n -> n).sum();
    }

    /** What a start takes from the sums is what the versions add up to. */
    private void compareStart(String when, Map<String, Long> versions) throws IOException {
      var kept = new ByteSeconds(Meter.NONE);
      new NameTable.StoredVersions(kept, new VirtualTime()).load(store);
      for (String owner : List.of("main", "other")) {
        assertThat(kept.bytes(owner))
            .as("%s: bytes of versions of %s", when, owner)
            .isEqualTo(versions.getOrDefault(owner, 0L));
      }
    }

    private void compareReferences(String when) {
      var found = new HashSet<String>();
      table.scanAll(
          new byte[] {RowKeys.REFERENCE},
          row -> {
            int owner = 1 + Hash.BYTES;
            int part = ByteBuffer.wrap(row.key()).getInt(owner + Uid.BYTES);
            var block = new Address(Hash.at(row.key(), 1));
            return found.add(NameModel.row(block, Uid.at(row.key(), owner), part));
          });
      assertThat(found).as("%s: references", when).isEqualTo(model.references());
      var garbage = new HashSet<Address>();
      view.garbage(null, Long.MAX_VALUE, 10_000).forEach(each -> garbage.add(each.block()));
      for (Address block : stored) {
        assertThat(view.isReferenced(block) || garbage.contains(block))
            .as("%s: %s is needed or noted as garbage", when, block)
            .isTrue();
      }
      Set<Uid> trash = new HashSet<>();
      view.trash(Long.MAX_VALUE, 10_000).forEach(each -> trash.add(each.upload()));
      assertThat(trash).as("%s: trash", when).isEqualTo(model.trash);
    }

    /** However the log is cut into batches, the rows are the same. */
    private void replay() throws IOException {
      OrderedStore again = empty();
      var rows = new NameTable(again, new RowMemory());
      var other = new NameMachine(rows);
      var counts = new NameApplier.Tally(rows);
      for (int i = 0; i < log.size(); i++) {
        NameCommand command = NameCommandCodec.command(log.get(i));
        NameDecision decision = other.decide(command, i + 1);
        counts.count(decision, command);
        rows.take(decision, i);
      }
      rows.bringIn();
      assertThat(rows(again)).isEqualTo(rows(store));
    }

    private NameCommand command() {
      now += random.nextInt(2);
      var name = new BucketName(one(List.of(BUCKETS)));
      NameModel.Kept kept = model.buckets.get(name.text());
      long id = kept == null || random.nextInt(50) == 0 ? 1 : kept.id;
      ObjectKey key = ObjectKey.of(one(List.of(KEYS))).orElseThrow();
      return switch (random.nextInt(16)) {
        case 0 -> new NameCommand.CreateBucket(name, "main", false, Acl.NONE, "", null, now);
        case 1 -> new NameCommand.DeleteBucket(id, name, now);
        case 2 -> {
          var versioning =
              random.nextBoolean() ? Bucket.Versioning.ENABLED : Bucket.Versioning.SUSPENDED;
          yield new NameCommand.ChangeBucket(id, name, versioning, null, false);
        }
        case 3, 4, 5, 6 -> new NameCommand.PutObject(id, name, key, draft(), condition());
        case 7, 8 ->
            new NameCommand.DeleteObject(
                id, name, key, ref(), WriteCondition.NONE, "main", false, random.nextLong(), now);
        case 9 -> new NameCommand.CreateUpload(id, name, key, upload());
        case 10, 11 -> part(name, id, key);
        case 12 -> complete(name, id, key);
        case 13 -> {
          Uid upload = upload(uploads);
          yield new NameCommand.AbortUpload(
              homeOf(upload, id), nameOf(upload, name), keyOf(upload, key), upload, now);
        }
        case 14 -> release();
        default -> new NameCommand.Forget(forgettable());
      };
    }

    private ObjectVersion draft() {
      ObjectContent content = content();
      return new ObjectVersion(
          new Uid(0, random.nextLong()),
          ObjectVersion.Kind.OBJECT,
          false,
          "main",
          now,
          1,
          new EntityTag(md5(), 0),
          null,
          List.of(),
          List.of(),
          Acl.NONE,
          null,
          false,
          content,
          null);
    }

    private String md5() {
      return "0".repeat(31) + random.nextInt(3);
    }

    private ObjectContent content() {
      var extents = new ArrayList<Extent>();
      for (int left = random.nextInt(4); left > 0; left--) {
        byte[] seed = ("block " + random.nextInt(6)).getBytes(UTF_8);
        extents.add(new Extent(new Address(Blake3.hash(seed)), 0, 1));
      }
      return extents.isEmpty()
          ? new ObjectContent.Inline(new byte[1])
          : new ObjectContent.Blocks(extents);
    }

    private WriteCondition condition() {
      return switch (random.nextInt(4)) {
        case 0 -> WriteCondition.matching(null, "*");
        case 1 -> WriteCondition.matching(md5(), null);
        default -> WriteCondition.NONE;
      };
    }

    private VersionRef ref() {
      return switch (random.nextInt(4)) {
        case 0 -> new VersionRef.Null();
        case 1, 2 -> new VersionRef.Exact(upload(uids));
        default -> new VersionRef.Current();
      };
    }

    private MultipartUpload upload() {
      return new MultipartUpload(
          new Uid(0, random.nextLong()),
          "main",
          now,
          null,
          List.of(),
          List.of(),
          Acl.NONE,
          null,
          false,
          null);
    }

    private Uid upload(List<Uid> all) {
      return all.isEmpty()
          ? new Uid(1, 1)
          : all.get(random.nextInt(Math.max(0, all.size() - 5), all.size()));
    }

    private NameCommand part(BucketName name, long id, ObjectKey key) {
      Uid upload = upload(uploads);
      var part =
          new UploadPart(
              1 + random.nextInt(3), UploadPart.BYTES_MIN, "1".repeat(32), now, null, content());
      return new NameCommand.PutPart(
          homeOf(upload, id), nameOf(upload, name), keyOf(upload, key), upload, part);
    }

    private NameCommand complete(BucketName name, long id, ObjectKey key) {
      Uid upload = upload(uploads);
      var parts = new ArrayList<NameCommand.PartSeen>();
      Collection<Integer> there = model.parts.getOrDefault(upload, Map.of()).keySet();
      for (int number = 1; number <= 3; number++) {
        if (there.contains(number) ? random.nextInt(4) > 0 : random.nextInt(12) == 0) {
          parts.add(new NameCommand.PartSeen(number, "1".repeat(32), UploadPart.BYTES_MIN));
        }
      }
      return new NameCommand.CompleteUpload(
          homeOf(upload, id),
          nameOf(upload, name),
          keyOf(upload, key),
          upload,
          parts,
          md5(),
          null,
          condition(),
          random.nextLong(),
          now);
    }

    private NameCommand release() {
      List<NameView.Trash> trash = view.trash(Long.MAX_VALUE, 10);
      if (trash.isEmpty()) {
        return new NameCommand.Forget(List.of());
      }
      NameView.Trash first = one(trash);
      List<UploadPart> parts = view.parts(first.upload(), 0, 2);
      return new NameCommand.ReleaseParts(
          first.upload(),
          first.millis(),
          parts.stream().map(UploadPart::number).toList(),
          parts.size() < 2,
          now);
    }

    private List<NameCommand.Garbage> forgettable() {
      return view.garbage(null, Long.MAX_VALUE, 3);
    }

    private BucketName nameOf(Uid upload, BucketName other) {
      for (Map.Entry<String, NameModel.Kept> each : model.buckets.entrySet()) {
        if (each.getValue().uploads.containsKey(upload)
            || each.getValue().completed.containsKey(upload)) {
          return new BucketName(each.getKey());
        }
      }
      return other;
    }

    private long homeOf(Uid upload, long other) {
      return model.buckets.values().stream()
          .filter(kept -> kept.uploads.containsKey(upload) || kept.completed.containsKey(upload))
          .map(kept -> kept.id)
          .findFirst()
          .orElse(other);
    }

    private ObjectKey keyOf(Uid upload, ObjectKey other) {
      for (NameModel.Kept kept : model.buckets.values()) {
        ObjectKey key = kept.uploads.getOrDefault(upload, kept.completed.get(upload));
        if (key != null) {
          return key;
        }
      }
      return other;
    }

    private <T> T one(List<T> all) {
      return all.get(random.nextInt(all.size()));
    }
  }
}
