package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.CallOptions;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the mailbox charges, against what its clients were told. */
@Timeout(60)
class MailboxUsageTest {
  private static final String SENT = "anonymous messages_sent";
  private static final String BYTES = "anonymous message_bytes";
  private static final String RECEIVED = "anonymous messages_received";
  private static final String ACKNOWLEDGED = "anonymous messages_acknowledged";
  private static final String REQUESTS = "anonymous requests";

  @TempDir private Path folder;

  private static void assertMessages(Rig rig, long sent, long bytes, long received, long acked) {
    Map<String, Long> units = rig.ledger.units();
    assertThat(units.getOrDefault(SENT, 0L)).as(SENT).isEqualTo(sent);
    assertThat(units.getOrDefault(BYTES, 0L)).as(BYTES).isEqualTo(bytes);
    assertThat(units.getOrDefault(RECEIVED, 0L)).as(RECEIVED).isEqualTo(received);
    assertThat(units.getOrDefault(ACKNOWLEDGED, 0L)).as(ACKNOWLEDGED).isEqualTo(acked);
  }

  private static String receive(Rig rig, int most) throws Exception {
    return rig.post(
        "/v1/recv",
        "{\"topic\":\"t\",\"visibility_ms\":60000,\"max_messages\":%d}".formatted(most));
  }

  private static int ack(Rig rig, String envelope) throws Exception {
    String answer =
        rig.post(
            "/v1/ack/" + Rig.field(envelope, "msg_id"),
            "{\"receipt\":\"%s\"}".formatted(Rig.field(envelope, "receipt")));
    return Integer.parseInt(answer.substring(0, 3));
  }

  @Test
  void overHttp() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      for (String key : new String[] {"a", "bb", "ccc"}) {
        assertThat(rig.send("t", key)).startsWith("200");
      }
      assertMessages(rig, 3, 6, 0, 0);
      assertThat(rig.send("t", "a")).as("a repetition").startsWith("200");
      assertThat(rig.post("/v1/send", "{}")).as("a refusal").startsWith("400");
      assertMessages(rig, 3, 6, 0, 0);
      String got = receive(rig, 2);
      assertThat(got).startsWith("200");
      assertMessages(rig, 3, 6, 2, 0);
      assertThat(ack(rig, got)).isEqualTo(200);
      assertMessages(rig, 3, 6, 2, 1);
      assertThat(ack(rig, got)).as("a repetition").isEqualTo(200);
      String batch =
          "{\"entries\":[{\"msg_id\":\"%s\",\"receipt\":\"%s\"}]}"
              .formatted(Rig.field(got, "msg_id"), Rig.field(got, "receipt"));
      assertThat(rig.post("/v1/ack", batch)).as("and one among others").startsWith("200");
      assertMessages(rig, 3, 6, 2, 1);
      assertThat(receive(rig, 10)).startsWith("200");
      assertMessages(rig, 3, 6, 3, 1);
      assertThat(receive(rig, 10)).as("nothing is there").startsWith("200");
      assertMessages(rig, 3, 6, 3, 1);
      Rig.eventually("ten answers", () -> rig.ledger.units().get(REQUESTS) == 10);
    }
  }

  @Test
  void overGrpc() throws Exception {
    try (Rig rig = Rig.open(folder);
        var calls = new GrpcCalls(rig.wired.door().port())) {
      assertThat(calls.send("t", "k1", "")).isEqualTo("OK");
      assertThat(calls.send("t", "k1", "")).as("a repetition").isEqualTo("OK");
      UnknownFieldSet batch =
          new GrpcCalls.Message()
              .raw(1, one("k2", "four"))
              .raw(1, one("k3", "seven77"))
              .raw(1, one("k3", "another payload"))
              .done();
      calls.call("SendBatch", batch, CallOptions.DEFAULT);
      assertMessages(rig, 3, 1 + 4 + 7, 0, 0);
      UnknownFieldSet ask =
          new GrpcCalls.Message().text(1, "t").number(2, 60_000).number(3, 2).done();
      UnknownFieldSet got = calls.call("Receive", ask, CallOptions.DEFAULT);
      assertThat(got.getField(1).getLengthDelimitedList()).hasSize(2);
      assertMessages(rig, 3, 12, 2, 0);
      var envelope = UnknownFieldSet.parseFrom(got.getField(1).getLengthDelimitedList().getFirst());
      UnknownFieldSet ack =
          new GrpcCalls.Message().raw(1, bytes(envelope, 1)).raw(2, bytes(envelope, 11)).done();
      calls.call("Ack", ack, CallOptions.DEFAULT);
      assertMessages(rig, 3, 12, 2, 1);
      calls.call("Ack", ack, CallOptions.DEFAULT);
      assertMessages(rig, 3, 12, 2, 1);
      assertThat(calls.said("Ack", new GrpcCalls.Message().text(1, "none").done(), ""))
          .as("a refusal")
          .doesNotStartWith("OK");
      assertMessages(rig, 3, 12, 2, 1);
      Rig.eventually("six answers", () -> rig.ledger.units().get(REQUESTS) == 6);
    }
  }

  private static ByteString one(String key, String payload) {
    return new GrpcCalls.Message().text(1, "t").text(2, key).text(3, payload).done().toByteString();
  }

  private static ByteString bytes(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().getFirst();
  }
}
