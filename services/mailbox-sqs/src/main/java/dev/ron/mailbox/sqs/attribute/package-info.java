/**
 * What a queue can be told, as clients write it.
 *
 * <pre>
 * names and ranges ........................ QueueAttribute
 * all of one queue, set and shown ......... QueueAttributes
 * where messages go that fail ............. RedrivePolicy
 * who may name a queue for that ........... RedriveAllowPolicy
 * the policy, and permissions in it ....... QueuePolicy
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.sqs.attribute;

import org.jspecify.annotations.NullMarked;
