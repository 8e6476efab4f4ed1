/**
 * The HTTP verbs on objects, uploads and repair: each parses, acts and answers, in that order.
 *
 * <pre>
 * all routes ............................................. StorageRoutes
 * what every verb works with ............................. StorageContext
 * capability checks ...................................... StorageRights
 * GET and HEAD of an object .............................. Get
 * several ranges in one multipart/byteranges answer ...... GetRanges
 * GET as a slice that proves itself ...................... Proof
 * PUT and POST of an object .............................. Put
 * DELETE of an object .................................... Delete
 * GET of a page of objects ............................... ListObjects
 * multipart uploads: begin, part, status, complete, abort .. UploadRoutes
 * JSON body that begins or completes an upload ........... UploadRequest
 * GET of plans, budget, progress and volumes ............. RepairReport
 * records of the JSON answers ............................ StorageJson
 * gzip and zstd decoders, refusals counted ............... CountedDecoders
 * </pre>
 */
@NullMarked
package dev.ron.storage.api;

import org.jspecify.annotations.NullMarked;
