package dev.ron.storage.tier;

import dev.ron.config.Section;
import dev.ron.config.value.ByteSize;
import dev.ron.config.value.Secret;
import dev.ron.content.s3.S3Config;
import dev.ron.content.s3.S3Credentials;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * A bucket for what one's own disks have no room for.
 *
 * <p>Threading: immutable.
 *
 * @param keepBytes what stays on this node's disks
 * @param rest what was read or written since stays too
 */
public record TierConfig(S3Config bucket, ByteSize keepBytes, Duration rest, Duration period) {
  public TierConfig {
    if (keepBytes.bytes() == 0) {
      throw new IllegalArgumentException(
          "tier.keep_bytes = 0B with tier.s3_endpoint: say how much stays on the disks here");
    }
  }

  /** Nothing without an endpoint. */
  public static Optional<TierConfig> read(Section section) {
    String endpoint =
        section
            .key("s3_endpoint", "")
            .doc("An S3-compatible store for cold objects; empty is none.")
            .text();
    String bucket = section.key("bucket", "").doc("Its bucket, which must exist.").text();
    String region =
        section.key("region", "us-east-1").doc("What requests to it are signed for.").text();
    String prefix =
        section
            .key("prefix", "")
            .doc("What every key in the bucket begins with; empty or ending in /.")
            .text();
    String accessKey =
        section
            .key("access_key", "")
            .doc("Empty looks where AWS tools do: environment, shared credentials file.")
            .text();
    Secret secretKey = section.key("secret_key", "").doc("Goes with `access_key`.").secret();
    ByteSize keep =
        section
            .key("keep_bytes", "0B")
            .doc("Bytes of objects that stay on the disks here; with more, cold ones go.")
            .size("0B", "8000TiB");
    Duration rest =
        section
            .key("rest", "1h")
            .doc("What was read or written so lately does not go.")
            .duration("0s", "365d");
    Duration period =
        section
            .key("period", "1m")
            .doc("How often it is looked whether something should go.")
            .duration("10ms", "1d");
    if (endpoint.isEmpty()) {
      return Optional.empty();
    }
    S3Config store = S3Config.of(uri(endpoint), bucket).withPlace(region, prefix);
    if (!accessKey.isEmpty()) {
      store = store.withCredentials(new S3Credentials(accessKey, secretKey.reveal()));
    }
    return Optional.of(new TierConfig(store, keep, rest, period));
  }

  private static URI uri(String endpoint) {
    try {
      return URI.create(endpoint);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          "tier.s3_endpoint = " + endpoint + " is no http or https URL", wrong);
    }
  }
}
