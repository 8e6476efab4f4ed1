package dev.ron.storage.s3;

import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.cors.CorsRules;
import dev.ron.storage.s3.encryption.BucketEncryption;
import dev.ron.storage.s3.lifecycle.LifecycleReader;
import dev.ron.storage.s3.policy.BucketAccess;
import dev.ron.storage.s3.policy.PublicAccessBlock;
import dev.ron.storage.s3.setting.OwnershipControls;
import dev.ron.storage.s3.setting.SettingDocument;
import dev.ron.storage.s3.setting.SettingDocument.Rights;
import dev.ron.storage.s3.tag.TagDocument;
import java.util.List;

/**
 * Every setting of a bucket that is one document. A put is answered 200 or 204 as AWS does.
 *
 * <p>Threading: immutable.
 */
final class S3SettingTable {
  private static final String XML = "application/xml";

  static final List<SettingDocument> DOCUMENTS =
      List.of(
          new SettingDocument(
              BucketSetting.TAGS,
              "tagging",
              "BucketTagging",
              XML,
              204,
              new Rights(
                  S3Action.GET_BUCKET_TAGS, S3Action.PUT_BUCKET_TAGS, S3Action.PUT_BUCKET_TAGS),
              S3Fault.NoSuchTagSet::new,
              (document, _, _) -> TagDocument.ofBucket(document)),
          new SettingDocument(
              BucketSetting.LIFECYCLE,
              "lifecycle",
              "BucketLifecycle",
              XML,
              200,
              new Rights(S3Action.GET_LIFECYCLE, S3Action.PUT_LIFECYCLE, S3Action.PUT_LIFECYCLE),
              S3Fault.NoSuchLifecycleConfiguration::new,
              (document, _, _) -> LifecycleReader.checked(document)),
          new SettingDocument(
              BucketSetting.OWNERSHIP,
              "ownershipControls",
              "BucketOwnershipControls",
              XML,
              200,
              new Rights(S3Action.GET_OWNERSHIP, S3Action.PUT_OWNERSHIP, S3Action.PUT_OWNERSHIP),
              S3Fault.OwnershipControlsNotFoundError::new,
              (document, _, _) -> OwnershipControls.kept(document)),
          new SettingDocument(
              BucketSetting.POLICY,
              "policy",
              "BucketPolicy",
              "application/json",
              204,
              new Rights(S3Action.GET_POLICY, S3Action.PUT_POLICY, S3Action.DELETE_POLICY),
              S3Fault.NoSuchBucketPolicy::new,
              BucketAccess::checked),
          new SettingDocument(
              BucketSetting.PUBLIC_ACCESS_BLOCK,
              "publicAccessBlock",
              "PublicAccessBlock",
              XML,
              200,
              new Rights(
                  S3Action.GET_PUBLIC_ACCESS_BLOCK,
                  S3Action.PUT_PUBLIC_ACCESS_BLOCK,
                  S3Action.PUT_PUBLIC_ACCESS_BLOCK),
              S3Fault.NoSuchPublicAccessBlockConfiguration::new,
              (document, _, _) -> PublicAccessBlock.checked(document)),
          new SettingDocument(
              BucketSetting.CORS,
              "cors",
              "BucketCors",
              XML,
              200,
              new Rights(S3Action.GET_CORS, S3Action.PUT_CORS, S3Action.PUT_CORS),
              S3Fault.NoSuchCORSConfiguration::new,
              (document, _, _) -> CorsRules.checked(document)),
          new SettingDocument(
              BucketSetting.ENCRYPTION,
              "encryption",
              "BucketEncryption",
              XML,
              200,
              new Rights(S3Action.GET_ENCRYPTION, S3Action.PUT_ENCRYPTION, S3Action.PUT_ENCRYPTION),
              S3Fault.ServerSideEncryptionConfigurationNotFoundError::new,
              (document, _, _) -> BucketEncryption.checked(document)));

  private S3SettingTable() {}
}
