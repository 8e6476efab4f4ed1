/**
 * One Raft group on this machine: follows the shared log, decides while it leads, and copies the
 * state to a machine that joins.
 *
 * <pre>
 * one group's shards on this machine ...... Replica
 * follows, or decides while leading ....... ReplicaLoop
 * this machine's journal of a group ....... ReplicaJournal
 * committed facts on the way to a shard ... ReplayBatch
 * journal of one term as leader ........... LeaderTerm
 * terms of this machine, one by one ....... LeaderTerms
 * proposes what the shards decided ........ ProposeTask
 * journal of a machine that was alone ..... AloneJournal
 * state for a machine that joins .......... StateTransfer
 * marks an unfinished state transfer ...... StateTransferMark
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.cluster.replica;

import org.jspecify.annotations.NullMarked;
