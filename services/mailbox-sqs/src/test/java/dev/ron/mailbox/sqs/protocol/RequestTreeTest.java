package dev.ron.mailbox.sqs.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.ron.http.Refusal;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a body is made of before an action looks at it. */
final class RequestTreeTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** A few such bodies, each within its bound, would else take all memory of a node. */
  @ParameterizedTest
  @ValueSource(strings = {"{},", "[],", "{\"a\":{}},", "1,", "\"\\\"\",", "[[[[0]]]],"})
  void aBodyOfManyValuesIsRefusedInLittleMemory(String piece) {
    String all = piece.repeat((4 << 20) / piece.length());
    byte[] body = ("{\"Entries\":[" + all + "0]}").getBytes(UTF_8);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> RequestTree.json(body)).isInstanceOf(Refusal.class);
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
  }

  @Test
  void bytesAreThoseThatWereSentOrNone() throws Refusal {
    assertThat(bytes("AAEC\\r\\nAwQ=")).containsExactly(0, 1, 2, 3, 4);
    assertThat(bytes("AAE")).containsExactly(0, 1);
    for (String wrong : List.of("AA*EC", "AA EC", "-_-_", "A", "AAEC=AAE")) {
      assertThatThrownBy(() -> bytes(wrong)).as(wrong).isInstanceOf(Refusal.class);
    }
  }

  private static byte[] bytes(String base64) throws Refusal {
    return RequestTree.json(("{\"v\":\"" + base64 + "\"}").getBytes(UTF_8))
        .bytes("v")
        .orElseThrow();
  }

  @Test
  void whatStandsInATextIsNotCounted() throws Refusal {
    String text = "{\\\"a\\\":[1,2,{}]},\\\\".repeat(10_000);
    RequestTree tree = RequestTree.json(("{\"MessageBody\":\"" + text + "\"}").getBytes(UTF_8));
    assertThat(tree.required("MessageBody")).hasSize("{\"a\":[1,2,{}]},\\".length() * 10_000);
  }
}
