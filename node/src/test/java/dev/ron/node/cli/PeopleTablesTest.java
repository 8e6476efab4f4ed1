package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.client.Delivery;
import dev.ron.client.MailboxClient.Sent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
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
  void aSendSaysWhetherItWasOne() {
    assertThat(SendCommand.words(new Sent("m1", false))).isEqualTo("sent m1");
    assertThat(SendCommand.words(new Sent("m1", true)))
        .isEqualTo("that key was sent before, as m1; nothing is sent twice");
  }

  @Test
  void deadLettersAreRowsAndOneIsShownWithItsPayload() {
    Map<String, @Nullable Object> letter =
        new TreeMap<>(
            Map.of(
                "msg_id", "m1",
                "topic", "orders",
                "idem_key", "k\u001b[2J",
                "reason", "max-attempts",
                "attempts", 5L,
                "last_error", "out of paper",
                "died", 1000L,
                "payload_b64", "aGVsbG8="));
    Instant now = Instant.ofEpochSecond(61);
    assertThat(DeadLetterTable.text(Map.of("messages", List.of(letter)), now, false))
        .isEqualTo(
            """
            MESSAGE  TOPIC   REASON        ATTEMPTS  DIED       LAST ERROR
            m1       orders  max-attempts         5  1 min ago  out of paper\
            """);
    assertThat(DeadLetterTable.text(Map.of("messages", List.of()), now, false))
        .isEqualTo("no dead letters");
    assertThat(DeadLetterTable.one(letter, now))
        .contains("idem key     k?[2J", "last error   out of paper", "payload      hello");
    assertThat(DeadLetterTable.reprocessed(Map.of("ok", true, "count", 3L)))
        .isEqualTo("3 dead letters are ready again");
    assertThat(DeadLetterTable.reprocessed(Map.of("count", 1L, "left", 2L, "why", "no room")))
        .isEqualTo("1 dead letters are ready again; 2 stay: no room");
  }

  @Test
  void withoutPacksItSaysSo() throws Exception {
    assertThat(PackCommand.table("{\"packs\":[],\"refused\":[]}".getBytes(UTF_8), false))
        .isEqualTo("no packs");
  }
}
