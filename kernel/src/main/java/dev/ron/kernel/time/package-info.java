/**
 * Time as a parameter, deadlines, and the one-time gate.
 *
 * <pre>
 * source of time, way to wait ..... Time
 * the machine's time .............. SystemTime
 * ends waits at their limit ....... WaitTimer
 * time moved by a test ............ VirtualTime
 * end of an answer's usefulness ... Deadline
 * opens once, stays open .......... Gate
 * waiting for one answer .......... Reply
 * told when a thread is stuck ..... Waiter
 * </pre>
 */
@NullMarked
package dev.ron.kernel.time;

import org.jspecify.annotations.NullMarked;
