package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
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

  @Test
  void packsAreShownAndWhyTheRestIsNot() throws Exception {
    String answer =
        """
        {"packs":[{"pack":"sample","tiles":"mvt","zoom_min":0,"zoom_max":7,"bytes":2097152,"bounds":[-1.58,-1.0,1.58,1.0],"map":"/edge/map/sample"}],
         "refused":[{"file":"bad.pmtiles","code":"truncated","detail":"ends at byte 7\\u001b[2J"}]}
        """;
    assertThat(PackCommand.table(answer.getBytes(UTF_8), false))
        .isEqualTo(
            """
            PACK    TILES  ZOOM  SIZE     MAP
            sample  mvt    0-7   2.0 MiB  /edge/map/sample

            REFUSED      WHY
            bad.pmtiles  18 bytes that are no text\
            """);
  }

  @Test
  void withoutPacksItSaysSo() throws Exception {
    assertThat(PackCommand.table("{\"packs\":[],\"refused\":[]}".getBytes(UTF_8), false))
        .isEqualTo("no packs");
  }
}
