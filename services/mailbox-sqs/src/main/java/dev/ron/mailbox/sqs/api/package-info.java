/**
 * The door: from a request to the action that answers it.
 *
 * <pre>
 * everything that comes in ................ SqsDoor
 * one action: parse, handle, write ........ SqsAction
 * one that the model gives no answer ...... SilentAction
 * what an action reads .................... SqsCall
 * what actions work with .................. SqsContext
 * who signed, and with which key .......... SqsIdentity
 * whose queues a caller means ............. SqsCaller
 * URL, ARN and topic of a queue ........... QueueAddress
 * what a message is deleted with .......... ReceiptHandles
 * bodies in memory ........................ BodyMemory
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.sqs.api;

import org.jspecify.annotations.NullMarked;
