package dev.ron.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.client.Delivery;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What commands print for people; in a pipe they print JSON. */
final class PeopleTablesTest {
  @Test
  void topicsAreRows() throws Exception {
    String answer =
        """
        {"topics":[{"topic":"orders","depth":13,"ready":12,"delayed":1,"in_flight":3,"dead":0,\
        "oldest_age_ms":125000,"sent":20,"acked":5,"shards":[]}]}\
        """;
    assertThat(TopicsCommand.table(answer, false))
        .isEqualTo(
            """
            TOPIC   READY  DELAYED  IN FLIGHT  DEAD  OLDEST
            orders     12        1          3     0  2 min\
            """);
    assertThat(TopicsCommand.table("{\"topics\":[]}", false)).isEqualTo("no topics yet");
  }

  @Test
  void messagesAreReadable() {
    var message =
        new Delivery(
            "m1", "orders", 0, "key-1", "aGVsbG8=", "", Map.of(), "c", 0, 2, "r1", "chain");
    assertThat(ReceiveCommand.table(List.of(message), Instant.ofEpochSecond(7300), false))
        .isEqualTo(
            """
            MESSAGE  RECEIPT  ATTEMPT  AGE  KEY    PAYLOAD
            m1       r1             2  2 h  key-1  hello\
            """);
    assertThat(ReceiveCommand.table(List.of(), Instant.EPOCH, false))
        .isEqualTo("no message is ready");
  }
}
