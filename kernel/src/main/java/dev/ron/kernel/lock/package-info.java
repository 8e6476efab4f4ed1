/** Locks that know their place: {@link RankedLock}, and the order they must be taken in. */
@NullMarked
package dev.ron.kernel.lock;

import org.jspecify.annotations.NullMarked;
