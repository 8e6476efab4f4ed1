package dev.ron.content.s3;

/**
 * How this node proves itself to an S3-compatible store; never printed.
 *
 * <p>Threading: immutable.
 */
public record S3Credentials(String accessKey, String secretKey) {
  public S3Credentials {
    if (accessKey.isBlank() || secretKey.isBlank()) {
      throw new IllegalArgumentException("an S3 key is blank");
    }
  }

  @Override
  public String toString() {
    return "S3Credentials[hidden]";
  }
}
