/**
 * The verbs: each reads its request, asks a shard, and writes its answer, in that order.
 *
 * <pre>
 * routes ............ MailboxRoutes        what verbs share .... Desk
 * send .............. Send                 receive ............. Receive
 * ack, nack, extend . Ack, Nack, Extend, all of them Settle
 * dead letters ...... DeadLetterRoutes     looking ............. Topics
 * who may ........... Rights, Caller       faults as statuses .. Problems, GrpcStatus
 * the same by gRPC .. Grpc, GrpcForms     a line each ......... ReceiveStream
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.api;

import org.jspecify.annotations.NullMarked;
