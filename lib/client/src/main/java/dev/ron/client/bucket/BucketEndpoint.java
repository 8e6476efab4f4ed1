package dev.ron.client.bucket;

import dev.ron.http.client.Origin;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import java.net.URI;
import java.util.Optional;

/**
 * Where a server is and who asks it.
 *
 * <p>Threading: immutable.
 *
 * @param signer empty for requests without a signature, which public buckets answer
 */
public record BucketEndpoint(URI uri, Optional<RequestSigner> signer) {
  public static final String REGION = "us-east-1";

  /** Checks that it is an origin and nothing more. */
  public BucketEndpoint {
    String path = uri.getRawPath();
    if (path != null && path.length() > 1) {
      throw new IllegalArgumentException(
          "an endpoint is scheme, host and port, without a path: " + uri);
    }
    if (!"http".equals(uri.getScheme()) && !"https".equals(uri.getScheme())) {
      throw new IllegalArgumentException("an endpoint begins with http:// or https://: " + uri);
    }
    Origin.of(uri);
  }

  /** Signs with a key pair. */
  public static BucketEndpoint signed(
      URI uri, String accessKey, String secretKey, Optional<String> sessionToken, String region) {
    return new BucketEndpoint(
        uri,
        Optional.of(
            new RequestSigner(ServiceRules.S3, accessKey, secretKey, sessionToken, region)));
  }

  /** The server, as a fault of the client names it. */
  public Origin origin() {
    return Origin.of(uri);
  }
}
