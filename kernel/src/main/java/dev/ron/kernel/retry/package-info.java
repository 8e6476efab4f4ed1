/**
 * Repeated calls with bounded, jittered waits.
 *
 * <pre>
 * calls again within the deadline ... Retry
 * wait before the next try .......... Backoff
 * </pre>
 */
@NullMarked
package dev.ron.kernel.retry;

import org.jspecify.annotations.NullMarked;
