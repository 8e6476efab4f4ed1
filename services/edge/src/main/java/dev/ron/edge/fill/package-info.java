/**
 * Fills: one request to an upstream for all clients that wait for the same answer. Its bytes go to
 * the waiting clients and into the store at the same time.
 *
 * <pre>
 * one fill and its outcome ................ Fill
 * joins requests for the same key ......... SingleFlight
 * supervised loop that takes fills ........ FillWorker
 * does one fill from request to store ..... FillRunner
 * asks the upstream, with retries ......... UpstreamFetch
 * the upstream's answer with its times .... UpstreamAnswer
 * HTTP clients, one per kind of trust ..... UpstreamClients
 * hashes and stores the bytes of a fill ... FillWriter
 * bytes of a running fill ................. FillBytes
 * all bytes, in memory and a file ......... FillSpool
 * bytes for a single reader, not kept ..... FillPipe
 * </pre>
 */
@NullMarked
package dev.ron.edge.fill;

import org.jspecify.annotations.NullMarked;
