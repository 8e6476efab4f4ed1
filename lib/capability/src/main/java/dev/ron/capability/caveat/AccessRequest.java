package dev.ron.capability.caveat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a request attempts, as far as caveats can restrict it.
 *
 * <p>What is null is not part of the attempt; a token that is narrowed in that respect refuses it,
 * except that a request without tenant takes the token's, and a body of unknown length is cut off
 * later. {@code path} is a path or a topic in normal form, see {@link CaveatPath}. {@code now} is
 * the calendar, since expiries are dates that other machines wrote.
 *
 * <p>Threading: immutable.
 */
public record AccessRequest(
    String service,
    String operation,
    Instant now,
    @Nullable String tenant,
    @Nullable String path,
    @Nullable Long bytes,
    @Nullable String pack,
    @Nullable Integer zoom,
    @Nullable Box box,
    @Nullable String bucket,
    @Nullable KeyPrefix key) {

  /** An attempt of an operation and nothing else. */
  public static AccessRequest of(String service, String operation, Instant now) {
    return new AccessRequest(
        service, operation, now, null, null, null, null, null, null, null, null);
  }

  /** The same on behalf of a tenant that the request itself names. */
  public AccessRequest forTenant(String name) {
    return new AccessRequest(
        service, operation, now, name, path, bytes, pack, zoom, box, bucket, key);
  }

  /** The same on a path or a topic. */
  public AccessRequest onPath(String normalPath) {
    return new AccessRequest(
        service, operation, now, tenant, normalPath, bytes, pack, zoom, box, bucket, key);
  }

  /** The same with a body whose length is known beforehand. */
  public AccessRequest withBytes(long count) {
    return new AccessRequest(
        service, operation, now, tenant, path, count, pack, zoom, box, bucket, key);
  }

  /** The same for a piece of a map pack. */
  public AccessRequest onTile(String packName, int zoomLevel, Box area) {
    return new AccessRequest(
        service, operation, now, tenant, path, bytes, packName, zoomLevel, area, bucket, key);
  }

  /** The same for a map pack as a whole. */
  public AccessRequest onPack(String packName) {
    return new AccessRequest(
        service, operation, now, tenant, path, bytes, packName, zoom, box, bucket, key);
  }

  /** The same on a bucket. */
  public AccessRequest onBucket(String name) {
    return new AccessRequest(
        service, operation, now, tenant, path, bytes, pack, zoom, box, name, key);
  }

  /**
   * The same on an object of a bucket, by the bytes of its decoded key; a listing asks for the
   * prefix that it lists.
   */
  public AccessRequest onKey(String bucketName, byte[] objectKey) {
    return new AccessRequest(
        service,
        operation,
        now,
        tenant,
        path,
        bytes,
        pack,
        zoom,
        box,
        bucketName,
        KeyPrefix.of(objectKey));
  }
}
