package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mailbox as grpc-java sees it, with messages that Google's own encoder writes and reads. */
final class GrpcTest {
  private static final Metadata.Key<String> CODE =
      Metadata.Key.of("ron-code", Metadata.ASCII_STRING_MARSHALLER);

  @TempDir private Path folder;
  private Rig rig;
  private ManagedChannel channel;

  @BeforeEach
  void open() throws Exception {
    rig = Rig.open(folder);
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", rig.wired.door().port()).usePlaintext().build();
  }

  @AfterEach
  void close() throws Exception {
    channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    rig.close();
  }

  /** Any message: its fields are told by number. */
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

  private UnknownFieldSet call(String method, UnknownFieldSet request) {
    return call(channel, method, request, CallOptions.DEFAULT);
  }

  private static UnknownFieldSet call(
      Channel channel, String method, UnknownFieldSet request, CallOptions options) {
    MethodDescriptor<UnknownFieldSet, UnknownFieldSet> descriptor =
        MethodDescriptor.<UnknownFieldSet, UnknownFieldSet>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("ron.mailbox.v1.Mailbox/" + method)
            .setRequestMarshaller(Any.MESSAGE)
            .setResponseMarshaller(Any.MESSAGE)
            .build();
    return ClientCalls.blockingUnaryCall(channel, descriptor, options, request);
  }

  private static final class Message {
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

  private static String text(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().getFirst().toString(UTF_8);
  }

  private static UnknownFieldSet inner(UnknownFieldSet message, int index) throws Exception {
    return UnknownFieldSet.parseFrom(message.getField(1).getLengthDelimitedList().get(index));
  }

  private static Message send(String key, String payload) {
    ByteString attr = new Message().text(1, "color").text(2, "grün").done().toByteString();
    return new Message()
        .text(1, "orders")
        .text(2, key)
        .text(3, payload)
        .raw(4, attr)
        .text(6, "a group");
  }

  private static UnknownFieldSet receive() {
    return new Message().text(1, "orders").number(2, 5000).number(3, 10).done();
  }

  @Test
  void aMessageGoesInComesOutAndIsAcknowledged() throws Exception {
    UnknownFieldSet sent = call("Send", send("k1", "hello").done());
    UnknownFieldSet envelope = inner(call("Receive", receive()), 0);
    assertThat(text(envelope, 1)).isEqualTo(text(sent, 1));
    assertThat(text(envelope, 5)).isEqualTo("hello");
    assertThat(envelope.getField(10).getVarintList()).containsExactly(1L);
    var attr = UnknownFieldSet.parseFrom(envelope.getField(7).getLengthDelimitedList().getFirst());
    assertThat(text(attr, 2)).isEqualTo("grün");
    call("Ack", new Message().text(1, text(sent, 1)).text(2, text(envelope, 11)).done());
    assertThat(call("Receive", receive()).hasField(1)).isFalse();
    UnknownFieldSet again = call("Send", send("k1", "hello").done());
    assertThat(text(again, 1)).isEqualTo(text(sent, 1));
    assertThat(again.getField(2).getVarintList()).containsExactly(1L);
  }

  @Test
  void aBatchIsAnsweredInOrder() throws Exception {
    UnknownFieldSet results =
        call(
            "SendBatch",
            new Message()
                .raw(1, send("b1", "one").done().toByteString())
                .raw(1, send("b1", "two").done().toByteString())
                .done());
    assertThat(text(inner(results, 0), 1)).hasSize(26);
    var fault =
        UnknownFieldSet.parseFrom(
            inner(results, 1).getField(3).getLengthDelimitedList().getFirst());
    assertThat(text(fault, 1)).isEqualTo("idem-mismatch");
  }

  @Test
  void faultsAreStatusesAndSayTheirCode() {
    String nobody = "01ARYZ6S41000000000000000V";
    refused("Send", new Message().text(2, "k").done(), Status.Code.INVALID_ARGUMENT, "schema");
    refused("Ack", new Message().text(1, nobody).done(), Status.Code.NOT_FOUND, "unknown-message");
    call("Send", send("k", "a").done());
    refused("Send", send("k", "b").done(), Status.Code.FAILED_PRECONDITION, "idem-mismatch");
    refused("Send", send("k", "a").number(8, 1).done(), Status.Code.ALREADY_EXISTS, "duplicate");
    refused(
        "Send",
        send("large", "x".repeat((1 << 20) + 1)).done(),
        Status.Code.OUT_OF_RANGE,
        "frame-too-large");
    assertThat(
            catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> call("Dance", UnknownFieldSet.getDefaultInstance()))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.UNIMPLEMENTED);
  }

  private void refused(String method, UnknownFieldSet request, Status.Code code, String fault) {
    var refusal = catchThrowableOfType(StatusRuntimeException.class, () -> call(method, request));
    assertThat(refusal.getStatus().getCode()).as("%s", refusal).isEqualTo(code);
    assertThat(refusal.getTrailers().get(CODE)).isEqualTo(fault);
  }

  @Test
  void aDeadlineEndsALongPoll() {
    UnknownFieldSet wait = new Message().text(1, "orders").number(5, 30_000).done();
    var late =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                call(
                    channel,
                    "Receive",
                    wait,
                    CallOptions.DEFAULT.withDeadlineAfter(300, TimeUnit.MILLISECONDS)));
    assertThat(late.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void metadataCarryTheCapability() {
    var metadata = new Metadata();
    metadata.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer of-nothing");
    Channel with =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
    assertThat(call(with, "Send", send("k9", "x").done(), CallOptions.DEFAULT).hasField(1))
        .as("a mailbox without a verifier lets everybody in")
        .isTrue();
  }
}
