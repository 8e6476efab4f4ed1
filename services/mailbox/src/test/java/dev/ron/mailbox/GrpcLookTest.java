package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import io.grpc.CallOptions;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Topics, dead letters and the stream, as grpc-java sees them. */
@Timeout(60)
final class GrpcLookTest {
  @TempDir private Path folder;
  private Rig rig;
  private GrpcCalls calls;

  @BeforeEach
  void open() throws Exception {
    rig = Rig.open(folder, "max_attempts=1");
    calls = new GrpcCalls(rig.wired.door().port());
  }

  @AfterEach
  void close() {
    calls.close();
    rig.close();
  }

  private UnknownFieldSet call(String method, GrpcCalls.Message request) {
    return calls.call(method, request.done(), CallOptions.DEFAULT);
  }

  private static GrpcCalls.Message message() {
    return new GrpcCalls.Message();
  }

  private static String text(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().getFirst().toString(UTF_8);
  }

  private static long number(UnknownFieldSet message, int field) {
    return message.getField(field).getVarintList().getFirst();
  }

  private static UnknownFieldSet inner(UnknownFieldSet message) throws Exception {
    return UnknownFieldSet.parseFrom(message.getField(1).getLengthDelimitedList().getFirst());
  }

  /** Sends one and gives it back, which is once too often here. */
  private String kill(String key) throws Exception {
    String id = text(call("Send", message().text(1, "orders").text(2, key).text(3, "body")), 1);
    UnknownFieldSet got = inner(call("Receive", message().text(1, "orders")));
    call("Nack", message().text(1, id).text(2, text(got, 11)).text(3, "will not"));
    return id;
  }

  @Test
  void topicsAreCounted() throws Exception {
    call("Send", message().text(1, "orders").text(2, "k1").text(3, "x"));
    call("Send", message().text(1, "orders").text(2, "k2").text(3, "x"));
    call("Receive", message().text(1, "orders"));
    UnknownFieldSet row = inner(call("Topics", message().text(1, "orders")));
    assertThat(text(row, 1)).isEqualTo("orders");
    assertThat(number(row, 3)).as("ready").isEqualTo(1);
    assertThat(number(row, 5)).as("in flight").isEqualTo(1);
    assertThat(call("Topics", message().text(1, "nobody")).hasField(1)).isFalse();
  }

  @Test
  void aDeadLetterIsListedShownSentAgainAndDropped() throws Exception {
    String id = kill("k1");
    UnknownFieldSet listed = inner(call("DeadLetters", message().text(1, "orders")));
    assertThat(text(listed, 1)).isEqualTo(id);
    assertThat(text(listed, 13)).isEqualTo("max-attempts");
    assertThat(text(listed, 14)).isEqualTo("will not");
    assertThat(listed.hasField(5)).as("no payload in a list").isFalse();
    assertThat(text(call("DeadLetter", message().text(1, id)), 5)).isEqualTo("body");
    assertThat(call("DeadLetters", message().text(2, "retention")).hasField(1)).isFalse();
    assertThat(number(call("Reprocess", message().text(1, id)), 1)).isEqualTo(1);
    assertThat(text(inner(call("Receive", message().text(1, "orders"))), 1)).isEqualTo(id);
    String other = kill("k2");
    assertThat(number(call("Drop", message().text(1, other)), 1)).isEqualTo(1);
    assertThat(call("DeadLetters", message()).hasField(1)).isFalse();
    assertThat(call("Reprocess", message().text(2, "orders")).hasField(1)).as("none").isFalse();
  }

  @Test
  void aStreamBringsNoMoreThanItsCredit() throws Exception {
    for (int i = 0; i < 5; i++) {
      call("Send", message().text(1, "orders").text(2, "k" + i).text(3, "x" + i));
    }
    Iterator<UnknownFieldSet> stream =
        calls.stream(
            "ReceiveStream",
            message().text(1, "orders").number(2, 60_000).number(6, 2).done(),
            CallOptions.DEFAULT.withDeadlineAfter(50, TimeUnit.SECONDS));
    UnknownFieldSet first = stream.next();
    UnknownFieldSet second = stream.next();
    assertThat(text(first, 5)).isEqualTo("x0");
    assertThat(text(second, 5)).isEqualTo("x1");
    UnknownFieldSet row = inner(call("Topics", message().text(1, "orders")));
    assertThat(number(row, 5)).as("two are in flight and three wait for credit").isEqualTo(2);
    call("Ack", message().text(1, text(first, 1)).text(2, text(first, 11)));
    assertThat(text(stream.next(), 5)).as("an ack makes room").isEqualTo("x2");
  }
}
