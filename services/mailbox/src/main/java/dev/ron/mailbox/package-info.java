/**
 * The mailbox: a durable at-least-once queue. The root holds the wiring, the settings, the faults
 * and the metrics; the packages below hold one subject each.
 *
 * <pre>
 * wiring of the tree ............... MailboxService
 * settings, checked ................ MailboxConfig
 * what shards tell, for the log .... MailboxEvent
 * everything it refuses or fails ... MailboxFault
 * every metric name ................ MailboxMetrics
 * </pre>
 */
@NullMarked
package dev.ron.mailbox;

import org.jspecify.annotations.NullMarked;
