package dev.ron.storage.s3.names;

import dev.ron.blake3.Address;
import dev.ron.blake3.Hash;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectOwnership;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCommand.Amendment;

/**
 * Commands as the log keeps them: a version of the form, a kind, then the fields in the order of
 * the record. A kind is never given to another command.
 *
 * <p>Threading: stateless.
 */
public final class NameCommandCodec {
  private static final int CREATE_BUCKET = 1;
  private static final int DELETE_BUCKET = 2;
  private static final int CHANGE_BUCKET = 3;
  private static final int PUT_SETTING = 4;
  private static final int PUT_OBJECT = 5;
  private static final int DELETE_OBJECT = 6;
  private static final int AMEND_OBJECT = 7;
  private static final int CREATE_UPLOAD = 8;
  private static final int PUT_PART = 9;
  private static final int COMPLETE_UPLOAD = 10;
  private static final int ABORT_UPLOAD = 11;
  private static final int RELEASE_PARTS = 12;
  private static final int FORGET = 13;
  private static final int FORGET_COMPLETED = 14;
  private static final int CONDEMN = 15;
  private static final int BURY = 16;
  private static final int FORGET_BURIED = 17;
  private static final int NOTE_ORPHANS = 18;
  private static final int CREATE_ENCRYPTED_UPLOAD = 19;

  private static final int TAGS = 1;
  private static final int GRANTS = 2;
  private static final int RETAIN = 3;
  private static final int HOLD = 4;

  private static final int CURRENT = 0;
  private static final int NULL = 1;
  private static final int EXACT = 2;

  private NameCommandCodec() {}

  public static byte[] bytes(NameCommand command) {
    RowWriter out = RowCodec.form();
    switch (command) {
      case NameCommand.CreateBucket create -> write(out.one(CREATE_BUCKET), create);
      case NameCommand.DeleteBucket(long bucket, BucketName name, long now) ->
          bucket(out.one(DELETE_BUCKET), bucket, name).eight(now);
      case NameCommand.ChangeBucket change -> write(out.one(CHANGE_BUCKET), change);
      case NameCommand.PutSetting(long bucket, BucketName name, var setting, byte[] value) ->
          bucket(out.one(PUT_SETTING), bucket, name)
              .one(setting.code())
              .optional(value, RowWriter::sized);
      case NameCommand.PutObject put -> write(out.one(PUT_OBJECT), put);
      case NameCommand.DeleteObject delete -> write(out.one(DELETE_OBJECT), delete);
      case NameCommand.AmendObject amend -> write(out.one(AMEND_OBJECT), amend);
      case NameCommand.CreateUpload(long bucket, BucketName name, ObjectKey key, var upload) ->
          RowCodec.write(object(out.one(kind(upload)), bucket, name, key), upload);
      case NameCommand.PutPart(long bucket, BucketName name, ObjectKey key, Uid id, var part) ->
          RowCodec.write(object(out.one(PUT_PART), bucket, name, key).raw(id.bytes()), part);
      case NameCommand.CompleteUpload complete -> write(out.one(COMPLETE_UPLOAD), complete);
      case NameCommand.AbortUpload(long bucket, BucketName name, var key, Uid id, long now) ->
          object(out.one(ABORT_UPLOAD), bucket, name, key).raw(id.bytes()).eight(now);
      case NameCommand.ReleaseParts(Uid id, long trashed, var numbers, boolean last, long now) ->
          out.one(RELEASE_PARTS)
              .raw(id.bytes())
              .eight(trashed)
              .list(numbers, RowWriter::four)
              .flag(last)
              .eight(now);
      case NameCommand.Forget(var garbage) ->
          out.one(FORGET).list(garbage, NameCommandCodec::write);
      case NameCommand.ForgetCompleted(var completions) ->
          out.one(FORGET_COMPLETED)
              .list(
                  completions,
                  (to, each) ->
                      to.eight(each.bucket()).sized(each.key().bytes()).raw(each.upload().bytes()));
      case NameCommand.Condemn(var garbage, var machines) ->
          out.one(CONDEMN).list(garbage, NameCommandCodec::write).list(machines, RowWriter::text);
      case NameCommand.Bury(String machine, var blocks, long now) ->
          out.one(BURY)
              .text(machine)
              .list(
                  blocks, (to, each) -> to.raw(each.block().hash().bytes()).eight(each.sequence()))
              .eight(now);
      case NameCommand.ForgetBuried(long sequence) -> out.one(FORGET_BURIED).eight(sequence);
      case NameCommand.NoteOrphans(var blocks, long now) ->
          out.one(NOTE_ORPHANS).list(blocks, (to, each) -> to.raw(each.hash().bytes())).eight(now);
    }
    return out.bytes();
  }

  public static NameCommand command(byte[] bytes) {
    RowReader in = RowCodec.formed(bytes);
    int kind = in.one();
    return switch (kind) {
      case CREATE_BUCKET -> createBucket(in);
      case DELETE_BUCKET -> new NameCommand.DeleteBucket(in.eight(), name(in), in.eight());
      case CHANGE_BUCKET ->
          new NameCommand.ChangeBucket(
              in.eight(),
              name(in),
              in.optional(from -> RowCodec.VERSIONING.value(from.one())),
              in.optional(RowCodec::acl),
              in.flag());
      case PUT_SETTING ->
          new NameCommand.PutSetting(
              in.eight(), name(in), BucketSetting.of(in.one()), in.optional(RowReader::sized));
      case PUT_OBJECT ->
          new NameCommand.PutObject(
              in.eight(), name(in), key(in), RowCodec.version(in), condition(in));
      case DELETE_OBJECT -> delete(in);
      case AMEND_OBJECT ->
          new NameCommand.AmendObject(
              in.eight(), name(in), key(in), ref(in), amendment(in), in.eight());
      case CREATE_UPLOAD, CREATE_ENCRYPTED_UPLOAD ->
          new NameCommand.CreateUpload(
              in.eight(), name(in), key(in), RowCodec.upload(in, kind == CREATE_ENCRYPTED_UPLOAD));
      case PUT_PART ->
          new NameCommand.PutPart(
              in.eight(), name(in), key(in), RowCodec.uid(in), RowCodec.part(in));
      case COMPLETE_UPLOAD -> complete(in);
      case ABORT_UPLOAD ->
          new NameCommand.AbortUpload(in.eight(), name(in), key(in), RowCodec.uid(in), in.eight());
      case RELEASE_PARTS ->
          new NameCommand.ReleaseParts(
              RowCodec.uid(in), in.eight(), in.list(RowReader::four), in.flag(), in.eight());
      case FORGET -> new NameCommand.Forget(in.list(NameCommandCodec::garbage));
      case FORGET_COMPLETED ->
          new NameCommand.ForgetCompleted(
              in.list(
                  from -> new NameCommand.Completion(from.eight(), key(from), RowCodec.uid(from))));
      case CONDEMN ->
          new NameCommand.Condemn(in.list(NameCommandCodec::garbage), in.list(RowReader::text));
      case BURY ->
          new NameCommand.Bury(
              in.text(),
              in.list(from -> new NameCommand.Condemned(block(from), from.eight())),
              in.eight());
      case FORGET_BURIED -> new NameCommand.ForgetBuried(in.eight());
      case NOTE_ORPHANS ->
          new NameCommand.NoteOrphans(in.list(NameCommandCodec::block), in.eight());
      default -> throw new IllegalStateException("a log entry of kind " + kind);
    };
  }

  private static NameCommand createBucket(RowReader in) {
    return new NameCommand.CreateBucket(
        name(in),
        in.text(),
        in.flag(),
        RowCodec.acl(in),
        in.text(),
        in.optional(
            from -> ObjectOwnership.of(from.text()).orElseThrow(IllegalStateException::new)),
        in.eight());
  }

  private static int kind(MultipartUpload upload) {
    return upload.encryption() == null ? CREATE_UPLOAD : CREATE_ENCRYPTED_UPLOAD;
  }

  private static void write(RowWriter out, NameCommand.Garbage garbage) {
    out.eight(garbage.millis()).raw(garbage.block().hash().bytes());
  }

  private static NameCommand.Garbage garbage(RowReader in) {
    return new NameCommand.Garbage(in.eight(), block(in));
  }

  private static Address block(RowReader in) {
    return new Address(Hash.of(in.raw(Hash.BYTES)));
  }

  private static void write(RowWriter out, NameCommand.CreateBucket create) {
    out.text(create.name().text()).text(create.owner()).flag(create.objectLock());
    RowCodec.write(out, create.acl());
    out.text(create.location())
        .optional(create.ownership(), (to, ownership) -> to.text(ownership.toString()))
        .eight(create.nowMillis());
  }

  private static void write(RowWriter out, NameCommand.ChangeBucket change) {
    bucket(out, change.bucket(), change.name())
        .optional(
            change.versioning(), (to, versioning) -> to.one(RowCodec.VERSIONING.code(versioning)))
        .optional(change.acl(), RowCodec::write)
        .flag(change.lockOn());
  }

  private static void write(RowWriter out, NameCommand.PutObject put) {
    object(out, put.bucket(), put.name(), put.key());
    RowCodec.write(out, put.version());
    write(out, put.condition());
  }

  private static void write(RowWriter out, NameCommand.DeleteObject delete) {
    object(out, delete.bucket(), delete.name(), delete.key());
    write(out, delete.version());
    write(out, delete.condition());
    out.text(delete.owner()).flag(delete.bypassGovernance());
    out.eight(delete.chance()).eight(delete.nowMillis());
  }

  private static NameCommand delete(RowReader in) {
    return new NameCommand.DeleteObject(
        in.eight(),
        name(in),
        key(in),
        ref(in),
        condition(in),
        in.text(),
        in.flag(),
        in.eight(),
        in.eight());
  }

  private static void write(RowWriter out, NameCommand.AmendObject amend) {
    object(out, amend.bucket(), amend.name(), amend.key());
    write(out, amend.version());
    switch (amend.amendment()) {
      case Amendment.Tags(var tags) -> out.one(TAGS).list(tags, RowCodec::write);
      case Amendment.Grants(var acl) -> RowCodec.write(out.one(GRANTS), acl);
      case Amendment.Retain(var retention, boolean bypass) ->
          out.one(RETAIN).optional(retention, RowCodec::write).flag(bypass);
      case Amendment.Hold(boolean on) -> out.one(HOLD).flag(on);
    }
    out.eight(amend.nowMillis());
  }

  private static Amendment amendment(RowReader in) {
    int kind = in.one();
    return switch (kind) {
      case TAGS -> new Amendment.Tags(in.list(RowCodec::pair));
      case GRANTS -> new Amendment.Grants(RowCodec.acl(in));
      case RETAIN -> new Amendment.Retain(in.optional(RowCodec::retention), in.flag());
      case HOLD -> new Amendment.Hold(in.flag());
      default -> throw new IllegalStateException("an amendment of kind " + kind);
    };
  }

  private static void write(RowWriter out, NameCommand.CompleteUpload complete) {
    object(out, complete.bucket(), complete.name(), complete.key()).raw(complete.upload().bytes());
    out.list(
        complete.parts(),
        (to, part) -> to.four(part.number()).text(part.md5()).eight(part.sizeBytes()));
    out.text(complete.md5());
    out.optional(
        complete.checksum(),
        (to, sum) ->
            to.text(sum.algorithm()).one(RowCodec.CHECKSUM.code(sum.kind())).text(sum.value()));
    write(out, complete.condition());
    out.eight(complete.chance()).eight(complete.nowMillis());
  }

  private static NameCommand complete(RowReader in) {
    return new NameCommand.CompleteUpload(
        in.eight(),
        name(in),
        key(in),
        RowCodec.uid(in),
        in.list(from -> new NameCommand.PartSeen(from.four(), from.text(), from.eight())),
        in.text(),
        in.optional(
            from ->
                new StoredChecksum(from.text(), RowCodec.CHECKSUM.value(from.one()), from.text())),
        condition(in),
        in.eight(),
        in.eight());
  }

  private static RowWriter bucket(RowWriter out, long bucket, BucketName name) {
    return out.eight(bucket).text(name.text());
  }

  private static RowWriter object(RowWriter out, long bucket, BucketName name, ObjectKey key) {
    return bucket(out, bucket, name).sized(key.bytes());
  }

  private static void write(RowWriter out, WriteCondition condition) {
    out.optional(condition.ifMatch(), RowWriter::text);
    out.optional(condition.ifNoneMatch(), RowWriter::text);
    out.eight(condition.sizeBytes()).eight(condition.modifiedSeconds());
  }

  private static WriteCondition condition(RowReader in) {
    return new WriteCondition(
        in.optional(RowReader::text), in.optional(RowReader::text), in.eight(), in.eight());
  }

  private static void write(RowWriter out, VersionRef ref) {
    switch (ref) {
      case VersionRef.Current _ -> out.one(CURRENT);
      case VersionRef.Null _ -> out.one(NULL);
      case VersionRef.Exact(Uid uid) -> out.one(EXACT).raw(uid.bytes());
    }
  }

  private static VersionRef ref(RowReader in) {
    int kind = in.one();
    return switch (kind) {
      case CURRENT -> new VersionRef.Current();
      case NULL -> new VersionRef.Null();
      case EXACT -> new VersionRef.Exact(RowCodec.uid(in));
      default -> throw new IllegalStateException("a version of kind " + kind);
    };
  }

  private static BucketName name(RowReader in) {
    return new BucketName(in.text());
  }

  private static ObjectKey key(RowReader in) {
    return ObjectKey.stored(in.sized());
  }
}
