package dev.ron.content.s3;

import dev.ron.content.ContentFault;
import dev.ron.content.ContentFault.RemoteFailed;
import dev.ron.content.ContentFault.RemoteFailed.Trouble;
import java.io.InterruptedIOException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A request that failed, and what a caller is told of it.
 *
 * <p>Threading: immutable.
 */
final class S3Failure extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient ContentFault fault;
  private final boolean mendable;

  S3Failure(ContentFault fault, boolean mendable) {
    super(fault.detail());
    this.fault = fault;
    this.mendable = mendable;
  }

  ContentFault fault() {
    return fault;
  }

  /** Another try may go better. */
  boolean isMendable() {
    return mendable;
  }

  boolean isUnreachable() {
    return fault instanceof RemoteFailed remote && remote.trouble() == Trouble.UNREACHABLE;
  }

  /**
   * @throws InterruptedException if that is what ended the request
   */
  static S3Failure of(SdkException failure, S3Config config) throws InterruptedException {
    if (failure instanceof AbortedException || failure.getCause() instanceof InterruptedException) {
      throw new InterruptedException("interrupted while waiting for the remote store");
    }
    String where = config.endpoint() + ", bucket " + config.bucket() + ": ";
    return switch (failure) {
      case NoSuchBucketException _ ->
          failed(Trouble.BUCKET_MISSING, where + "there is no such bucket", false);
      case S3Exception answer when answer.statusCode() == 403 || answer.statusCode() == 401 ->
          failed(Trouble.CREDENTIALS_REFUSED, where + answer.getMessage(), false);
      case S3Exception answer -> {
        int status = answer.statusCode();
        boolean mendable = (status >= 500 && status != 501) || status == 429 || status == 409;
        yield failed(Trouble.REFUSED, where + answer.getMessage(), mendable);
      }
      case SdkClientException client when isAboutCredentials(client) ->
          failed(Trouble.CREDENTIALS_REFUSED, where + client.getMessage(), false);
      default -> failed(Trouble.UNREACHABLE, where + failure.getMessage(), true);
    };
  }

  /** The SDK has no type of its own for a chain of providers that found nothing. */
  private static boolean isAboutCredentials(SdkClientException client) {
    return String.valueOf(client.getMessage()).contains("load credentials");
  }

  /** A stream that broke off in the middle of an answer. */
  static S3Failure broken(java.io.IOException failure, S3Config config)
      throws InterruptedException {
    if (failure instanceof InterruptedIOException
        && !(failure instanceof java.net.SocketTimeoutException)) {
      throw new InterruptedException("interrupted while reading from the remote store");
    }
    String what = config.endpoint() + ": the answer broke off: " + failure.getMessage();
    return failed(Trouble.UNREACHABLE, what, true);
  }

  private static S3Failure failed(Trouble trouble, String what, boolean mendable) {
    return new S3Failure(new RemoteFailed(trouble, what), mendable);
  }
}
