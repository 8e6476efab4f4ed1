package dev.ron.storage.s3;

import static dev.ron.kernel.fault.Said.caller;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;
import java.util.Locale;

/**
 * What the S3 door refuses or fails. The name of a record is the {@code Code} that clients know.
 */
public sealed interface S3Fault extends Fault {
  Duration REST = Duration.ofSeconds(1);

  record AccessDenied(String why) implements S3Fault {}

  record AccessControlListNotSupported() implements S3Fault {}

  record AuthorizationHeaderMalformed(String why) implements S3Fault {}

  record BadDigest(String what) implements S3Fault {}

  record BucketAlreadyExists(String bucket) implements S3Fault {}

  record BucketAlreadyOwnedByYou(String bucket) implements S3Fault {}

  record BucketNotEmpty(String bucket) implements S3Fault {}

  record EntityTooLarge(long bytesMax) implements S3Fault {}

  record EntityTooSmall(int part, long sizeBytes, long bytesMin) implements S3Fault {}

  record IllegalLocationConstraintException(String region) implements S3Fault {}

  record IncompleteBody(String why) implements S3Fault {}

  record ServerError(String why) implements S3Fault {}

  record InvalidArgument(String why) implements S3Fault {}

  record InvalidBucketAclWithObjectOwnership(String bucket) implements S3Fault {}

  record InvalidBucketName(String bucket) implements S3Fault {}

  record InvalidBucketState(String why) implements S3Fault {}

  record InvalidDigest(String why) implements S3Fault {}

  record InvalidObjectState(String why) implements S3Fault {}

  record InvalidPart(String why) implements S3Fault {}

  record InvalidPartOrder() implements S3Fault {}

  record InvalidPolicyDocument(String why) implements S3Fault {}

  record InvalidRange(String asked, long sizeBytes) implements S3Fault {}

  record InvalidRequest(String why) implements S3Fault {}

  record InvalidRetentionPeriod(String why) implements S3Fault {}

  record InvalidTag(String why) implements S3Fault {}

  record InvalidURI(String why) implements S3Fault {}

  record KeyTooLongError(int bytes, int bytesMax) implements S3Fault {}

  record MalformedACLError(String why) implements S3Fault {}

  record MalformedPOSTRequest(String why) implements S3Fault {}

  record MalformedPolicy(String why) implements S3Fault {}

  record MalformedXML(String why) implements S3Fault {}

  record MaxMessageLengthExceeded(long bytesMax) implements S3Fault {}

  record MetadataTooLarge(int bytes, int bytesMax) implements S3Fault {}

  /**
   * @param markerMillis when the delete marker was made that is meant; 0 if none is
   */
  record MethodNotAllowed(String method, long markerMillis) implements S3Fault {
    public MethodNotAllowed(String method) {
      this(method, 0);
    }
  }

  record MissingContentLength() implements S3Fault {}

  record MissingSecurityHeader(String header) implements S3Fault {}

  record NoSuchBucket(String bucket) implements S3Fault {}

  record NoSuchBucketPolicy(String bucket) implements S3Fault {}

  record NoSuchCORSConfiguration(String bucket) implements S3Fault {}

  /**
   * @param hidden whether it is there behind a delete marker
   */
  record NoSuchKey(String key, boolean hidden) implements S3Fault {
    public NoSuchKey(String key) {
      this(key, false);
    }
  }

  record NoSuchLifecycleConfiguration(String bucket) implements S3Fault {}

  record NoSuchObjectLockConfiguration(String key) implements S3Fault {}

  record NoSuchPublicAccessBlockConfiguration(String bucket) implements S3Fault {}

  record NoSuchTagSet(String what) implements S3Fault {}

  record NoSuchUpload(String upload) implements S3Fault {}

  record NoSuchVersion(String version) implements S3Fault {}

  record NoSuchWebsiteConfiguration(String bucket) implements S3Fault {}

  record NotImplemented(String what) implements S3Fault {}

  record ObjectLockConfigurationNotFoundError(String bucket) implements S3Fault {}

  record OwnershipControlsNotFoundError(String bucket) implements S3Fault {}

  record PreconditionFailed(String condition) implements S3Fault {}

  record ReplicationConfigurationNotFoundError(String bucket) implements S3Fault {}

  record RequestTimeout() implements S3Fault {}

  record ServerSideEncryptionConfigurationNotFoundError(String bucket) implements S3Fault {}

  /** Busy, draining, or a disk that takes nothing; clients try again by themselves. */
  record SlowDown(String why, Duration rest) implements S3Fault {}

  /** The disk is full; waiting alone does not help. */
  record InsufficientStorage(String why) implements S3Fault {}

  record UnresolvableGrantByEmailAddress(String email) implements S3Fault {}

  /** As clients know it. */
  default String s3Code() {
    return this instanceof ServerError ? "InternalError" : getClass().getSimpleName();
  }

  @Override
  default Said said() {
    return switch (this) {
      case AccessDenied(var why) -> refused(403, why);
      case AccessControlListNotSupported() ->
          refused(400, "the bucket's owner has switched access control lists off");
      case AuthorizationHeaderMalformed(var why) -> refused(400, why);
      case BadDigest(var what) ->
          refused(400, "the body is not the one that " + what + " was computed over");
      case BucketAlreadyExists(var bucket) -> refused(409, bucket + " is another tenant's bucket");
      case BucketAlreadyOwnedByYou(var bucket) -> refused(409, bucket + " is yours already");
      case BucketNotEmpty(var bucket) ->
          refused(409, bucket + " still has objects, versions or open uploads; delete them first");
      case EntityTooLarge(var max) -> refused(400, "an upload may have up to " + max + " bytes");
      case EntityTooSmall(var part, var size, var min) ->
          refused(
              400,
              "part %d has %d bytes; each part but the last has at least %d"
                  .formatted(part, size, min));
      case IllegalLocationConstraintException(var region) ->
          refused(400, region + " is not this server's region");
      case IncompleteBody(var why) -> refused(400, why);
      case ServerError(var why) -> us(500, dashed(), why);
      case InvalidArgument(var why) -> refused(400, why);
      case InvalidBucketAclWithObjectOwnership(var bucket) ->
          refused(400, "the access control list of " + bucket + " lets in others than its owner");
      case InvalidBucketName(var bucket) ->
          refused(
              400,
              bucket + " is no bucket name: 3 to 63 of a-z, 0-9, dot and dash, not at its ends");
      case InvalidBucketState(var why) -> refused(409, why);
      case InvalidDigest(var why) -> refused(400, why);
      case InvalidObjectState(var why) -> refused(403, why);
      case InvalidPart(var why) -> refused(400, why);
      case InvalidPartOrder() -> refused(400, "the list of parts is not in ascending order");
      case InvalidPolicyDocument(var why) -> refused(400, why);
      case InvalidRange(var asked, var size) ->
          refused(416, asked + " is not within the " + size + " bytes of the object");
      case InvalidRequest(var why) -> refused(400, why);
      case InvalidRetentionPeriod(var why) -> refused(400, why);
      case InvalidTag(var why) -> refused(400, why);
      case InvalidURI(var why) -> refused(400, why);
      case KeyTooLongError(var bytes, var max) ->
          refused(400, "the key has %d bytes, a key may have %d".formatted(bytes, max));
      case MalformedACLError(var why) -> refused(400, why);
      case MalformedPOSTRequest(var why) -> refused(400, why);
      case MalformedPolicy(var why) -> refused(400, why);
      case MalformedXML(var why) -> refused(400, why);
      case MaxMessageLengthExceeded(var max) ->
          refused(400, "the document may have up to " + max + " bytes");
      case MetadataTooLarge(var bytes, var max) ->
          refused(400, "the metadata has %d bytes, it may have %d".formatted(bytes, max));
      case MethodNotAllowed(var method, _) ->
          refused(405, method + " is not allowed against this resource");
      case MissingContentLength() -> refused(411, "the request must say its Content-Length");
      case MissingSecurityHeader(var header) -> refused(400, "the request must carry " + header);
      case NoSuchBucket(var bucket) -> refused(404, "there is no bucket " + bucket);
      case NoSuchBucketPolicy(var bucket) -> refused(404, bucket + " has no policy");
      case NoSuchCORSConfiguration(var bucket) -> refused(404, bucket + " has no CORS rules");
      case NoSuchKey(var key, _) -> refused(404, "there is no object " + key);
      case NoSuchLifecycleConfiguration(var bucket) ->
          refused(404, bucket + " has no lifecycle rules");
      case NoSuchObjectLockConfiguration(var key) -> refused(404, key + " has no such lock");
      case NoSuchPublicAccessBlockConfiguration(var bucket) ->
          refused(404, bucket + " has no public access block");
      case NoSuchTagSet(var what) -> refused(404, what + " has no tags");
      case NoSuchUpload(var upload) ->
          refused(
              404, "no upload " + upload + " is open; it was completed, aborted or never begun");
      case NoSuchVersion(var version) -> refused(404, "there is no version " + version);
      case NoSuchWebsiteConfiguration(var bucket) -> refused(404, bucket + " is no website");
      case NotImplemented(var what) -> refused(501, what + " is not implemented");
      case ObjectLockConfigurationNotFoundError(var bucket) ->
          refused(404, bucket + " has no object lock");
      case OwnershipControlsNotFoundError(var bucket) ->
          refused(404, bucket + " has no ownership controls");
      case PreconditionFailed(var condition) -> refused(412, condition + " does not hold");
      case ReplicationConfigurationNotFoundError(var bucket) ->
          refused(404, bucket + " is not replicated to another bucket");
      case RequestTimeout() -> refused(400, "the body did not arrive in time");
      case ServerSideEncryptionConfigurationNotFoundError(var bucket) ->
          refused(404, bucket + " has no encryption rule");
      case SlowDown(var why, var rest) -> us(503, dashed(), why).after(rest);
      case InsufficientStorage(var why) -> us(507, dashed(), why);
      case UnresolvableGrantByEmailAddress(var email) ->
          refused(400, "no tenant is known by the address " + email);
    };
  }

  private Said refused(int status, String text) {
    return caller(status, dashed(), text);
  }

  /** The same code in the spelling of metrics. */
  private String dashed() {
    return s3Code().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }
}
