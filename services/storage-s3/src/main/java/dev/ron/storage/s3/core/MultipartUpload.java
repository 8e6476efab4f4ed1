package dev.ron.storage.s3.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An upload in parts that is open: everything about the object but its bytes.
 *
 * <p>Threading: immutable.
 *
 * @param encryption how its parts are encrypted, null if they are not
 * @param checksum the algorithm its parts carry, null if none was named
 */
public record MultipartUpload(
    Uid id,
    String owner,
    long begunMillis,
    @Nullable ChecksumPlan checksum,
    List<ObjectVersion.Pair> fields,
    List<ObjectVersion.Pair> tags,
    Acl acl,
    @Nullable Retention retention,
    boolean legalHold,
    @Nullable ObjectEncryption encryption) {
  public MultipartUpload {
    fields = List.copyOf(fields);
    tags = List.copyOf(tags);
  }

  /** Which checksum the parts carry, and what the whole object's is computed over. */
  public record ChecksumPlan(String algorithm, StoredChecksum.Kind kind) {}
}
