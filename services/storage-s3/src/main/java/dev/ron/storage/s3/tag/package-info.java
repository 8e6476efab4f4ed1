/**
 * Tags of buckets and objects.
 *
 * <pre>
 * tags as a document has them ..... TagDocument
 * show a version's tags ........... GetObjectTagging
 * replace a version's tags ........ PutObjectTagging
 * remove a version's tags ......... DeleteObjectTagging
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.tag;

import org.jspecify.annotations.NullMarked;
