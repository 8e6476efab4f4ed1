/**
 * Actions on queues, one file each.
 *
 * <pre>
 * make and delete ......................... CreateQueue, DeleteQueue, PurgeQueue
 * find .................................... GetQueueUrl, ListQueues, ListDeadLetterSourceQueues
 * one page of a list ...................... QueuePage
 * attributes .............................. GetQueueAttributes, SetQueueAttributes
 * tags .................................... TagQueue, UntagQueue, ListQueueTags
 * limits of tags .......................... QueueTags
 * permissions ............................. AddPermission, RemovePermission
 * a change that may be refused ............ QueueChange
 * whether a redrive target is there ....... DeadLetterTarget
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.sqs.queue;

import org.jspecify.annotations.NullMarked;
