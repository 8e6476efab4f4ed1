package dev.ron.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What an operator reads when something is wrong. */
final class ClusterTableTest {
  private static final String PEERS =
      """
      [{"node":"a","address":"10.0.0.1:7101","matched":40,"silence_ms":0},\
      {"node":"b","address":"10.0.0.2:7101","matched":%d,"silence_ms":%d}]""";

  private static String group(String rest, String peers) {
    return "{\"group\":0,\"shards\":[0,3],%s,\"term\":7,\"age_ms\":250,\"committed\":40,\"applied\":39,\"peers\":%s}"
        .formatted(rest, peers);
  }

  private static String shown(String rest, String peers) {
    return ClusterTable.text("{\"node\":\"a\",\"groups\":[%s]}".formatted(group(rest, peers)))
        .lines()
        .skip(2)
        .findFirst()
        .orElseThrow()
        .replaceAll(" +", " ");
  }

  @Test
  void aLeaderSaysWhoIsBehindAndWhoIsSilent() {
    String leads = "\"leader\":\"a\",\"leads\":true,\"quorum\":true,\"alive\":true";
    assertThat(shown(leads, PEERS.formatted(40, 10)))
        .isEqualTo("0 a yes 7 40 39 leads a 10.0.0.1:7101, b 10.0.0.2:7101");
    assertThat(shown(leads, PEERS.formatted(31, 65_000)))
        .endsWith("b 10.0.0.2:7101 (9 behind) (silent for 65 s)");
  }

  @Test
  void aFollowerSaysWhenItHeardAndGuessesNothing() {
    String follows = "\"leader\":\"b\",\"leads\":false,\"quorum\":true,\"alive\":true";
    assertThat(shown(follows, PEERS.formatted(-1, 0)))
        .isEqualTo("0 b yes 7 40 39 250 ms ago a 10.0.0.1:7101, b 10.0.0.2:7101");
  }

  @Test
  void aGroupWithoutAQuorumAndOneThatFailedStandOut() {
    String alone = "\"leader\":null,\"leads\":false,\"quorum\":false,\"alive\":%s";
    assertThat(shown(alone.formatted(true), PEERS.formatted(-1, 0))).startsWith("0 none NO 7");
    assertThat(shown(alone.formatted(false), PEERS.formatted(-1, 0))).startsWith("0 none FAILED 7");
  }

  @Test
  void whatIsNotUnderstoodIsShownAsItCame() {
    assertThat(ClusterTable.text("{\"new\":1}")).isEqualTo("{\"new\":1}\n");
  }

  @Test
  void copiesThatAreShortAreALine() {
    String told =
        """
        {"plans":{"all":4,"urgent_waiting":1,"ordinary_waiting":3,"bytes_left":9},
         "budget":{"bytes_per_second":1,"full_bytes_per_second":1,"moved_bytes":1},
         "last_round":{"number":1,"objects":7,"too_few_copies":5,"unrepairable":0,"copies_least":1},
         "eta_seconds":null,"scrub":{"cycle":1,"objects":1,"bytes":1,"bad":0},
         "damaged":{"objects":2,"some":[]},"homes":[],"cluster":%s}
        """;
    assertThat(ClusterTable.copies(told.formatted("null")))
        .isEqualTo(
            "copies of objects: 5 short, 0 of them urgent; 4 repairs wait, 2 damaged here\n\n");
    String cluster =
        """
        {"node":"a","registry":"list","nodes":[],"replication":3,"round":3,"missing":6,"urgent":1,
         "surplus":0,"skipped":0,"away":[]}
        """;
    assertThat(ClusterTable.copies(told.formatted(cluster)))
        .isEqualTo(
            "copies of objects: 6 short, 1 of them urgent; 4 repairs wait, 2 damaged here\n\n");
    assertThat(ClusterTable.copies("")).isEmpty();
  }
}
