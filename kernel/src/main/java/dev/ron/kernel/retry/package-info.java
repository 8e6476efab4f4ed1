/** Trying again: {@link Backoff} says how long to wait, {@link Retry} whether and when to. */
@NullMarked
package dev.ron.kernel.retry;

import org.jspecify.annotations.NullMarked;
