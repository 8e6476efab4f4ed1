/**
 * Error Prone checks that run in the compiler of every other module.
 *
 * <ul>
 *   <li>blocking while a lock is held: {@link dev.ron.checks.BlockingWhileLocked}
 *   <li>blocking on an event loop: {@link dev.ron.checks.BlockingOnEventLoop}
 *   <li>taking a second lock while a plain one is held: {@link dev.ron.checks.LockWhileLocked}
 *   <li>which calls block, the closed table: {@link dev.ron.checks.BlockingCalls}
 *   <li>streams that never leave the heap and so do not block: {@link dev.ron.checks.InMemory}
 *   <li>which locks are held where: {@link dev.ron.checks.LockWalk}, with {@link
 *       dev.ron.checks.LockCalls}, {@link dev.ron.checks.LockName} and {@link dev.ron.checks.Held}
 *   <li>the body behind a call, to any depth: {@link dev.ron.checks.Callee}
 * </ul>
 */
@NullMarked
package dev.ron.checks;

import org.jspecify.annotations.NullMarked;
