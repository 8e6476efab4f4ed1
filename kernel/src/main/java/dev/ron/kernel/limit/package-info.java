/**
 * Limits on rate and concurrency, and the breaker before a failing dependency.
 *
 * <pre>
 * rate with a burst ................... TokenBucket
 * tokens left of a rate, or owed ...... TokenLevel
 * requests in flight at once .......... ConcurrencyLimit
 * a limit that adapts to latency ...... AdaptiveLimit
 * leaves a failing dependency alone ... CircuitBreaker
 * </pre>
 */
@NullMarked
package dev.ron.kernel.limit;

import org.jspecify.annotations.NullMarked;
