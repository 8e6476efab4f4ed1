/**
 * Uploads in parts, as S3 clients begin, fill, complete and abort them.
 *
 * <pre>
 * begin an upload ...................... CreateMultipartUpload
 * a part that is sent .................. PutUploadPart
 * a part made of stored bytes .......... CopyUploadPart
 * an object of the parts ............... CompleteMultipartUpload
 * end an upload without an object ...... AbortMultipartUpload
 * the parts so far ..................... ListParts
 * the upload a request is about ........ OpenUpload
 * which checksum an upload has ......... UploadChecksum
 * the parts a completion names ......... PartList
 * size, tag and checksum of all parts .. PartSummary
 * what the client says of the object ... ObjectClaim
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.upload;

import org.jspecify.annotations.NullMarked;
