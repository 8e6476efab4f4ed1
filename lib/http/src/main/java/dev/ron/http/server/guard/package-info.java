/**
 * Who may: the capability check in front of handlers, its rates, and what it found.
 *
 * <pre>
 * whether a request may reach its handler ... Guard
 * check of a capability and its rates ....... CapabilityGuard
 * what a service asks of capabilities ....... CapabilityTerms
 * rate caveats of capabilities .............. CapabilityRates
 * the capability of a running request ....... Bearer
 * rates of many, one bucket each ............ QuotaBuckets
 * refusals one client may cause a second .... RefusalLimit
 * who may see metrics and OpenAPI ........... DetailsGuard
 * whose things metrics show a request ....... MetricsReader
 * </pre>
 */
@NullMarked
package dev.ron.http.server.guard;

import org.jspecify.annotations.NullMarked;
