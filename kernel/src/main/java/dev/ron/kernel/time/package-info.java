/**
 * Waiting and clocks: {@link Time} is the only source of both, {@link SystemTime} the machine's,
 * {@link VirtualTime} a test's; {@link Deadline} travels with the work, {@link Gate} opens once,
 * {@link Reply} is an answer that is waited for.
 */
@NullMarked
package dev.ron.kernel.time;

import org.jspecify.annotations.NullMarked;
