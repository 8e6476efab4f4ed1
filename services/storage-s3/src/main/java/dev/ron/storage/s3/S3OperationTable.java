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
import dev.ron.storage.s3.form.PostObject;
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
import dev.ron.storage.s3.policy.GetBucketPolicyStatus;
import dev.ron.storage.s3.setting.DeleteBucketSetting;
import dev.ron.storage.s3.setting.FixedAnswer;
import dev.ron.storage.s3.setting.GetBucketSetting;
import dev.ron.storage.s3.setting.GetBucketVersioning;
import dev.ron.storage.s3.setting.PutBucketSetting;
import dev.ron.storage.s3.setting.PutBucketVersioning;
import dev.ron.storage.s3.setting.SettingDocument;
import dev.ron.storage.s3.tag.DeleteObjectTagging;
import dev.ron.storage.s3.tag.GetObjectTagging;
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
    addDocuments(operations, context);
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

  /** What a bucket is told by one document: get, put and delete of each. */
  private static void addDocuments(S3Operations operations, S3Context context) {
    Names names = context.names();
    for (SettingDocument document : S3SettingTable.DOCUMENTS) {
      String part = document.part();
      String noun = document.noun();
      operations
          .add("GET", BUCKET, part, "Get" + noun, new GetBucketSetting(names.view(), document))
          .add("PUT", BUCKET, part, "Put" + noun, new PutBucketSetting(names, document))
          .add("DELETE", BUCKET, part, "Delete" + noun, new DeleteBucketSetting(names, document));
    }
  }

  /** Versions, tags and locks. */
  private static void addSettings(S3Operations operations, S3Context context) {
    Names names = context.names();
    NameView view = names.view();
    operations
        .add("GET", BUCKET, "versioning", "GetBucketVersioning", new GetBucketVersioning())
        .add("PUT", BUCKET, "versioning", "PutBucketVersioning", new PutBucketVersioning(names))
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
        .add("PUT", OBJECT, "legal-hold", "PutObjectLegalHold", new PutObjectLegalHold(names));
  }

  /** Who may do what. */
  private static void addAccess(S3Operations operations, S3Context context) {
    Names names = context.names();
    NameView view = names.view();
    operations
        .add("GET", BUCKET, "acl", "GetBucketAcl", new GetBucketAcl())
        .add("PUT", BUCKET, "acl", "PutBucketAcl", new PutBucketAcl(names))
        .add("GET", OBJECT, "acl", "GetObjectAcl", new GetObjectAcl(view))
        .add("PUT", OBJECT, "acl", "PutObjectAcl", new PutObjectAcl(names))
        .add(
            "GET",
            BUCKET,
            "policyStatus",
            "GetBucketPolicyStatus",
            new GetBucketPolicyStatus(view));
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
