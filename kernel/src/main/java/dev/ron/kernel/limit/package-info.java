/**
 * Limits on rate and concurrency, and the breaker before a failing dependency.
 *
 * <pre>
 * rate with a burst ................... TokenBucket
 * requests in flight at once .......... ConcurrencyLimit
 * a limit that adapts to latency ...... AdaptiveLimit
 * leaves a failing dependency alone ... CircuitBreaker
 * </pre>
 */
@NullMarked
package dev.ron.kernel.limit;

import org.jspecify.annotations.NullMarked;
