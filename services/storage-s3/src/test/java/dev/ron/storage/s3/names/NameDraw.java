package dev.ron.storage.s3.names;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.AclGrant;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectOwnership;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Retention;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCommand.Amendment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Draws nouns and commands of every kind, with odd characters and the ends of every range.
 *
 * <p>Threading: owned by one thread.
 */
record NameDraw(RandomGenerator random) {
  private static final String[] TEXTS = {"", "a", "\u0000", "ä€", "\ud83d\ude00", "a b\t", "x"};
  private static final long[] NUMBERS = {0, 1, -1, 127, 128, 1L << 40, Long.MAX_VALUE};

  NameCommand command() {
    return switch (random.nextInt(17)) {
      case 0 ->
          new NameCommand.CreateBucket(
              bucketName(),
              text(),
              flag(),
              acl(),
              text(),
              maybe(() -> one(ownerships())),
              number());
      case 1 -> new NameCommand.DeleteBucket(number(), bucketName(), number());
      case 2 ->
          new NameCommand.ChangeBucket(
              number(),
              bucketName(),
              maybe(() -> one(Bucket.Versioning.values())),
              maybe(this::acl),
              flag());
      case 3 ->
          new NameCommand.PutSetting(
              number(), bucketName(), one(BucketSetting.values()), maybe(() -> bytes(40)));
      case 4 -> new NameCommand.PutObject(number(), bucketName(), key(), version(), condition());
      case 5 ->
          new NameCommand.DeleteObject(
              number(),
              bucketName(),
              key(),
              ref(),
              condition(),
              text(),
              flag(),
              number(),
              number());
      case 6 ->
          new NameCommand.AmendObject(number(), bucketName(), key(), ref(), amendment(), number());
      case 7 -> new NameCommand.CreateUpload(number(), bucketName(), key(), upload());
      case 8 -> new NameCommand.PutPart(number(), bucketName(), key(), uid(), part());
      case 9 -> complete();
      case 10 -> new NameCommand.AbortUpload(number(), bucketName(), key(), uid(), number());
      case 11 ->
          new NameCommand.ReleaseParts(
              uid(), number(), many(() -> 1 + random.nextInt(10_000)), flag(), number());
      case 12 ->
          new NameCommand.Condemn(
              many(() -> new NameCommand.Garbage(number(), block())), many(this::text));
      case 13 ->
          new NameCommand.Bury(
              text(), many(() -> new NameCommand.Condemned(block(), number())), number());
      case 14 -> new NameCommand.ForgetBuried(number());
      case 15 -> new NameCommand.NoteOrphans(many(this::block), number());
      default -> new NameCommand.Forget(many(() -> new NameCommand.Garbage(number(), block())));
    };
  }

  private NameCommand complete() {
    return new NameCommand.CompleteUpload(
        number(),
        bucketName(),
        key(),
        uid(),
        many(() -> new NameCommand.PartSeen(1 + random.nextInt(10_000), md5(), number())),
        md5(),
        maybe(this::checksum),
        condition(),
        number(),
        number());
  }

  private Amendment amendment() {
    return switch (random.nextInt(4)) {
      case 0 -> new Amendment.Tags(many(this::pair));
      case 1 -> new Amendment.Grants(acl());
      case 2 -> new Amendment.Retain(maybe(this::retention), flag());
      default -> new Amendment.Hold(flag());
    };
  }

  Bucket bucket() {
    return new Bucket(
        number(), bucketName(), text(), number(), one(Bucket.Versioning.values()), flag(), acl());
  }

  ObjectVersion version() {
    return new ObjectVersion(
        uid(),
        one(ObjectVersion.Kind.values()),
        flag(),
        text(),
        number(),
        size(),
        new EntityTag(md5(), random.nextInt(10_001)),
        maybe(this::checksum),
        many(this::pair),
        many(this::pair),
        acl(),
        maybe(this::retention),
        flag(),
        content(true),
        null);
  }

  MultipartUpload upload() {
    return new MultipartUpload(
        uid(),
        text(),
        number(),
        maybe(() -> new MultipartUpload.ChecksumPlan(text(), one(StoredChecksum.Kind.values()))),
        many(this::pair),
        many(this::pair),
        acl(),
        maybe(this::retention),
        flag(),
        null);
  }

  UploadPart part() {
    return new UploadPart(
        1 + random.nextInt(UploadPart.NUMBER_MAX),
        size(),
        md5(),
        number(),
        maybe(this::text),
        content(false));
  }

  private ObjectContent content(boolean parts) {
    return switch (random.nextInt(parts ? 3 : 2)) {
      case 0 -> new ObjectContent.Inline(bytes(300));
      case 1 ->
          new ObjectContent.Blocks(
              many(
                  () -> new Extent(block(), random.nextInt(4 << 20), 1 + random.nextInt(4 << 20))));
      default -> new ObjectContent.Parts(uid(), random.nextInt(10_001));
    };
  }

  private StoredChecksum checksum() {
    return new StoredChecksum(text(), one(StoredChecksum.Kind.values()), text());
  }

  private Retention retention() {
    return new Retention(one(Retention.Mode.values()), number());
  }

  private WriteCondition condition() {
    return flag()
        ? WriteCondition.NONE
        : new WriteCondition(maybe(this::text), maybe(this::text), number(), number());
  }

  private VersionRef ref() {
    return switch (random.nextInt(3)) {
      case 0 -> new VersionRef.Current();
      case 1 -> new VersionRef.Null();
      default -> new VersionRef.Exact(uid());
    };
  }

  private Acl acl() {
    return new Acl(
        many(
            () ->
                new AclGrant(
                    one(AclGrant.Grantee.values()), text(), one(AclGrant.Permission.values()))));
  }

  private ObjectVersion.Pair pair() {
    return new ObjectVersion.Pair(text(), text());
  }

  ObjectKey key() {
    var key = new StringBuilder("k");
    for (int left = random.nextInt(5); left > 0; left--) {
      key.append(text());
    }
    return ObjectKey.of(key.toString()).orElseThrow();
  }

  private BucketName bucketName() {
    return new BucketName(one(new String[] {"bucket", "a.b-c", "0".repeat(63)}));
  }

  private Address block() {
    return new Address(Blake3.hash(bytes(8)));
  }

  private Uid uid() {
    return new Uid(number(), random.nextLong());
  }

  private String md5() {
    byte[] md5 = new byte[16];
    random.nextBytes(md5);
    return HexFormat.of().formatHex(md5);
  }

  private byte[] bytes(int max) {
    byte[] bytes = new byte[random.nextInt(max + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  private String text() {
    return one(TEXTS).repeat(1 + random.nextInt(3));
  }

  private long number() {
    return flag() ? random.nextLong() : NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private long size() {
    return random.nextLong(1L << random.nextInt(1, 62));
  }

  private boolean flag() {
    return random.nextBoolean();
  }

  private static ObjectOwnership[] ownerships() {
    return ObjectOwnership.values();
  }

  private <T> T one(T[] all) {
    return all[random.nextInt(all.length)];
  }

  private <T> @Nullable T maybe(Supplier<T> made) {
    return flag() ? null : made.get();
  }

  private <T> List<T> many(Supplier<T> made) {
    var all = new ArrayList<T>();
    for (int left = random.nextInt(4); left > 0; left--) {
      all.add(made.get());
    }
    return all;
  }
}
