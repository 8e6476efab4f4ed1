/**
 * The `ron sqs` commands: the queues of a node's SQS door, for people without a client of SQS.
 *
 * <pre>
 * ron sqs and its small commands ... SqsCommand
 * where the door is, one call ...... SqsOptions
 * ron sqs ls ....................... SqsListCommand
 * ron sqs peek ..................... SqsPeekCommand
 * ron sqs send ..................... SqsSendCommand
 * ron sqs redrive .................. SqsRedriveCommand
 * </pre>
 */
@NullMarked
package dev.ron.node.sqs;

import org.jspecify.annotations.NullMarked;
