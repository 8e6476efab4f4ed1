/**
 * Queues, as a door sees them: made, changed, sent to and received from by name, on one machine and
 * on several alike.
 *
 * <pre>
 * all queues ............................. Queues
 * a message to be sent ................... QueueSend
 * what a receive wants ................... QueueReceive
 * a delete, or a change of visibility .... QueueSettle
 * moves between queues ................... QueueMoves
 * moves that are under way ............... MoveRunner
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.queue;

import org.jspecify.annotations.NullMarked;
