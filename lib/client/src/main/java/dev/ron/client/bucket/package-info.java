/**
 * A client of S3: buckets and objects of a node of Ron or of any other server that speaks it.
 *
 * <pre>
 * one operation each ..................... BucketClient
 * signs, sends, repeats .................. SignedCalls
 * where a server is and who asks ......... BucketEndpoint
 * a bucket and a key, as s3:// ........... BucketPath
 * a document in an answer ................ AnswerElement
 * a listing, a page at a time ............ ListedObjects
 * an object of a listing ................. ListedObject
 * what a server says of an object ........ ObjectHead
 * bytes to send, hashed before ........... ObjectPayload
 * how an object is cut into parts ........ PartPlan
 * an object on its way there ............. ObjectUpload
 * an object on its way back .............. ObjectDownload
 * whether bytes are the ones promised .... ContentCheck
 * several transfers at a time ............ ParallelWork
 * what a synchronization has to do ....... SyncPlan
 * a bucket brought from elsewhere ........ BucketMirror
 * </pre>
 */
@NullMarked
package dev.ron.client.bucket;

import org.jspecify.annotations.NullMarked;
