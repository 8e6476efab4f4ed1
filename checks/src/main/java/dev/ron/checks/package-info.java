/**
 * Error Prone checks that run in the compiler of every other module.
 *
 * <ul>
 *   <li>blocking while a lock is held: {@link dev.ron.checks.BlockingWhileLocked}
 *   <li>blocking on an event loop: {@link dev.ron.checks.BlockingOnEventLoop}
 *   <li>which calls block, the closed table: {@link dev.ron.checks.BlockingCalls}
 *   <li>streams that never leave the heap and so do not block: {@link dev.ron.checks.InMemory}
 *   <li>which locks are held where: {@link dev.ron.checks.LockWalk}, with {@link
 *       dev.ron.checks.LockCalls}, {@link dev.ron.checks.LockName} and {@link dev.ron.checks.Held}
 *   <li>the one step from a call into a private method: {@link dev.ron.checks.PrivateCallee}
 * </ul>
 */
@NullMarked
package dev.ron.checks;

import org.jspecify.annotations.NullMarked;
