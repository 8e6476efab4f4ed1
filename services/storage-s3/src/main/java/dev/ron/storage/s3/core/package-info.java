/**
 * The nouns of S3, without a thread, a clock or I/O.
 *
 * <pre>
 * a bucket .................................. Bucket
 * its name .................................. BucketName
 * what else is set of it .................... BucketSetting
 * whose objects in it are ................... ObjectOwnership
 * the name of an object ..................... ObjectKey
 * one version of it, or a delete marker ..... ObjectVersion
 * which version is meant .................... VersionRef
 * names a version or an upload .............. Uid
 * what ETag says ............................ EntityTag
 * a checksum that was found right ........... StoredChecksum
 * where the bytes are ....................... ObjectContent
 * a piece of a block ........................ Extent
 * the hash of all of them, as a field ....... ObjectAddress
 * an upload in parts ........................ MultipartUpload
 * one of its parts .......................... UploadPart
 * what must be true for a write ............. WriteCondition
 * until when a version is locked ............ Retention
 * who besides the owner is let in ........... Acl
 * one permission of it ...................... AclGrant
 * a list by name ............................ CannedAcl
 * how it is encrypted ....................... ObjectEncryption
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.core;

import org.jspecify.annotations.NullMarked;
