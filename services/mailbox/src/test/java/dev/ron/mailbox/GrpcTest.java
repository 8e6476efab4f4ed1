package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.ron.blake3.Blake3;
import dev.ron.kernel.supervise.DrainReport;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mailbox as grpc-java sees it, with messages that Google's own encoder writes and reads. */
final class GrpcTest {
  @TempDir private Path folder;
  private Rig rig;
  private GrpcCalls calls;

  @BeforeEach
  void open() throws Exception {
    rig = Rig.open(folder);
    calls = new GrpcCalls(rig.wired.door().port());
  }

  @AfterEach
  void close() throws Exception {
    calls.close();
    rig.close();
  }

  private UnknownFieldSet call(String method, UnknownFieldSet request) {
    return calls.call(method, request, CallOptions.DEFAULT);
  }

  private static String text(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().getFirst().toString(UTF_8);
  }

  private static UnknownFieldSet inner(UnknownFieldSet message, int index) throws Exception {
    return UnknownFieldSet.parseFrom(message.getField(1).getLengthDelimitedList().get(index));
  }

  private static GrpcCalls.Message send(String key, String payload) {
    ByteString attr =
        new GrpcCalls.Message().text(1, "color").text(2, "grün").done().toByteString();
    return new GrpcCalls.Message()
        .text(1, "orders")
        .text(2, key)
        .text(3, payload)
        .raw(4, attr)
        .text(6, "a group");
  }

  private static UnknownFieldSet receive() {
    return new GrpcCalls.Message().text(1, "orders").number(2, 5000).number(3, 10).done();
  }

  @Test
  void aPayloadThatIsNotWhatItsHashSaysIsNotTaken() {
    String hash = Blake3.hash("hello".getBytes(UTF_8)).hex();
    call("Send", send("k1", "hello").text(9, hash).done());
    StatusRuntimeException refused =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> call("Send", send("k2", "hellO").text(9, hash).done()));
    assertThat(refused.getMessage()).contains("payload_hash");
    assertThat(call("Receive", receive()).getField(1).getLengthDelimitedList()).hasSize(1);
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
    call("Ack", new GrpcCalls.Message().text(1, text(sent, 1)).text(2, text(envelope, 11)).done());
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
            new GrpcCalls.Message()
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
    refused(
        "Send",
        new GrpcCalls.Message().text(2, "k").done(),
        Status.Code.INVALID_ARGUMENT,
        "schema");
    refused(
        "Ack",
        new GrpcCalls.Message().text(1, nobody).done(),
        Status.Code.NOT_FOUND,
        "unknown-message");
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
    assertThat(refusal.getTrailers().get(GrpcCalls.CODE)).isEqualTo(fault);
  }

  @Test
  void aDeadlineEndsALongPoll() {
    UnknownFieldSet wait = new GrpcCalls.Message().text(1, "orders").number(5, 30_000).done();
    var late =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                calls.call(
                    "Receive",
                    wait,
                    CallOptions.DEFAULT.withDeadlineAfter(300, TimeUnit.MILLISECONDS)));
    assertThat(late.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void aDrainEndsAStreamAsUnavailable() throws Exception {
    call("Send", send("k", "first").done());
    UnknownFieldSet request = new GrpcCalls.Message().text(1, "orders").done();
    Iterator<UnknownFieldSet> stream = calls.stream("ReceiveStream", request, CallOptions.DEFAULT);
    assertThat(stream.next().hasField(1)).as("it is open").isTrue();
    DrainReport report = rig.tree.drain();
    var ended = catchThrowableOfType(StatusRuntimeException.class, stream::hasNext);
    assertThat(ended.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(ended.getTrailers().get(GrpcCalls.CODE)).isEqualTo("draining");
    assertThat(report.clean()).isTrue();
  }
}
