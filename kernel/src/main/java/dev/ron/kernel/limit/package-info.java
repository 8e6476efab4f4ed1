/**
 * How much, how fast, how many at once: {@link TokenBucket} paces, {@link CircuitBreaker} leaves a
 * sick dependency alone, {@link ConcurrencyLimit} bounds work in flight.
 */
@NullMarked
package dev.ron.kernel.limit;

import org.jspecify.annotations.NullMarked;
