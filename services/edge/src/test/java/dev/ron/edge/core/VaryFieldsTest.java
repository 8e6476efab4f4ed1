package dev.ron.edge.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests a stored answer is chosen for (RFC 9111 section 4.1). */
final class VaryFieldsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          Foo             ; Foo: 1                    ; Foo: 1                    ; true
          Foo             ; Foo: 1                    ; Foo: 2                    ; false
          Foo             ; Foo: 1                    ; -                         ; false
          Foo             ; -                         ; Foo: 1                    ; false
          Foo, Bar        ; Foo: 1 | Bar: 2           ; Bar: 2 | Foo: 1           ; true
          Foo, Bar        ; Foo: 1                    ; Foo: 1                    ; true
          FOO             ; foo: 1                    ; Foo: 1                    ; true
          Foo             ; Foo: 1, 2                 ; Foo: 1 | Foo: 2           ; true
          Foo             ; Foo: 1,2                  ; Foo: 1 ,  2               ; true
          Foo             ; Foo: 1, 2                 ; Foo: 2, 1                 ; false
          Accept-Language ; Accept-Language: en, de   ; Accept-Language: DE,en    ; true
          Accept-Encoding ; Accept-Encoding: gzip, br ; Accept-Encoding: br, gzip ; true
          *               ; Foo: 1                    ; Foo: 1                    ; false
          ,*              ; Foo: 1                    ; Foo: 1                    ; false
          """)
  void varyChooses(String vary, String stored, String request, boolean matches) {
    VaryFields fields = VaryFields.of(Heads.of("Vary: " + vary), Heads.of(stored));
    assertThat(fields.match(Heads.of(request))).isEqualTo(matches);
  }

  /** What the mount lists chooses without a word in the answer, and so does a coding. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          -                       ; -   ; Foo: 1                ; Foo: 2                  ; true
          -                       ; foo ; Foo: 1                ; Foo: 1                  ; true
          -                       ; foo ; Foo: 1                ; Foo: 2                  ; false
          Vary: Bar               ; foo ; Foo: 1 | Bar: 1       ; Foo: 1 | Bar: 2         ; false
          Vary: Bar               ; foo ; Foo: 1 | Bar: 1       ; Foo: 2 | Bar: 1         ; false
          Content-Encoding: gzip  ; -   ; Accept-Encoding: gzip ; Accept-Encoding: gzip   ; true
          Content-Encoding: gzip  ; -   ; Accept-Encoding: gzip ; -                       ; false
          Content-Encoding: gzip  ; -   ; Accept-Encoding: gzip ; Accept-Encoding: gzip, wild ; true
          Vary: *                 ; foo ; Foo: 1                ; Foo: 1                  ; false
          """)
  void whatIsKeyedChooses(
      String answer, String keyed, String stored, String request, boolean matches) {
    Set<String> names = keyed.equals("-") ? Set.of() : Set.of(keyed);
    VaryFields fields = VaryFields.of(Heads.of(answer), Heads.of(stored), names);
    assertThat(fields.match(Heads.of(request))).isEqualTo(matches);
  }
}
