/**
 * Commands that call a running service, or work on tokens, certificates and packs without one.
 *
 * <pre>
 * ron send, recv, ack, nack ........ SendCommand, ReceiveCommand, AckCommand, NackCommand
 * ron topics, ron dlq .............. TopicsCommand, DeadLetterCommand
 * ron cluster and its table ........ ClusterCommand, ClusterTable
 * where the mailbox is, one call ... MailboxOptions
 * ron put, get, ls, verify ......... PutCommand, GetCommand, LsCommand, VerifyCommand
 * ron repair ....................... RepairCommand
 * a command's client, its print .... CommandClient
 * where the storage is ............. StorageOptions
 * progress of a transfer ........... ProgressBar
 * ron epoch ........................ EpochCommand
 * where the rewarder is ............ RewarderOptions
 * ron cap, its narrowing flags ..... CapCommand, CaveatOptions
 * ron cap keypair .................. KeyPairCommand
 * ron cert ......................... CertCommand
 * ron pack ......................... PackCommand
 * ron bench ........................ BenchCommand
 * salvages a damaged journal ....... JournalCommand
 * </pre>
 */
@NullMarked
package dev.ron.node.cli;

import org.jspecify.annotations.NullMarked;
