/**
 * What runs, and who looks after it.
 *
 * <pre>
 * the tree as it is written down ... Supervisor      the tree while it runs ........ Tree
 * a piece of background work ....... Task, Next      when it is started again ...... Restart
 * how long until then .............. RestartBudget   one task's life, step by step . TaskCell
 * a task on its thread ............. TaskThread      where requests come in ........ Door
 * running, draining, stopped ....... Phase           how the end went .............. DrainReport
 * the end of a tree ................ TreeDrain       how waits hear of it .......... Signal
 * </pre>
 */
@NullMarked
package dev.ron.kernel.supervise;

import org.jspecify.annotations.NullMarked;
