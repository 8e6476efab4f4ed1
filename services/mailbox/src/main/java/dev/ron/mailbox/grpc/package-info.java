/**
 * The same verbs over gRPC, on the same port: Protocol Buffers in and out, faults as gRPC statuses.
 *
 * <pre>
 * every gRPC method .................. GrpcRoutes
 * field numbers of mailbox.proto ..... ProtoSchema
 * Protocol Buffers message to form ... ProtoFormReader
 * answers as Protocol Buffers ........ ProtoAnswer
 * fault to gRPC status ............... GrpcStatus
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.grpc;

import org.jspecify.annotations.NullMarked;
