/**
 * The rules of a shared HTTP cache (RFC 9111) as pure functions: no thread, no clock, no I/O.
 *
 * <pre>
 * upstreams that may be filled from ...................... AllowList
 * key of a stored response ............................... CacheKey
 * a request as the cache sees it ......................... CacheRequest
 * whether stored responses can serve a request ........... Reuse
 * what to do about a request, and why .................... CacheDecision
 * why a request goes upstream (RFC 9211) ................. ForwardReason
 * the Cache-Status field ................................. CacheStatus
 * whether a response may be stored ....................... Cacheability
 * what the origin tells this cache ....................... CacheDirectives
 * lifetime and age ....................................... Freshness
 * fields that Vary names, with their values .............. VaryFields
 * client fields that may reach an upstream ............... RequestFields
 * fields of one connection ............................... HopByHop
 * conditional requests to the upstream, and their result .. Validation
 * what an unsafe request invalidates ..................... Invalidation
 * a stored response: head, times, bytes .................. StoredResponse
 * which bytes are stored, and where ...................... StoredRange, StoredRanges
 * whole, ranges or 304 for a request ..................... Selection
 * changes of what is stored, for the journal ............. HeadFact
 * </pre>
 */
@NullMarked
package dev.ron.edge.core;

import org.jspecify.annotations.NullMarked;
