/**
 * What machines of a cluster send each other, as bytes.
 *
 * <pre>
 * a request to the leader ....... LeaderRequest
 * commands as bytes ............. CommandCodec
 * commands about queues ......... QueueCommandCodec
 * outcomes as bytes ............. OutcomeCodec
 * facts of one raft log entry ... FactBatch
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.cluster.protocol;

import org.jspecify.annotations.NullMarked;
