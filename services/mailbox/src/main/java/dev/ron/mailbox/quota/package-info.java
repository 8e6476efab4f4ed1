/**
 * How much of the mailbox each tenant fills.
 *
 * <pre>
 * bytes of each tenant, all shards ... QueuedBytes
 * what of them one shard has ......... QueuedShare
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.quota;

import org.jspecify.annotations.NullMarked;
