/**
 * Commands that call a running service, or work on certificates, packs and journals without one.
 *
 * <pre>
 * ron send, recv, ack, nack ........ SendCommand, ReceiveCommand, AckCommand, NackCommand
 * ron topics, ron dlq .............. TopicsCommand, DeadLetterCommand
 * dead letters for people .......... DeadLetterTable
 * ron cluster and its table ........ ClusterCommand, ClusterTable
 * where the mailbox is, one call ... MailboxOptions
 * ron put, get, ls, verify ......... PutCommand, GetCommand, LsCommand, VerifyCommand
 * ron repair ....................... RepairCommand
 * a command's client, its print .... CommandClient
 * where the storage is ............. StorageOptions
 * progress of a transfer ........... ProgressBar
 * ron epoch ........................ EpochCommand
 * where the rewarder is ............ RewarderOptions
 * ron cert ......................... CertCommand
 * ron pack ......................... PackCommand
 * ron bench ........................ BenchCommand
 * salvages a damaged journal ....... JournalCommand
 * what the start-up cache holds .... RehearseClientCommand
 * </pre>
 */
@NullMarked
package dev.ron.node.cli;

import org.jspecify.annotations.NullMarked;
