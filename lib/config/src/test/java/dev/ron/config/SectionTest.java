package dev.ron.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.source.Environment;
import dev.ron.config.source.Flags;
import dev.ron.config.source.Sample;
import dev.ron.config.source.TomlFile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SectionTest {
  private static final String TWO_ROUTES =
      """
      [[sample.routes]]
      prefix = "/a"
      upstreams = ["http://127.0.0.1:1"]
      [[sample.routes]]
      prefix = "/b"
      upstreams = []
      auth = "all"
      """;

  @Test
  void anArrayOfTablesIsOneConfigEach() {
    assertThat(Sample.toml(TWO_ROUTES).config().routes())
        .containsExactly(
            new SampleConfig.Route(
                "/a", List.of("http://127.0.0.1:1"), SampleConfig.Auth.MUTATIONS, 2),
            new SampleConfig.Route("/b", List.of(), SampleConfig.Auth.ALL, 2));
    assertThat(Sample.toml("").config().routes()).isEmpty();
  }

  @Test
  void itsKeysHaveTheirOwnPlaces() {
    assertThat(Sample.toml(TWO_ROUTES).catalogue().entries())
        .filteredOn(entry -> entry.path().startsWith("sample.routes"))
        .extracting(entry -> entry.path() + " " + entry.text() + " " + entry.origin().place())
        .containsExactly(
            "sample.routes[0].prefix \"/a\" ron.toml:2:1",
            "sample.routes[0].upstreams [\"http://127.0.0.1:1\"] ron.toml:3:1",
            "sample.routes[0].auth \"mutations\" default",
            "sample.routes[0].retries 2 default",
            "sample.routes[1].prefix \"/b\" ron.toml:5:1",
            "sample.routes[1].upstreams [] ron.toml:6:1",
            "sample.routes[1].auth \"all\" ron.toml:7:1",
            "sample.routes[1].retries 2 default");
  }

  @Test
  void aFlagOrVariableReplacesTheWholeArray() {
    String one = "[{ prefix = \"/c\", upstreams = [], retries = 0 }]";
    var sample = Sample.of(Map.of(), Map.of("RON_SAMPLE__ROUTES", one), TWO_ROUTES);
    assertThat(sample.config().routes())
        .extracting(SampleConfig.Route::prefix)
        .containsExactly("/c");
    assertThat(sample.catalogue().entry("sample.routes[0].retries").orElseThrow().origin().place())
        .isEqualTo("RON_SAMPLE__ROUTES");
    assertThat(
            Sample.of(Map.of("sample.routes", "[{ prefix = \"/c\", upstream = 1 }]"), Map.of(), "")
                .problems())
        .isEqualTo(
            """
            --set sample.routes: sample.routes[0].upstreams is required: list of text, as in ["http://127.0.0.1:9000"]
            --set sample.routes: sample.routes[0].upstream is not a known key; did you mean sample.routes[0].upstreams?""");
  }

  @Test
  void arraysOfTablesNest() {
    var settings =
        new Settings(
            new Flags(Map.of()),
            new Environment(Map.of()),
            TomlFile.parse(
                "ron.toml",
                """
                [[pools.pool]]
                [[pools.pool.upstream]]
                url = "a"
                [[pools.pool.upstream]]
                url = "b"
                [[pools.pool]]
                """));
    List<List<String>> pools =
        settings
            .section("pools")
            .key("pool", List.of())
            .doc("Pools.")
            .each(
                pool ->
                    pool.key("upstream", List.of())
                        .doc("Upstreams.")
                        .each(upstream -> upstream.required("url", "x").doc("Where.").text()));
    settings.check();
    assertThat(pools).containsExactly(List.of("a", "b"), List.of());
    assertThat(settings.catalogue().declarations())
        .extracting(Declaration::path)
        .containsExactly(
            "danger_ok",
            "pools.danger_ok",
            "pools.pool",
            "pools.pool[].upstream",
            "pools.pool[].upstream[].url");
  }

  @Test
  void anArrayOfTablesIsLiveAsAWholeOrNotAtAll() {
    var section = Sample.toml("").settings().section("pools");
    assertThatThrownBy(
            () ->
                section
                    .key("pool", List.of())
                    .doc("Pools.")
                    .each(pool -> pool.key("size", 1).doc("Size.").live().integer(1, 9)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("size changes with the array of tables it is in: let that be live");
    assertThatThrownBy(() -> section.key("other", List.of("x")).doc("Others.").each(_ -> 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("other is an array of tables: its default is empty");
  }

  @Test
  void subsectionsAndDottedKeysAreTheSame() {
    var config =
        Sample.toml("[sample]\nlimits.rps = 7\n[sample.drr]\ntenant_quanta = { a = 2 }").config();
    assertThat(config.rps()).isEqualTo(7);
    assertThat(config.tenantQuanta()).isEqualTo(Map.of("a", 2));
  }
}
