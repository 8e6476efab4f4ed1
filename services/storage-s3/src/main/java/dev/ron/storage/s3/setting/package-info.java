/**
 * What is set on a bucket as a whole.
 *
 * <pre>
 * the lock that new versions get ................ LockRule
 * show whether versions are kept ................ GetBucketVersioning
 * keep versions, or stop it ..................... PutBucketVersioning
 * a setting that is one document ................ SettingDocument
 * its verbs ..................................... GetBucketSetting PutBucketSetting
 *                                                 DeleteBucketSetting
 * whose others' objects are, as a document ...... OwnershipControls
 * what cannot be set, as clients ask for it ..... FixedAnswer
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.setting;

import org.jspecify.annotations.NullMarked;
