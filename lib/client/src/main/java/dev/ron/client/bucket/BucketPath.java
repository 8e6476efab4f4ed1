package dev.ron.client.bucket;

import java.nio.charset.StandardCharsets;

/**
 * A bucket and a key or prefix in it, written {@code s3://bucket/key}.
 *
 * <p>Threading: immutable.
 *
 * @param key empty for the bucket itself
 */
public record BucketPath(String bucket, String key) {
  private static final String START = "s3://";
  private static final int KEY_BYTES_MAX = 1024;

  /** Checks what every server would refuse. */
  public BucketPath {
    if (bucket.isEmpty() || bucket.indexOf('/') >= 0) {
      throw new IllegalArgumentException("s3:// is followed by a bucket: s3://bucket/key");
    }
    if (key.getBytes(StandardCharsets.UTF_8).length > KEY_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a key has at most %d bytes: %s".formatted(KEY_BYTES_MAX, key));
    }
  }

  /** Whether a word of the command line means a bucket rather than a file. */
  public static boolean isOne(String text) {
    return text.regionMatches(true, 0, START, 0, START.length());
  }

  /** Reads {@code s3://bucket/key}. */
  public static BucketPath parse(String text) {
    if (!isOne(text)) {
      throw new IllegalArgumentException("%s is not s3://bucket/key".formatted(text));
    }
    String rest = text.substring(START.length());
    int slash = rest.indexOf('/');
    return slash < 0
        ? new BucketPath(rest, "")
        : new BucketPath(rest.substring(0, slash), rest.substring(slash + 1));
  }

  /** The same bucket with another key. */
  public BucketPath at(String other) {
    return new BucketPath(bucket, other);
  }

  /** What stands below this one: a slash lies between. */
  public BucketPath below(String name) {
    return at(key.isEmpty() || key.endsWith("/") ? key + name : key + "/" + name);
  }

  /** What follows the last slash of the key. */
  public String name() {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  @Override
  public String toString() {
    return START + bucket + "/" + key;
  }
}
