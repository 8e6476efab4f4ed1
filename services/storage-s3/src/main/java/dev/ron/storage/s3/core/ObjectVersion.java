package dev.ron.storage.s3.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One version of an object, or a marker that says it was deleted.
 *
 * <p>Threading: immutable.
 *
 * @param uid its version id, unless it is the null version
 * @param kind what it is
 * @param isNull whether it was stored while its bucket kept no versions
 * @param encryption how its bytes are encrypted, null if they are not
 * @param fields content type, user metadata and the like, as they are answered again
 */
public record ObjectVersion(
    Uid uid,
    Kind kind,
    boolean isNull,
    String owner,
    long modifiedMillis,
    long sizeBytes,
    EntityTag etag,
    @Nullable StoredChecksum checksum,
    List<Pair> fields,
    List<Pair> tags,
    Acl acl,
    @Nullable Retention retention,
    boolean legalHold,
    ObjectContent content,
    @Nullable ObjectEncryption encryption) {
  private static final EntityTag NOTHING = new EntityTag("d41d8cd98f00b204e9800998ecf8427e", 0);

  /** What a version is. */
  public enum Kind {
    OBJECT,
    DELETE_MARKER
  }

  /** A name with its value. */
  public record Pair(String name, String value) {}

  public ObjectVersion {
    fields = List.copyOf(fields);
    tags = List.copyOf(tags);
  }

  public static ObjectVersion marker(Uid uid, boolean isNull, String owner, long nowMillis) {
    return new ObjectVersion(
        uid,
        Kind.DELETE_MARKER,
        isNull,
        owner,
        nowMillis,
        0,
        NOTHING,
        null,
        List.of(),
        List.of(),
        Acl.NONE,
        null,
        false,
        new ObjectContent.Inline(new byte[0]),
        null);
  }

  public boolean isMarker() {
    return kind == Kind.DELETE_MARKER;
  }

  /** As requests and answers call it. */
  public String versionId() {
    return isNull ? VersionRef.NULL : uid.toString();
  }

  /** Whether it may not be deleted now. */
  public boolean isLocked(long nowMillis, boolean bypassGovernance) {
    return legalHold
        || (retention != null
            && retention.holds(nowMillis)
            && !(bypassGovernance && retention.mode() == Retention.Mode.GOVERNANCE));
  }
}
