package dev.ron.content.s3;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link S3Store} is set up.
 *
 * <p>Threading: immutable.
 *
 * @param endpoint where the store answers, {@code http} or {@code https}
 * @param bucket must exist; it is never created
 * @param region what requests are signed for; most stores that are not Amazon's take any
 * @param prefix what every key begins with, so that a bucket can be shared; empty or ending in /
 * @param credentials null to look for them where the AWS SDK does: system properties, the
 *     environment, the shared credentials file
 * @param objectBytesMax longer objects are refused
 * @param partBytes longer objects go up in parts of this size, one of which is in memory for each
 *     put
 * @param writersMax puts at a time; more are refused
 * @param readersMax open readers at a time; more are refused
 * @param triesMax how often a request that may be repeated is tried
 * @param connectLimit how long connecting may take
 * @param readLimit how long the store may keep silent while it is read from
 * @param attemptLimit how long one try may take, up to the answer's head
 */
public record S3Config(
    URI endpoint,
    String bucket,
    String region,
    String prefix,
    @Nullable S3Credentials credentials,
    long objectBytesMax,
    int partBytes,
    int writersMax,
    int readersMax,
    int triesMax,
    Duration connectLimit,
    Duration readLimit,
    Duration attemptLimit) {
  /** S3 takes no smaller part, except for the last. */
  public static final int PART_BYTES_MIN = 5 << 20;

  /** S3 takes no more parts than this. */
  private static final long PARTS_MAX = 10_000;

  public S3Config {
    String scheme = endpoint.getScheme();
    boolean web = "http".equals(scheme) || "https".equals(scheme);
    if (!web || endpoint.getHost() == null) {
      throw new IllegalArgumentException("s3_endpoint = " + endpoint + " is no http or https URL");
    }
    if (bucket.isBlank()) {
      throw new IllegalArgumentException("bucket is blank, but s3_endpoint is set");
    }
    if (!prefix.isEmpty() && !prefix.endsWith("/")) {
      throw new IllegalArgumentException("prefix = " + prefix + " does not end in /");
    }
    atLeast("object_bytes_max", objectBytesMax, 1);
    atLeast("part_bytes", partBytes, PART_BYTES_MIN);
    if (objectBytesMax > PARTS_MAX * partBytes) {
      throw new IllegalArgumentException(
          "object_bytes_max = %d is more than %d parts of part_bytes = %d"
              .formatted(objectBytesMax, PARTS_MAX, partBytes));
    }
    atLeast("writers_max", writersMax, 1);
    atLeast("readers_max", readersMax, 1);
    atLeast("tries_max", triesMax, 1);
    positive("connect_limit", connectLimit);
    positive("read_limit", readLimit);
    positive("attempt_limit", attemptLimit);
  }

  private static void atLeast(String key, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(key + " = " + value + ", the least is " + least);
    }
  }

  private static void positive(String key, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(key + " = " + value + " is not positive");
    }
  }

  /** The defaults, each for a reason. */
  public static S3Config of(URI endpoint, String bucket) {
    return new S3Config(
        endpoint,
        bucket,
        "us-east-1",
        "",
        null,
        16L << 30, // as a segment store takes; 3,277 parts
        PART_BYTES_MIN,
        8, // 40 MiB of parts in memory
        64, // 4 MiB of groups in memory
        3,
        Duration.ofSeconds(3),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60)); // 5 MiB through a line of 1 Mbit/s
  }

  public S3Config withCredentials(S3Credentials other) {
    return new S3Config(
        endpoint,
        bucket,
        region,
        prefix,
        other,
        objectBytesMax,
        partBytes,
        writersMax,
        readersMax,
        triesMax,
        connectLimit,
        readLimit,
        attemptLimit);
  }

  public S3Config withPlace(String otherRegion, String otherPrefix) {
    return new S3Config(
        endpoint,
        bucket,
        otherRegion,
        otherPrefix,
        credentials,
        objectBytesMax,
        partBytes,
        writersMax,
        readersMax,
        triesMax,
        connectLimit,
        readLimit,
        attemptLimit);
  }

  public S3Config withBounds(long objectMax, int writers, int readers) {
    return new S3Config(
        endpoint,
        bucket,
        region,
        prefix,
        credentials,
        objectMax,
        partBytes,
        writers,
        readers,
        triesMax,
        connectLimit,
        readLimit,
        attemptLimit);
  }

  public S3Config withPatience(int tries, Duration connect, Duration read, Duration attempt) {
    return new S3Config(
        endpoint,
        bucket,
        region,
        prefix,
        credentials,
        objectBytesMax,
        partBytes,
        writersMax,
        readersMax,
        tries,
        connect,
        read,
        attempt);
  }
}
