package dev.ron.node.s3;

import dev.ron.capability.KeyPair;
import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketEndpoint;
import dev.ron.node.cap.CapCommand;
import dev.ron.node.cli.CommandClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Where the server is and who asks; shared by all commands that call it.
 *
 * <p>Threading: owned by the command that reads its flags.
 */
public final class S3Options {
  @Option(
      names = {"--endpoint", "--url"},
      defaultValue = "${env:RON_URL_S3:-http://127.0.0.1:8085}",
      description = "The S3 door; ${DEFAULT-VALUE} if not given.")
  private String endpoint = "http://127.0.0.1:8085";

  @Option(
      names = "--cap",
      defaultValue = "${env:RON_CAP:-}",
      description = "The capability to sign with; the variable RON_CAP if not given.")
  private String capability = "";

  @Option(names = "--access-key", description = "Instead of a capability, the id of a key pair.")
  private @Nullable String accessKey;

  @Option(
      names = "--secret-key",
      description = "Its secret; AWS_SECRET_ACCESS_KEY if not given, which other users cannot see.")
  private @Nullable String secretKey;

  @Option(names = "--session-token", description = "What goes with a temporary key pair.")
  private @Nullable String sessionToken;

  @Option(
      names = "--region",
      defaultValue = BucketEndpoint.REGION,
      description = "What the signature names as the region; ${DEFAULT-VALUE} if not given.")
  private String region = BucketEndpoint.REGION;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "PEM file of the only certificates to trust, such as the door's own.")
  private @Nullable Path ca;

  @Option(names = "--json", description = "One JSON object a line, and no progress bar.")
  private boolean json;

  boolean json() {
    return json;
  }

  public BucketClient client() throws IOException {
    return new BucketClient(
        CommandClient.scope(), server(System.getenv()), Optional.ofNullable(ca));
  }

  BucketEndpoint server(Map<String, String> environment) {
    return server(
        endpoint,
        Optional.ofNullable(accessKey),
        Optional.ofNullable(secretKey),
        Optional.ofNullable(sessionToken),
        capability,
        region,
        environment);
  }

  /**
   * A key pair that is named counts first, then the capability, then the variables of AWS; with
   * none of them requests are not signed, and public buckets answer.
   */
  static BucketEndpoint server(
      String endpoint,
      Optional<String> accessKey,
      Optional<String> secretKey,
      Optional<String> sessionToken,
      String capability,
      String region,
      Map<String, String> environment) {
    URI uri = URI.create(endpoint);
    if (accessKey.isEmpty() && !capability.isEmpty()) {
      KeyPair pair = KeyPair.of(CapCommand.decoded(capability));
      return BucketEndpoint.signed(
          uri, pair.accessKeyId(), pair.secret(), pair.sessionToken(), region);
    }
    Optional<String> id = accessKey.or(() -> variable(environment, "AWS_ACCESS_KEY_ID"));
    if (id.isEmpty()) {
      return new BucketEndpoint(uri, Optional.empty());
    }
    String secret =
        secretKey
            .or(() -> variable(environment, "AWS_SECRET_ACCESS_KEY"))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "--access-key needs --secret-key or AWS_SECRET_ACCESS_KEY"));
    Optional<String> token =
        accessKey.isPresent()
            ? sessionToken
            : sessionToken.or(() -> variable(environment, "AWS_SESSION_TOKEN"));
    return BucketEndpoint.signed(uri, id.get(), secret, token, region);
  }

  private static Optional<String> variable(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
  }
}
