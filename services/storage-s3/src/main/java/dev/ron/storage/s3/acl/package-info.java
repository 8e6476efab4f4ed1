/**
 * Access control lists of buckets and objects, as they are shown and set.
 *
 * <pre>
 * a list as a document has it ..... AclDocument
 * show a bucket's list ............ GetBucketAcl
 * replace a bucket's list ......... PutBucketAcl
 * show a version's list ........... GetObjectAcl
 * replace a version's list ........ PutObjectAcl
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.acl;

import org.jspecify.annotations.NullMarked;
