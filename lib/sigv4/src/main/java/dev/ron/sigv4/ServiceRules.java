package dev.ron.sigv4;

/**
 * What differs between the services that take these signatures.
 *
 * <p>S3 takes a path as it is and wants the body's form announced. The others resolve dots and
 * doubled slashes, escape the escapes once more, and hash the body themselves where no hash is
 * sent.
 *
 * <p>Threading: immutable.
 *
 * @param service the name that the scope must have, exactly
 */
public record ServiceRules(String service, boolean pathAsSent, boolean payloadAnnounced) {
  public static final ServiceRules S3 = new ServiceRules("s3", true, true);
  public static final ServiceRules SQS = of("sqs");

  /** Any service but S3. */
  public static ServiceRules of(String service) {
    return new ServiceRules(service, false, false);
  }
}
