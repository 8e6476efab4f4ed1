package dev.ron.storage.s3.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.storage.s3.api.SignedDoor.Caller;
import dev.ron.storage.s3.api.SignedDoor.Told;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A download that goes on gets the rest of what it began with, or the whole of what is there now:
 * never the rest of another object (RFC 9110 section 13.1.5).
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RangeConditionTest {
  private static final String BEFORE = "a".repeat(100);
  private static final String NOW = "b".repeat(60) + "c".repeat(40);

  private SignedDoor door;
  private Caller main;
  private Map<String, String> known;

  @BeforeAll
  void open() throws Exception {
    door = new SignedDoor();
    main = door.tenant("main");
    assertThat(main.put("/b12", "")).isEqualTo("200");
    String before = main.send("PUT", "/b12/k", BEFORE).header("ETag");
    String now = main.send("PUT", "/b12/k", NOW).header("ETag");
    Told there = main.send("HEAD", "/b12/k", "");
    known = Map.of("BEFORE", before, "NOW", now, "DATE", there.header("Last-Modified"));
  }

  @AfterAll
  void close() {
    door.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "GET  | bytes=60-    | NOW    | 206 | 40",
        "GET  | bytes=60-    | BEFORE | 200 | 100",
        "GET  | bytes=60-    | W/NOW  | 200 | 100",
        "GET  | bytes=60-    | NOW, NOW | 200 | 100",
        "GET  | bytes=60-    | none   | 200 | 100",
        // two versions may have one second: a date is no strong validator here
        "GET  | bytes=60-    | DATE   | 200 | 100",
        "GET  | bytes=100-   | NOW    | 416 | ",
        "GET  | bytes=100-   | BEFORE | 200 | 100",
        "GET  | bytes=1-,2-3 | NOW    | 200 | 100",
        "GET  |              | BEFORE | 200 | 100",
        "HEAD | bytes=60-    | NOW    | 206 | 40",
        "HEAD | bytes=60-    | BEFORE | 200 | 100",
      })
  void aRangeIsOfTheObjectThatItsValidatorNames(
      String method, String range, String validator, int status, Long length) throws Exception {
    String field = validator;
    for (Map.Entry<String, String> each : known.entrySet()) {
      field = field.replace(each.getKey(), each.getValue());
    }
    Told told =
        range == null
            ? main.send(method, "/b12/k", "", "If-Range", field)
            : main.send(method, "/b12/k", "", "Range", range, "If-Range", field);
    assertThat(told.status()).isEqualTo(status);
    if (length != null) {
      assertThat(told.header("Content-Length")).isEqualTo(Long.toString(length));
      if (method.equals("GET")) {
        assertThat(told.text()).isEqualTo(NOW.substring((int) (NOW.length() - length)));
      }
    }
  }

  /** What a client has already is not sent, whichever range of it is asked for. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "GET  | bytes=0-1  | NOW           | 304",
        "GET  | bytes=100- | NOW           | 304",
        "HEAD | bytes=100- | NOW           | 304",
        "GET  | bytes=100- | BEFORE        | 416",
        "GET  | bytes=0-1  | BEFORE        | 206",
        // a proxy that changed the coding makes a tag weak, and compares by it
        "GET  | bytes=0-1  | W/NOW         | 304",
        "GET  | bytes=0-1  | W/BEFORE, W/NOW | 304",
        "GET  | bytes=0-1  | BEFORE,W/NOW  | 304",
        "GET  | bytes=0-1  | W/BEFORE      | 206",
      })
  void whatIsNotModifiedHasNoRange(String method, String range, String tags, int status)
      throws Exception {
    String field = tags;
    for (Map.Entry<String, String> each : known.entrySet()) {
      field = field.replace(each.getKey(), each.getValue());
    }
    Told told = main.send(method, "/b12/k", "", "Range", range, "If-None-Match", field);
    assertThat(told.status()).isEqualTo(status);
  }
}
