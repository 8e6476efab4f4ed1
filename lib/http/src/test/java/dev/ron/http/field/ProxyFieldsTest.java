package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which fields pass a proxy; gateway and edge both go by this list. */
final class ProxyFieldsTest {
  private static final NameSet OURS = NameSet.of("X-Ours");

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          Accept                    ; request answer
          Trailer                   ; request answer
          X-Any                     ; request answer trailer
          Connection                ; none
          Content-Length            ; none
          HTTP2-Settings            ; none
          Keep-Alive                ; none
          Proxy-Authenticate        ; none
          Proxy-Authentication-Info ; none
          Proxy-Authorization       ; none
          proxy-connection          ; none
          te                        ; none
          Transfer-Encoding         ; none
          Upgrade                   ; none
          X-Ours                    ; trailer
          X-Named                   ; trailer
          Forwarded                 ; answer
          X-Forwarded-For           ; answer
          X-Real-IP                 ; answer
          X_Any                     ; answer
          """)
  void aFieldPasses(String name, String ways) {
    Headers from = Headers.of("Connection", "X-Named, close", name, "1");
    var passed = new StringBuilder();
    passed.append(ProxyFields.request(from, OURS).has(name) ? "request " : "");
    passed.append(ProxyFields.endToEnd(from, OURS).has(name) ? "answer " : "");
    passed.append(ProxyFields.trailers(from).has(name) ? "trailer " : "");
    assertThat(passed.isEmpty() ? "none" : passed.toString().strip()).isEqualTo(ways);
  }
}
