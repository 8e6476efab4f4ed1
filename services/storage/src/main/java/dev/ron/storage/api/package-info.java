/**
 * The verbs: each parses, acts and answers, in that order.
 *
 * <pre>
 * all routes ............ StorageRoutes     what verbs work with ... Desk
 * who may do what ....... Rights            faults as statuses ..... Problems
 * GET, HEAD /o/{a} ...... Get, Multipart    as a proof ............. Proof
 * PUT /o/{a}, POST /o ... Put               coded bodies ........... CountedDecoders
 * uploads in parts ...... UploadRoutes
 * DELETE /o/{a}, GET /o . Delete, Listing   GET /repair ............ Repair
 * </pre>
 */
@NullMarked
package dev.ron.storage.api;

import org.jspecify.annotations.NullMarked;
