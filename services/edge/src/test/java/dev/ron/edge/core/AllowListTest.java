package dev.ron.edge.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.edge.Mount;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AllowListTest {
  /** Each mount's upstream is {@code https://uN.example} by its place in the list, from 1. */
  private static AllowList of(String prefixes) {
    List<String> all = Arrays.asList(prefixes.split(" ", -1));
    return new AllowList(
        all.stream()
            .map(prefix -> mount(prefix, "https://u" + (all.indexOf(prefix) + 1)))
            .toList());
  }

  private static Mount mount(String prefix, String upstream) {
    return new Mount(
        prefix,
        URI.create(upstream + ".example"),
        false,
        false,
        Set.of("GET"),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          fonts             ; /edge/assets/fonts/a  ; u1
          fonts             ; /fonts/a              ; none
          fonts             ; /edge/assets/fontsy/a ; none
          fonts             ; /edge/assets/other/a  ; none
          /assets/fonts     ; /assets/fonts/a       ; u1
          /assets/fonts     ; /edge/assets/fonts/a  ; u1
          /a/               ; /a/b                  ; u1
          / /a              ; /a/b                  ; u2
          /a /              ; /a/b                  ; u1
          / /a              ; /b                    ; u1
          /a /a/b           ; /a/b/c                ; u2
          /a /a/b           ; /a/c                  ; u1
          /a                ; https://evil.example/ ; none
          """)
  void aPathHasTheUpstreamOfItsLongestRootOrNone(String prefixes, String path, String upstream) {
    Optional<AllowList.Root> taken =
        of(prefixes).roots().stream().filter(root -> path.startsWith(root.path())).findFirst();
    assertThat(taken.map(root -> root.mount().upstream().getHost()).orElse("none.example"))
        .isEqualTo(upstream + ".example");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          /a /b /a/                 ; two mounts with prefix = /a/, both served under /a/
          fonts /edge/assets/fonts  ; two mounts with prefix = /edge/assets/fonts, both served under /edge/assets/fonts/
          /assets/fonts fonts       ; two mounts with prefix = fonts, both served under /edge/assets/fonts/
          """)
  void noTwoUpstreamsAreServedUnderOnePath(String prefixes, String refusal) {
    assertThatThrownBy(() -> of(prefixes)).hasMessage(refusal);
  }
}
