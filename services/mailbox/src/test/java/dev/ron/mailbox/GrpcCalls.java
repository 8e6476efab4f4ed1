package dev.ron.mailbox;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;

/**
 * A grpc-java client without generated classes: messages are told by their fields' numbers.
 *
 * <p>Threading: thread-safe.
 */
final class GrpcCalls implements AutoCloseable {
  static final Metadata.Key<String> CODE =
      Metadata.Key.of("ron-code", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;

  GrpcCalls(int port) {
    channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }

  /** Any message. */
  private enum Any implements MethodDescriptor.Marshaller<UnknownFieldSet> {
    MESSAGE;

    @Override
    public InputStream stream(UnknownFieldSet message) {
      return new ByteArrayInputStream(message.toByteArray());
    }

    @Override
    public UnknownFieldSet parse(InputStream in) {
      try {
        return UnknownFieldSet.parseFrom(in.readAllBytes());
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }

  /** A message to be. */
  static final class Message {
    private final UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();

    Message text(int field, String text) {
      return raw(field, ByteString.copyFromUtf8(text));
    }

    Message raw(int field, ByteString bytes) {
      fields.mergeField(
          field, UnknownFieldSet.Field.newBuilder().addLengthDelimited(bytes).build());
      return this;
    }

    Message number(int field, long value) {
      fields.mergeField(field, UnknownFieldSet.Field.newBuilder().addVarint(value).build());
      return this;
    }

    UnknownFieldSet done() {
      return fields.build();
    }
  }

  UnknownFieldSet call(String method, UnknownFieldSet request, CallOptions options) {
    return call(channel, method, request, options);
  }

  /** The messages of a call that brings many. */
  Iterator<UnknownFieldSet> stream(String method, UnknownFieldSet request, CallOptions options) {
    return ClientCalls.blockingServerStreamingCall(
        channel,
        descriptor(method, MethodDescriptor.MethodType.SERVER_STREAMING),
        options,
        request);
  }

  /** Sends with a capability in the metadata; the status and the fault's code, or OK. */
  String send(String topic, String key, String token) {
    UnknownFieldSet request = new Message().text(1, topic).text(2, key).text(3, "x").done();
    return said("Send", request, token).split("\n", -1)[0];
  }

  /** The status and the fault's code, or OK and on further lines what was answered. */
  String said(String method, UnknownFieldSet request, String token) {
    var metadata = new Metadata();
    if (!token.isEmpty()) {
      metadata.put(AUTHORIZATION, "Bearer " + token);
    }
    Channel with =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
    try {
      return "OK\n" + call(with, method, request, CallOptions.DEFAULT);
    } catch (StatusRuntimeException refused) {
      return refused.getStatus().getCode() + " " + refused.getTrailers().get(CODE);
    }
  }

  private static UnknownFieldSet call(
      Channel channel, String method, UnknownFieldSet request, CallOptions options) {
    return ClientCalls.blockingUnaryCall(
        channel, descriptor(method, MethodDescriptor.MethodType.UNARY), options, request);
  }

  private static MethodDescriptor<UnknownFieldSet, UnknownFieldSet> descriptor(
      String method, MethodDescriptor.MethodType type) {
    return MethodDescriptor.<UnknownFieldSet, UnknownFieldSet>newBuilder()
        .setType(type)
        .setFullMethodName("ron.mailbox.v1.Mailbox/" + method)
        .setRequestMarshaller(Any.MESSAGE)
        .setResponseMarshaller(Any.MESSAGE)
        .build();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
