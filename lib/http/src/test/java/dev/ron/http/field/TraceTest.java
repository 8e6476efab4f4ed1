package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link TraceParent}: who asked, across machines. */
class TraceTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          00-TRACE-SPAN-01          | 00-TRACE-SPAN-01
          00-TRACE-SPAN-00          | 00-TRACE-SPAN-00
          00-TRACE-SPAN-03          | 00-TRACE-SPAN-03
          00-TRACE-SPAN-ff          | 00-TRACE-SPAN-03
          cc-TRACE-SPAN-03          | 00-TRACE-SPAN-01
          cc-TRACE-SPAN-01-more.to  | 00-TRACE-SPAN-01
          cc-TRACE-SPAN-01-         | 00-TRACE-SPAN-01
          cc-TRACE-SPAN-01.         | bad: more after the traceparent
          00-TRACE-SPAN-01-         | bad: more after the traceparent
          ff-TRACE-SPAN-01          | bad: no such version of traceparent
          0G-TRACE-SPAN-01          | bad: no such version of traceparent
          CC-TRACE-SPAN-01          | bad: no such version of traceparent
          00-TRACE-SPAN-0           | bad: not a traceparent
          00-TRACE-SPAN             | bad: not a traceparent
          ``                        | bad: not a traceparent
          00_TRACE-SPAN-01          | bad: not a traceparent
          00-TRACE_SPAN-01          | bad: not a traceparent
          00-TRACE-SPAN_01          | bad: not a traceparent
          00-TRACE-SPAN-0X          | bad: an id of traceparent is zero or not lower-case hex
          00-TRACE-SPAN-0A          | bad: an id of traceparent is zero or not lower-case hex
          00-NOTRACE-SPAN-01        | bad: an id of traceparent is zero or not lower-case hex
          00-TRACE-NOSPAN-01        | bad: an id of traceparent is zero or not lower-case hex
          00-UPPER-SPAN-01          | bad: an id of traceparent is zero or not lower-case hex
          """)
  void traceparent(String text, String shown) {
    assertThat(Shown.of(TraceParent.parse(spelled(text)))).isEqualTo(spelled(shown));
  }

  private static String spelled(String text) {
    return text.replace("NOTRACE", "0".repeat(32))
        .replace("NOSPAN", "0".repeat(16))
        .replace("TRACE", TRACE)
        .replace("SPAN", SPAN)
        .replace("UPPER", "0AF7651916CD43DD8448EB211C80319C");
  }
}
