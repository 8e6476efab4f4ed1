package dev.ron.storage.s3.names;

import dev.ron.blake3.Address;
import dev.ron.blake3.Hash;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.AclGrant;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectEncryption;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Retention;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import java.util.HexFormat;
import java.util.List;

/**
 * The nouns as rows and log entries keep them: a version of the form, then the fields in the order
 * of the record. A change of fields is a new version, and the old one is still read.
 *
 * <p>Threading: stateless.
 */
final class RowCodec {
  private static final int FORM = 1;

  /** Of uploads that are encrypted, which an older version of this program must not go on with. */
  private static final int ENCRYPTED_FORM = 2;

  /** Set beside the kind of a version that is encrypted; older versions know no such kind. */
  private static final int ENCRYPTED = 0x80;

  static final EnumCode<Bucket.Versioning> VERSIONING =
      new EnumCode<>(
          List.of(Bucket.Versioning.OFF, Bucket.Versioning.ENABLED, Bucket.Versioning.SUSPENDED));
  static final EnumCode<StoredChecksum.Kind> CHECKSUM =
      new EnumCode<>(List.of(StoredChecksum.Kind.FULL_OBJECT, StoredChecksum.Kind.COMPOSITE));
  private static final EnumCode<ObjectVersion.Kind> KIND =
      new EnumCode<>(List.of(ObjectVersion.Kind.OBJECT, ObjectVersion.Kind.DELETE_MARKER));
  private static final EnumCode<Retention.Mode> MODE =
      new EnumCode<>(List.of(Retention.Mode.GOVERNANCE, Retention.Mode.COMPLIANCE));
  private static final EnumCode<AclGrant.Grantee> GRANTEE =
      new EnumCode<>(
          List.of(
              AclGrant.Grantee.TENANT,
              AclGrant.Grantee.ALL_USERS,
              AclGrant.Grantee.AUTHENTICATED_USERS));
  private static final EnumCode<AclGrant.Permission> PERMISSION =
      new EnumCode<>(
          List.of(
              AclGrant.Permission.FULL_CONTROL,
              AclGrant.Permission.READ,
              AclGrant.Permission.WRITE,
              AclGrant.Permission.READ_ACP,
              AclGrant.Permission.WRITE_ACP));

  private static final EnumCode<ObjectEncryption.Kind> ENCRYPTION =
      new EnumCode<>(List.of(ObjectEncryption.Kind.SERVER_KEY, ObjectEncryption.Kind.CLIENT_KEY));

  private static final int INLINE = 0;
  private static final int BLOCKS = 1;
  private static final int PARTS = 2;

  private RowCodec() {}

  static byte[] bytes(Bucket bucket) {
    var out = form().eight(bucket.id()).text(bucket.name().text()).text(bucket.owner());
    out.eight(bucket.createdMillis())
        .one(VERSIONING.code(bucket.versioning()))
        .flag(bucket.objectLock());
    write(out, bucket.acl());
    return out.bytes();
  }

  static Bucket bucket(byte[] row) {
    RowReader in = formed(row);
    return new Bucket(
        in.eight(),
        new BucketName(in.text()),
        in.text(),
        in.eight(),
        VERSIONING.value(in.one()),
        in.flag(),
        acl(in));
  }

  static byte[] bytes(ObjectVersion version) {
    var out = form();
    write(out, version);
    return out.bytes();
  }

  static ObjectVersion version(byte[] row) {
    return version(formed(row));
  }

  static void write(RowWriter out, ObjectVersion version) {
    ObjectEncryption encryption = version.encryption();
    int kind = KIND.code(version.kind());
    out.raw(version.uid().bytes()).one(encryption == null ? kind : kind | ENCRYPTED);
    if (encryption != null) {
      write(out, encryption);
    }
    out.flag(version.isNull());
    out.text(version.owner()).eight(version.modifiedMillis()).count(version.sizeBytes());
    md5(out, version.etag().md5()).count(version.etag().parts());
    out.optional(version.checksum(), RowCodec::write);
    out.list(version.fields(), RowCodec::write).list(version.tags(), RowCodec::write);
    write(out, version.acl());
    out.optional(version.retention(), RowCodec::write).flag(version.legalHold());
    write(out, version.content());
  }

  static ObjectVersion version(RowReader in) {
    Uid uid = uid(in);
    int kind = in.one();
    ObjectEncryption encryption = (kind & ENCRYPTED) == 0 ? null : encryption(in);
    return new ObjectVersion(
        uid,
        KIND.value(kind & ~ENCRYPTED),
        in.flag(),
        in.text(),
        in.eight(),
        in.count(),
        new EntityTag(md5(in), (int) in.count()),
        in.optional(RowCodec::checksum),
        in.list(RowCodec::pair),
        in.list(RowCodec::pair),
        acl(in),
        in.optional(RowCodec::retention),
        in.flag(),
        content(in),
        encryption);
  }

  static byte[] bytes(MultipartUpload upload) {
    var out = new RowWriter().one(upload.encryption() == null ? FORM : ENCRYPTED_FORM);
    write(out, upload);
    return out.bytes();
  }

  static MultipartUpload upload(byte[] row) {
    boolean encrypted = row[0] == ENCRYPTED_FORM;
    if (!encrypted) {
      return upload(formed(row), false);
    }
    var in = new RowReader(row);
    in.one();
    return upload(in, true);
  }

  static void write(RowWriter out, MultipartUpload upload) {
    out.raw(upload.id().bytes()).text(upload.owner()).eight(upload.begunMillis());
    out.optional(
        upload.checksum(), (to, plan) -> to.text(plan.algorithm()).one(CHECKSUM.code(plan.kind())));
    out.list(upload.fields(), RowCodec::write).list(upload.tags(), RowCodec::write);
    write(out, upload.acl());
    out.optional(upload.retention(), RowCodec::write).flag(upload.legalHold());
    if (upload.encryption() != null) {
      write(out, upload.encryption());
    }
  }

  static MultipartUpload upload(RowReader in, boolean encrypted) {
    return new MultipartUpload(
        uid(in),
        in.text(),
        in.eight(),
        in.optional(
            from -> new MultipartUpload.ChecksumPlan(from.text(), CHECKSUM.value(from.one()))),
        in.list(RowCodec::pair),
        in.list(RowCodec::pair),
        acl(in),
        in.optional(RowCodec::retention),
        in.flag(),
        encrypted ? encryption(in) : null);
  }

  static byte[] bytes(UploadPart part) {
    var out = form();
    write(out, part);
    return out.bytes();
  }

  static UploadPart part(byte[] row) {
    return part(formed(row));
  }

  static void write(RowWriter out, UploadPart part) {
    out.four(part.number()).count(part.sizeBytes());
    md5(out, part.md5()).eight(part.modifiedMillis());
    out.optional(part.checksum(), RowWriter::text);
    write(out, part.content());
  }

  static UploadPart part(RowReader in) {
    return new UploadPart(
        in.four(), in.count(), md5(in), in.eight(), in.optional(RowReader::text), content(in));
  }

  static Uid uid(RowReader in) {
    return Uid.at(in.raw(Uid.BYTES), 0);
  }

  static void write(RowWriter out, Acl acl) {
    out.list(
        acl.grants(),
        (to, grant) ->
            to.one(GRANTEE.code(grant.grantee()))
                .text(grant.id())
                .one(PERMISSION.code(grant.permission())));
  }

  static Acl acl(RowReader in) {
    return new Acl(
        in.list(
            from ->
                new AclGrant(
                    GRANTEE.value(from.one()), from.text(), PERMISSION.value(from.one()))));
  }

  static void write(RowWriter out, ObjectVersion.Pair pair) {
    out.text(pair.name()).text(pair.value());
  }

  static ObjectVersion.Pair pair(RowReader in) {
    return new ObjectVersion.Pair(in.text(), in.text());
  }

  static void write(RowWriter out, Retention retention) {
    out.one(MODE.code(retention.mode())).eight(retention.untilMillis());
  }

  static Retention retention(RowReader in) {
    return new Retention(MODE.value(in.one()), in.eight());
  }

  private static void write(RowWriter out, ObjectEncryption encryption) {
    out.one(ENCRYPTION.code(encryption.kind()))
        .text(encryption.masterKey())
        .sized(encryption.wrappedKey());
  }

  private static ObjectEncryption encryption(RowReader in) {
    return new ObjectEncryption(ENCRYPTION.value(in.one()), in.text(), in.sized());
  }

  private static void write(RowWriter out, StoredChecksum checksum) {
    out.text(checksum.algorithm()).one(CHECKSUM.code(checksum.kind())).text(checksum.value());
  }

  private static StoredChecksum checksum(RowReader in) {
    return new StoredChecksum(in.text(), CHECKSUM.value(in.one()), in.text());
  }

  private static void write(RowWriter out, ObjectContent content) {
    switch (content) {
      case ObjectContent.Inline inline -> out.one(INLINE).sized(inline.bytes());
      case ObjectContent.Blocks(var extents) -> out.one(BLOCKS).list(extents, RowCodec::write);
      case ObjectContent.Parts(Uid upload, int count) ->
          out.one(PARTS).raw(upload.bytes()).four(count);
    }
  }

  private static ObjectContent content(RowReader in) {
    int kind = in.one();
    return switch (kind) {
      case INLINE -> new ObjectContent.Inline(in.sized());
      case BLOCKS -> new ObjectContent.Blocks(in.list(RowCodec::extent));
      case PARTS -> new ObjectContent.Parts(uid(in), in.four());
      default -> throw new IllegalStateException("content of kind " + kind);
    };
  }

  private static void write(RowWriter out, Extent extent) {
    out.raw(extent.block().hash().bytes()).four(extent.offset()).four(extent.length());
  }

  private static Extent extent(RowReader in) {
    return new Extent(new Address(Hash.of(in.raw(Hash.BYTES))), in.four(), in.four());
  }

  private static RowWriter md5(RowWriter out, String hex) {
    return out.raw(HexFormat.of().parseHex(hex));
  }

  private static String md5(RowReader in) {
    return HexFormat.of().formatHex(in.raw(16));
  }

  static RowWriter form() {
    return new RowWriter().one(FORM);
  }

  static RowReader formed(byte[] row) {
    var in = new RowReader(row);
    int form = in.one();
    if (form != FORM) {
      throw new IllegalStateException(
          "a row of form %d; this version reads %d: start the newer one again"
              .formatted(form, FORM));
    }
    return in;
  }
}
