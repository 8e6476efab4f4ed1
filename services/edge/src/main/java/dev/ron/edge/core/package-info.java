/**
 * The rules of a shared cache as pure functions: no thread, no clock, no I/O.
 *
 * <pre>
 * may it serve? ......... Reuse, answering Decision       may it be kept? ....... Storing
 * how long, how old ..... Freshness                       what the origin says .. Directives
 * which of several ...... SelectingFields (Vary)          is it still right? .... Validation
 * made worthless by ..... Invalidation                    parts and wholes ...... Pieces, Piece
 * what is kept .......... StoredResponse under CacheKey   what is asked ......... CacheRequest
 * what is told .......... CacheStatus, Forwarding         not passed on ......... HopByHop
 * what upstreams see .... RequestFields
 * </pre>
 */
@NullMarked
package dev.ron.edge.core;

import org.jspecify.annotations.NullMarked;
