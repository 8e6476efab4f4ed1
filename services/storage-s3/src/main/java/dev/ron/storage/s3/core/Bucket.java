package dev.ron.storage.s3.core;

/**
 * A bucket, with what decides about writes in it. What only answers need lies in its settings.
 *
 * <p>Threading: immutable.
 *
 * @param id never given to another bucket, also not to one of the same name
 * @param owner the tenant that made it
 * @param objectLock whether versions can be locked; set once, when it is made
 */
public record Bucket(
    long id,
    BucketName name,
    String owner,
    long createdMillis,
    Versioning versioning,
    boolean objectLock,
    Acl acl) {
  /** Whether a bucket keeps what is overwritten and deleted. */
  public enum Versioning {
    /** It never did. */
    OFF,
    ENABLED,
    SUSPENDED
  }

  public Bucket with(Versioning other) {
    return new Bucket(id, name, owner, createdMillis, other, objectLock, acl);
  }

  public Bucket with(Acl other) {
    return new Bucket(id, name, owner, createdMillis, versioning, objectLock, other);
  }

  public Bucket withObjectLock() {
    return new Bucket(id, name, owner, createdMillis, Versioning.ENABLED, true, acl);
  }
}
