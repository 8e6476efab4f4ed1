package dev.ron.storage.s3;

import static dev.ron.storage.s3.api.S3Target.Level.BUCKET;
import static dev.ron.storage.s3.api.S3Target.Level.OBJECT;
import static dev.ron.storage.s3.api.S3Target.Level.SERVICE;

import dev.ron.storage.s3.acl.GetBucketAcl;
import dev.ron.storage.s3.acl.GetObjectAcl;
import dev.ron.storage.s3.acl.PutBucketAcl;
import dev.ron.storage.s3.acl.PutObjectAcl;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Context;
import dev.ron.storage.s3.api.S3Operations;
import dev.ron.storage.s3.bucket.CreateBucket;
import dev.ron.storage.s3.bucket.DeleteBucket;
import dev.ron.storage.s3.bucket.GetBucketLocation;
import dev.ron.storage.s3.bucket.HeadBucket;
import dev.ron.storage.s3.bucket.ListBuckets;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.cors.DeleteBucketCors;
import dev.ron.storage.s3.cors.GetBucketCors;
import dev.ron.storage.s3.cors.PutBucketCors;
import dev.ron.storage.s3.form.PostObject;
import dev.ron.storage.s3.lifecycle.DeleteBucketLifecycle;
import dev.ron.storage.s3.lifecycle.GetBucketLifecycle;
import dev.ron.storage.s3.lifecycle.PutBucketLifecycle;
import dev.ron.storage.s3.listing.ListBucketObjects;
import dev.ron.storage.s3.listing.ListMultipartUploads;
import dev.ron.storage.s3.listing.ListObjectVersions;
import dev.ron.storage.s3.lock.GetObjectLegalHold;
import dev.ron.storage.s3.lock.GetObjectLockConfiguration;
import dev.ron.storage.s3.lock.GetObjectRetention;
import dev.ron.storage.s3.lock.PutObjectLegalHold;
import dev.ron.storage.s3.lock.PutObjectLockConfiguration;
import dev.ron.storage.s3.lock.PutObjectRetention;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.object.CopyObject;
import dev.ron.storage.s3.object.DeleteObject;
import dev.ron.storage.s3.object.DeleteObjects;
import dev.ron.storage.s3.object.GetObject;
import dev.ron.storage.s3.object.GetObjectAttributes;
import dev.ron.storage.s3.object.PutObject;
import dev.ron.storage.s3.policy.DeleteBucketPolicy;
import dev.ron.storage.s3.policy.DeletePublicAccessBlock;
import dev.ron.storage.s3.policy.GetBucketPolicy;
import dev.ron.storage.s3.policy.GetBucketPolicyStatus;
import dev.ron.storage.s3.policy.GetPublicAccessBlock;
import dev.ron.storage.s3.policy.PutBucketPolicy;
import dev.ron.storage.s3.policy.PutPublicAccessBlock;
import dev.ron.storage.s3.setting.DeleteBucketSetting;
import dev.ron.storage.s3.setting.FixedAnswer;
import dev.ron.storage.s3.setting.GetBucketVersioning;
import dev.ron.storage.s3.setting.GetOwnershipControls;
import dev.ron.storage.s3.setting.PutBucketVersioning;
import dev.ron.storage.s3.setting.PutOwnershipControls;
import dev.ron.storage.s3.tag.DeleteObjectTagging;
import dev.ron.storage.s3.tag.GetBucketTagging;
import dev.ron.storage.s3.tag.GetObjectTagging;
import dev.ron.storage.s3.tag.PutBucketTagging;
import dev.ron.storage.s3.tag.PutObjectTagging;
import dev.ron.storage.s3.upload.AbortMultipartUpload;
import dev.ron.storage.s3.upload.CompleteMultipartUpload;
import dev.ron.storage.s3.upload.CopyUploadPart;
import dev.ron.storage.s3.upload.CreateMultipartUpload;
import dev.ron.storage.s3.upload.ListParts;
import dev.ron.storage.s3.upload.PutUploadPart;

/**
 * Every operation of the door, one line each.
 *
 * <p>Threading: stateless.
 */
final class S3OperationTable {
  private S3OperationTable() {}

  static S3Operations of(S3Context context) {
    var operations = new S3Operations();
    addBuckets(operations, context);
    addSettings(operations, context);
    addAccess(operations, context);
    addObjects(operations, context);
    addUploads(operations, context);
    addFixed(operations);
    return operations;
  }

  /** Buckets and what is in them. */
  private static void addBuckets(S3Operations operations, S3Context context) {
    Names names = context.names();
    NameView view = names.view();
    String region = context.config().region();
    operations
        .add("GET", SERVICE, "", "ListBuckets", new ListBuckets(view))
        .add("PUT", BUCKET, "", "CreateBucket", new CreateBucket(names, region))
        .add("HEAD", BUCKET, "", "HeadBucket", new HeadBucket(region))
        .add("DELETE", BUCKET, "", "DeleteBucket", new DeleteBucket(names))
        .add("GET", BUCKET, "location", "GetBucketLocation", new GetBucketLocation(view))
        .add("GET", BUCKET, "", "ListObjects", new ListBucketObjects(names))
        .add("GET", BUCKET, "versions", "ListObjectVersions", new ListObjectVersions(names))
        .add("POST", BUCKET, "delete", "DeleteObjects", new DeleteObjects(names))
        .add("POST", BUCKET, "", "PostObject", new PostObject());
  }

  /** Versions, tags, locks and lifecycles. */
  private static void addSettings(S3Operations operations, S3Context context) {
    Names names = context.names();
    NameView view = names.view();
    operations
        .add("GET", BUCKET, "versioning", "GetBucketVersioning", new GetBucketVersioning())
        .add("PUT", BUCKET, "versioning", "PutBucketVersioning", new PutBucketVersioning(names))
        .add("GET", BUCKET, "tagging", "GetBucketTagging", new GetBucketTagging(view))
        .add("PUT", BUCKET, "tagging", "PutBucketTagging", new PutBucketTagging(names))
        .add(
            "DELETE",
            BUCKET,
            "tagging",
            "DeleteBucketTagging",
            new DeleteBucketSetting(names, BucketSetting.TAGS, S3Action.PUT_BUCKET_TAGS))
        .add(
            "GET",
            BUCKET,
            "object-lock",
            "GetObjectLockConfiguration",
            new GetObjectLockConfiguration(view))
        .add(
            "PUT",
            BUCKET,
            "object-lock",
            "PutObjectLockConfiguration",
            new PutObjectLockConfiguration(names))
        .add("GET", OBJECT, "tagging", "GetObjectTagging", new GetObjectTagging())
        .add("PUT", OBJECT, "tagging", "PutObjectTagging", new PutObjectTagging(names))
        .add("DELETE", OBJECT, "tagging", "DeleteObjectTagging", new DeleteObjectTagging(names))
        .add("GET", OBJECT, "retention", "GetObjectRetention", new GetObjectRetention())
        .add("PUT", OBJECT, "retention", "PutObjectRetention", new PutObjectRetention(names))
        .add("GET", OBJECT, "legal-hold", "GetObjectLegalHold", new GetObjectLegalHold())
        .add("PUT", OBJECT, "legal-hold", "PutObjectLegalHold", new PutObjectLegalHold(names))
        .add("GET", BUCKET, "lifecycle", "GetBucketLifecycle", new GetBucketLifecycle(view))
        .add("PUT", BUCKET, "lifecycle", "PutBucketLifecycle", new PutBucketLifecycle(names))
        .add(
            "DELETE",
            BUCKET,
            "lifecycle",
            "DeleteBucketLifecycle",
            new DeleteBucketLifecycle(names));
  }

  /** Who may do what. */
  private static void addAccess(S3Operations operations, S3Context context) {
    Names names = context.names();
    NameView view = names.view();
    operations
        .add("GET", BUCKET, "acl", "GetBucketAcl", new GetBucketAcl())
        .add("PUT", BUCKET, "acl", "PutBucketAcl", new PutBucketAcl(names))
        .add(
            "GET",
            BUCKET,
            "ownershipControls",
            "GetBucketOwnershipControls",
            new GetOwnershipControls(view))
        .add(
            "PUT",
            BUCKET,
            "ownershipControls",
            "PutBucketOwnershipControls",
            new PutOwnershipControls(names))
        .add(
            "DELETE",
            BUCKET,
            "ownershipControls",
            "DeleteBucketOwnershipControls",
            new DeleteBucketSetting(names, BucketSetting.OWNERSHIP, S3Action.PUT_OWNERSHIP))
        .add("GET", OBJECT, "acl", "GetObjectAcl", new GetObjectAcl(view))
        .add("PUT", OBJECT, "acl", "PutObjectAcl", new PutObjectAcl(names))
        .add("GET", BUCKET, "policy", "GetBucketPolicy", new GetBucketPolicy(view))
        .add("PUT", BUCKET, "policy", "PutBucketPolicy", new PutBucketPolicy(names))
        .add("DELETE", BUCKET, "policy", "DeleteBucketPolicy", new DeleteBucketPolicy(names))
        .add(
            "GET", BUCKET, "policyStatus", "GetBucketPolicyStatus", new GetBucketPolicyStatus(view))
        .add(
            "GET",
            BUCKET,
            "publicAccessBlock",
            "GetPublicAccessBlock",
            new GetPublicAccessBlock(view))
        .add(
            "PUT",
            BUCKET,
            "publicAccessBlock",
            "PutPublicAccessBlock",
            new PutPublicAccessBlock(names))
        .add(
            "DELETE",
            BUCKET,
            "publicAccessBlock",
            "DeletePublicAccessBlock",
            new DeletePublicAccessBlock(names))
        .add("GET", BUCKET, "cors", "GetBucketCors", new GetBucketCors(view))
        .add("PUT", BUCKET, "cors", "PutBucketCors", new PutBucketCors(names))
        .add("DELETE", BUCKET, "cors", "DeleteBucketCors", new DeleteBucketCors(names));
  }

  /** Objects. */
  private static void addObjects(S3Operations operations, S3Context context) {
    Names names = context.names();
    operations
        .add("PUT", OBJECT, "", "PutObject", new PutObject())
        .addCopy("PUT", OBJECT, "", "CopyObject", new CopyObject())
        .add("GET", OBJECT, "", "GetObject", new GetObject())
        .add("HEAD", OBJECT, "", "HeadObject", new GetObject())
        .add("DELETE", OBJECT, "", "DeleteObject", new DeleteObject(names))
        .add("GET", OBJECT, "attributes", "GetObjectAttributes", new GetObjectAttributes());
  }

  /** Uploads in parts. */
  private static void addUploads(S3Operations operations, S3Context context) {
    Names names = context.names();
    NameView view = names.view();
    operations
        .add("GET", BUCKET, "uploads", "ListMultipartUploads", new ListMultipartUploads(names))
        .add("POST", OBJECT, "uploads", "CreateMultipartUpload", new CreateMultipartUpload(names))
        .add("PUT", OBJECT, "uploadId", "UploadPart", new PutUploadPart())
        .addCopy("PUT", OBJECT, "uploadId", "UploadPartCopy", new CopyUploadPart())
        .add("GET", OBJECT, "uploadId", "ListParts", new ListParts(view))
        .add(
            "POST",
            OBJECT,
            "uploadId",
            "CompleteMultipartUpload",
            new CompleteMultipartUpload(names))
        .add("DELETE", OBJECT, "uploadId", "AbortMultipartUpload", new AbortMultipartUpload(names));
  }

  /** What cannot be set here, but clients ask for. */
  private static void addFixed(S3Operations operations) {
    operations
        .add(
            "GET",
            BUCKET,
            "accelerate",
            "GetBucketAccelerateConfiguration",
            FixedAnswer.empty(S3Action.GET_ACCELERATE, "AccelerateConfiguration"))
        .add(
            "GET",
            BUCKET,
            "encryption",
            "GetBucketEncryption",
            FixedAnswer.absent(
                S3Action.GET_ENCRYPTION,
                S3Fault.ServerSideEncryptionConfigurationNotFoundError::new))
        .add(
            "GET",
            BUCKET,
            "logging",
            "GetBucketLogging",
            FixedAnswer.empty(S3Action.GET_LOGGING, "BucketLoggingStatus"))
        .add(
            "GET",
            BUCKET,
            "notification",
            "GetBucketNotificationConfiguration",
            FixedAnswer.empty(S3Action.GET_NOTIFICATION, "NotificationConfiguration"))
        .add(
            "GET",
            BUCKET,
            "replication",
            "GetBucketReplication",
            FixedAnswer.absent(
                S3Action.GET_REPLICATION, S3Fault.ReplicationConfigurationNotFoundError::new))
        .add(
            "GET",
            BUCKET,
            "requestPayment",
            "GetBucketRequestPayment",
            FixedAnswer.of(
                S3Action.GET_REQUEST_PAYMENT,
                "RequestPaymentConfiguration",
                "Payer",
                "BucketOwner"))
        .add(
            "GET",
            BUCKET,
            "website",
            "GetBucketWebsite",
            FixedAnswer.absent(S3Action.GET_WEBSITE, S3Fault.NoSuchWebsiteConfiguration::new));
  }
}
