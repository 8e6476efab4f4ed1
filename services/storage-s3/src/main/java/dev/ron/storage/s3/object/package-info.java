/**
 * Operations on objects.
 *
 * <pre>
 * store an object ................................ PutObject
 * send it, or what is known of it ................ GetObject
 * delete it ...................................... DeleteObject
 * delete several ................................. DeleteObjects
 * the version a read is about .................... FoundVersion
 * an object without its bytes .................... ObjectDraft
 * fields that are stored and answered ............ ObjectFields
 * fields of an answer that a request chooses ..... AnswerOverrides
 * gives a name to stored bytes ................... NamedBody
 * room for the bytes of a name ................... StoredQuota
 * conditions of a request ........................ RequestConditions
 * tags in its fields ............................. RequestTags
 * the list in its fields ......................... RequestAcl
 * the lock in its fields ......................... RequestLock
 * a second name for stored bytes ................. CopyObject
 * the object a copy is made of ................... CopySource
 * its bytes, pinned for the copy ................. SharedBody
 * which of its bytes ............................. SourceRange
 * what a range is made of ........................ SourcePieces
 * a part with its place in the object ............ PlacedPart
 * what is known of an object ..................... GetObjectAttributes
 * change of tags, grants or lock ................. ObjectAmendment
 * owner and list of what a request stores ........ RequestOwner
 * what it says of encryption ..................... RequestEncryption
 * what a copy is encrypted with .................. CopyKey
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.object;

import org.jspecify.annotations.NullMarked;
