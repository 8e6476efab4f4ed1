/**
 * The state machine of one shard: decide reads the state and returns facts, apply writes them. No
 * thread, clock or I/O.
 *
 * <pre>
 * decide and apply ........................... Shard
 * what a shard is asked to decide ............ Command
 * which messages a caller may touch .......... TopicReach
 * what it is asked about queues .............. QueueCommand
 * facts and outcome of one command ........... ShardDecision
 * result of a command ........................ Outcome
 * result of a receive ........................ ReceiveResult
 * result of a read-only query ................ QueryResult
 * decides a send: idempotency and capacity ... SendDecider
 * decides which message is delivered ......... ReceiveDecider
 * decides ack, nack and extend ............... SettleDecider
 * decides timeouts, delays and retention ..... ExpiryDecider
 * decides about queues and moves ............. QueueDecider
 * what a failed delivery leads to ............ RedriveRule
 * a message seen without receiving it ........ PeekedMessage
 * where message bodies are read from ......... MessageBodies
 * a dead message with its body ............... DeadLetter
 * counts of one topic in a shard ............. TopicView
 * which shard a topic belongs to ............. ShardLayout
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.core;

import org.jspecify.annotations.NullMarked;
