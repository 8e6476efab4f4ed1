package dev.ron.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.config.source.Sample;
import org.junit.jupiter.api.Test;

class ReloadTest {
  private static final String BEFORE =
      """
      [sample]
      shard_count = 8
      visibility_min = "1s"
      [[sample.routes]]
      prefix = "/a"
      upstreams = ["x"]
      """;

  private final ConfigCatalogue running = Sample.toml(BEFORE).catalogue();

  private Reload reload(String toml) {
    return Reload.of(running, Sample.toml(toml).settings());
  }

  @Test
  void liveKeysChangeAndOthersWaitForARestart() {
    Reload reload =
        reload(
            """
            [sample]
            shard_count = 16
            visibility_min = "2s"
            flush = "interval"
            [sample.limits]
            rps = 100
            [[sample.routes]]
            prefix = "/a"
            upstreams = ["x", "y"]
            """);
    assertThat(reload.report())
        .isEqualTo(
            """
            reload: 3 changed, 2 need a restart, 18 unchanged
              changed       sample.visibility_min: "1s" -> "2s" (ron.toml:3:1)
              changed       sample.limits.rps: 500 -> 100 (ron.toml:6:1)
              changed       sample.routes[0].upstreams: ["x"] -> ["x", "y"] (ron.toml:9:1)
              needs restart sample.shard_count: 8 -> 16 (ron.toml:2:1)
              needs restart sample.flush: "always" -> "interval" (ron.toml:4:1)
            """);
  }

  @Test
  void theSameValueWrittenOtherwiseIsNoChange() {
    assertThat(reload(BEFORE.replace("\"1s\"", "\"1000ms\"")).report())
        .isEqualTo("reload: 0 changed, 0 need a restart, 23 unchanged\n");
    assertThat(reload("# moved\n" + BEFORE).changed()).isEmpty();
  }

  @Test
  void aKeyThatIsNoLongerSetGoesBackToItsDefault() {
    assertThat(reload(BEFORE.replace("visibility_min = \"1s\"\n", "")).report())
        .isEqualTo(
            """
            reload: 1 changed, 0 need a restart, 22 unchanged
              changed       sample.visibility_min: "1s" -> "250ms" (default)
            """);
  }

  @Test
  void tablesOfAnArrayComeAndGo() {
    assertThat(reload("[sample]\nvisibility_min = \"1s\"\n").report())
        .isEqualTo(
            """
            reload: 4 changed, 0 need a restart, 19 unchanged
              changed       sample.routes[0].prefix: "/a" -> none
              changed       sample.routes[0].upstreams: ["x"] -> none
              changed       sample.routes[0].auth: "mutations" -> none
              changed       sample.routes[0].retries: 2 -> none
            """);
    assertThat(reload(BEFORE + "[[sample.routes]]\nprefix = \"/b\"\nupstreams = []\n").report())
        .contains("  changed       sample.routes[1].prefix: none -> \"/b\" (ron.toml:8:1)\n")
        .contains("  changed       sample.routes[1].auth: none -> \"mutations\" (default)\n");
  }

  @Test
  void aReloadWithAProblemChangesNothing() {
    Reload reload = reload("[sample]\nvisibility_min = \"2s\"\nshard_cuont = 1\n");
    assertThat(reload.isRefused()).isTrue();
    assertThat(reload.changed()).isEmpty();
    assertThat(reload.needsRestart()).isEmpty();
    assertThat(reload.running()).isSameAs(running);
    assertThat(reload.report())
        .isEqualTo(
            """
            reload refused, nothing changed
              ron.toml:3:1: sample.shard_cuont is not a known key; did you mean sample.shard_count?
            """);
  }

  @Test
  void whatWaitsForARestartIsToldAgainByTheNextReload() {
    String after = BEFORE.replace("= 8", "= 16").replace("\"1s\"", "\"2s\"");
    Reload first = reload(after);
    Reload second = Reload.of(first.running(), Sample.toml(after).settings());
    assertThat(second.report())
        .isEqualTo(
            """
            reload: 0 changed, 1 need a restart, 22 unchanged
              needs restart sample.shard_count: 8 -> 16 (ron.toml:2:1)
            """);
  }
}
