/**
 * The HTTP verbs on objects, uploads and repair, one file each, and what they share.
 *
 * <pre>
 * every route with what it takes and answers ... StorageRoutes
 * what every verb works with ................... StorageContext
 * capability checks ............................ StorageRights
 * GET and HEAD of an object or ranges of it .... Get
 * GET as a slice that proves itself ............ Proof
 * PUT and POST of an object .................... Put
 * DELETE of an object .......................... Delete
 * GET of a page of objects ..................... ListObjects
 * an object in JSON ............................ StoredObject
 * multipart upload: begin and complete ......... BeginUpload, CompleteUpload, UploadForm
 * multipart upload: parts, status, abort ....... PutPart, ShowUpload, AbortUpload, UploadName
 * GET of plans, budget, progress and volumes ... RepairReport
 * gzip and zstd decoders, refusals counted ..... CountedDecoders
 * </pre>
 */
@NullMarked
package dev.ron.storage.api;

import org.jspecify.annotations.NullMarked;
