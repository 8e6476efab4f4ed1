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
}
