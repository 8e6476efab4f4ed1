/**
 * How tasks talk: {@link Channel} (each item to one receiver), {@link Watch} (the last value to
 * everybody), {@link Broadcast} (every event to everybody who keeps up).
 *
 * <p>{@link Hand} knows what the current step of a task has taken.
 *
 * <p>All are bounded, named, and say at birth what happens at the bound.
 */
@NullMarked
package dev.ron.kernel.channel;

import org.jspecify.annotations.NullMarked;
