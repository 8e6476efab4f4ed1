package dev.ron.storage.s3.object;

import dev.ron.blake3.Address;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.ObjectAddress;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectEncryption;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.ObjectVersion.Pair;
import dev.ron.storage.s3.core.Retention;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.encryption.EncryptionChoice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything about an object that comes before its bytes.
 *
 * <p>Threading: immutable.
 */
public record ObjectDraft(
    String owner,
    List<Pair> fields,
    List<Pair> tags,
    Acl acl,
    @Nullable Retention retention,
    boolean legalHold,
    EncryptionChoice encryption) {
  public ObjectDraft {
    fields = List.copyOf(fields);
    tags = List.copyOf(tags);
  }

  /** As the fields of a request say. */
  public static ObjectDraft of(S3Call call, Bucket bucket) throws Refusal {
    RequestOwner owner = RequestOwner.of(call, bucket);
    return new ObjectDraft(
        owner.owner(),
        ObjectFields.of(call),
        RequestTags.of(call),
        owner.acl(),
        RequestLock.retention(call, bucket),
        RequestLock.legalHold(call, bucket),
        RequestEncryption.ofWrite(call, bucket));
  }

  /** The same of bytes whose address must be kept; null if it need not be. */
  ObjectDraft addressed(@Nullable Address address) {
    return new ObjectDraft(
        owner, ObjectAddress.with(fields, address), tags, acl, retention, legalHold, encryption);
  }

  /**
   * The version, whole but for its place in the log.
   *
   * @param kept how it is encrypted, null if it is not
   */
  public ObjectVersion version(
      long chance,
      long nowMillis,
      long sizeBytes,
      EntityTag etag,
      @Nullable StoredChecksum checksum,
      ObjectContent content,
      @Nullable ObjectEncryption kept) {
    return new ObjectVersion(
        new Uid(0, chance),
        ObjectVersion.Kind.OBJECT,
        false,
        owner,
        nowMillis,
        sizeBytes,
        etag,
        checksum,
        fields,
        tags,
        acl,
        retention,
        legalHold,
        content,
        kept);
  }
}
