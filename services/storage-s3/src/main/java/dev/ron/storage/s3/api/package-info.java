/**
 * The door: from a request to the operation that answers it.
 *
 * <pre>
 * everything that comes in ................ S3Door
 * one operation: parse, handle, write ..... S3Verb
 * what an operation reads ................. S3Call
 * what operations work with ............... S3Context
 * which operation a request means ......... S3Operations
 * service, bucket or object ............... S3Target
 * parameters .............................. S3Query
 * fields in the query of a signed link .... PresignedFields
 * who signed .............................. S3Caller
 * lets it in, within its rate ............. S3Admission
 * the key pair of a request ............... S3Keys
 * what a caller wants to do ............... S3Action
 * whether it may .......................... S3Rights
 * what a right is asked for ............... S3Resource
 * what a policy may ask of a request ...... PolicyContext
 * digests of a body as it comes ........... BodyDigest
 * a body of a length within limits ........ BoundedBody
 * errors as documents ..................... S3ErrorFormat
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.api;

import org.jspecify.annotations.NullMarked;
