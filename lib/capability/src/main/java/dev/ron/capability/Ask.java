package dev.ron.capability;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What somebody attempts, as far as caveats can speak of it.
 *
 * <p>What is null is not part of the attempt; a token that is narrowed in that respect refuses it,
 * except that an ask without tenant takes the token's, and a body of unknown length is cut off
 * later. {@code path} is a path or a topic in normal form, see {@link NormalPath}. {@code now} is
 * the calendar, since expiries are dates that other machines wrote.
 *
 * <p>Threading: immutable.
 */
public record Ask(
    String service,
    String operation,
    Instant now,
    @Nullable String tenant,
    @Nullable String path,
    @Nullable Long bytes,
    @Nullable String pack,
    @Nullable Integer zoom,
    @Nullable Box box) {

  /** An attempt of an operation and nothing else. */
  public static Ask of(String service, String operation, Instant now) {
    return new Ask(service, operation, now, null, null, null, null, null, null);
  }

  /** The same on behalf of a tenant that the request itself names. */
  public Ask forTenant(String name) {
    return new Ask(service, operation, now, name, path, bytes, pack, zoom, box);
  }

  /** The same on a path or a topic. */
  public Ask onPath(String normalPath) {
    return new Ask(service, operation, now, tenant, normalPath, bytes, pack, zoom, box);
  }

  /** The same with a body whose length is known beforehand. */
  public Ask withBytes(long count) {
    return new Ask(service, operation, now, tenant, path, count, pack, zoom, box);
  }

  /** The same for a piece of a map pack. */
  public Ask onTile(String packName, int zoomLevel, Box area) {
    return new Ask(service, operation, now, tenant, path, bytes, packName, zoomLevel, area);
  }

  /** The same for a map pack as a whole. */
  public Ask onPack(String packName) {
    return new Ask(service, operation, now, tenant, path, bytes, packName, zoom, box);
  }
}
