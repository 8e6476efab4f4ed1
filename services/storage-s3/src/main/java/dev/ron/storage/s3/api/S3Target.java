package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.ObjectKey;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request is about: the service, a bucket, or an object in it.
 *
 * <p>The bucket stands first in the path, or before the configured domain in the host. The rest of
 * the path, decoded once, is the key, whatever it looks like.
 *
 * <p>Threading: immutable.
 *
 * @param bucket empty for the service itself; not yet checked to be a name
 * @param key null for the bucket itself
 */
public record S3Target(String bucket, @Nullable ObjectKey key) {
  /** What an operation is about. */
  public enum Level {
    SERVICE,
    BUCKET,
    OBJECT
  }

  /**
   * @param domain whose subdomains are buckets; empty for none
   * @param host as sent, with or without a port
   */
  static S3Target of(String rawPath, String host, String domain) throws Refusal {
    String path = rawPath.startsWith("/") ? rawPath.substring(1) : rawPath;
    String name = hostBucket(host, domain);
    if (!name.isEmpty()) {
      return of(name, path);
    }
    int slash = path.indexOf('/');
    return slash < 0
        ? new S3Target(bucket(path), null)
        : of(bucket(path.substring(0, slash)), path.substring(slash + 1));
  }

  private static S3Target of(String bucket, String rest) throws Refusal {
    if (rest.isEmpty()) {
      return new S3Target(bucket, null);
    }
    if (bucket.isEmpty()) {
      throw Refusal.of(new S3Fault.InvalidBucketName(""));
    }
    byte[] bytes = S3Query.decoded(rest);
    if (bytes.length > ObjectKey.BYTES_MAX) {
      throw Refusal.of(new S3Fault.KeyTooLongError(bytes.length, ObjectKey.BYTES_MAX));
    }
    return new S3Target(
        bucket,
        ObjectKey.of(bytes)
            .orElseThrow(() -> Refusal.of(new S3Fault.InvalidURI("the key is not UTF-8"))));
  }

  private static String bucket(String segment) throws Refusal {
    return new String(S3Query.decoded(segment), UTF_8);
  }

  private static String hostBucket(String host, String domain) {
    if (domain.isEmpty()) {
      return "";
    }
    int colon = host.lastIndexOf(':');
    String name = (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
    String tail = "." + domain.toLowerCase(Locale.ROOT);
    return name.endsWith(tail) ? name.substring(0, name.length() - tail.length()) : "";
  }

  public Level level() {
    if (key != null) {
      return Level.OBJECT;
    }
    return bucket.isEmpty() ? Level.SERVICE : Level.BUCKET;
  }
}
