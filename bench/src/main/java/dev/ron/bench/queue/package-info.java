/**
 * Message queues: the mailbox beside the queues that are installed, alone and as three machines.
 *
 * <pre>
 * one mailbox beside other queues ... MailboxBenchmark
 * late redelivery and long polls .... MailboxPromptness
 * three machines beside NATS ........ MailboxClusterBenchmark
 * the SQS door beside ElasticMQ ..... SqsBenchmark
 * the mailbox of a whole node ...... NodeMailbox
 * our mailbox, its process .......... MailboxTarget, MailboxTargetMain
 * three of ours, their process ...... MailboxClusterTarget, MailboxClusterMain
 * our mailbox over gRPC ............. MailboxGrpc, GrpcLine
 * a queue, a connection to it ....... QueueServer, QueueLine
 * workers on one queue .............. QueueLoad
 * beanstalkd with a binlog .......... BeanstalkdPeer
 * ElasticMQ over SQS JSON ........... ElasticMqPeer
 * a connection of SQS ............... SqsLine
 * a queue over the SDK for Java ..... SqsSdk
 * NATS, alone and three ............. NatsPeer, NatsClusterPeer
 * RabbitMQ over AMQP ................ RabbitPeer, AmqpLine
 * </pre>
 */
@NullMarked
package dev.ron.bench.queue;

import org.jspecify.annotations.NullMarked;
