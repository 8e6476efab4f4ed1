/**
 * The mailbox as SQS clients see it: queues, messages, dead letters, in both of their protocols.
 *
 * <pre>
 * the wiring .......................................... MailboxSqsService
 * settings ............................................ MailboxSqsConfig
 * metric names ........................................ MailboxSqsMetrics
 * what is refused, by the codes that clients know ..... SqsFault
 * every action, one line each ......................... SqsActionTable
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.sqs;

import org.jspecify.annotations.NullMarked;
