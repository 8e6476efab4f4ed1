/**
 * The supervised tree of tasks and doors: start, restart, drain.
 *
 * <pre>
 * the tree, written down .................... Supervisor
 * the tree on threads ....................... Tree
 * the tree in virtual time .................. SteppedTree
 * graceful shutdown of a tree, its report ... Shutdown, DrainReport
 * where a tree is in its life ............... Phase
 * background work in steps .................. Task
 * when the next step is due ................. Next
 * one task's life, restarts included ........ TaskCell
 * drives a task on its thread ............... TaskThread
 * failing tasks as a readiness condition .... TaskHealth
 * when to restart, how often ................ Restart, RestartBudget
 * listener or client in the tree ............ Door, ToldDoor
 * hands events of a broadcast to a reader ... EventReader
 * tells every waiter of the drain ........... Signal
 * where threads are made .................... Threads
 * </pre>
 */
@NullMarked
package dev.ron.kernel.supervise;

import org.jspecify.annotations.NullMarked;
