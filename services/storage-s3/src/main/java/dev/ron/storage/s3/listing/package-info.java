/**
 * Pages of keys, versions and uploads.
 *
 * <pre>
 * objects of a bucket ................... ListBucketObjects
 * all versions of them .................. ListObjectVersions
 * open uploads .......................... ListMultipartUploads
 * parameters that listings share ........ ListQuery
 * which part of a bucket is shown ....... ListRequest
 * keys and common prefixes in order ..... ObjectListing
 * objects as its source ................. ObjectRows
 * versions in order ..................... VersionListing
 * the walk over open uploads ............ UploadListing
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.listing;

import org.jspecify.annotations.NullMarked;
