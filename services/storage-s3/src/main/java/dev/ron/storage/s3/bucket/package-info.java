/**
 * Operations on buckets.
 *
 * <pre>
 * all of a caller ..... ListBuckets
 * make one ............ CreateBucket
 * is it there ......... HeadBucket
 * delete one .......... DeleteBucket
 * its region .......... GetBucketLocation
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.bucket;

import org.jspecify.annotations.NullMarked;
