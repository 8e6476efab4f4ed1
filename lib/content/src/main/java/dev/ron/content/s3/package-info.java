/**
 * A store in an S3 bucket; everything read from it is verified before it is handed out.
 *
 * <pre>
 * the store ..................................... S3Store
 * its settings and credentials .................. S3Config, S3Credentials
 * keys and requests of the bucket ............... S3Bucket
 * calls with deadlines, retries and a breaker ... S3Calls
 * upload in one or many parts ................... S3Upload
 * opens ranges, reads one verified .............. S3Reads, S3Reader
 * failed request and its fault .................. S3Failure
 * objects found damaged, to be overwritten ...... Suspects
 * </pre>
 */
@NullMarked
package dev.ron.content.s3;

import org.jspecify.annotations.NullMarked;
