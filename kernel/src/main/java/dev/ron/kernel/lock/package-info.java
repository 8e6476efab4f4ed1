/**
 * Locks with a rank, taken in rising order.
 *
 * <pre>
 * lock held for a lambda .... RankedLock
 * checks ranks per thread ... LockOrder
 * </pre>
 */
@NullMarked
package dev.ron.kernel.lock;

import org.jspecify.annotations.NullMarked;
