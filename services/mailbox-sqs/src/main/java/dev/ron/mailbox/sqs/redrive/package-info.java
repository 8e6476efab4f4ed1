/**
 * Actions that move messages back from a dead-letter queue.
 *
 * <pre>
 * begin ................................... StartMessageMoveTask
 * look .................................... ListMessageMoveTasks
 * end ..................................... CancelMessageMoveTask
 * the queue they are taken from ........... MoveSource
 * the name of a move ...................... MoveTaskHandle
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.sqs.redrive;

import org.jspecify.annotations.NullMarked;
