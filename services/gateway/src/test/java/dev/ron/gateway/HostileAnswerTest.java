package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.RawClient;
import dev.ron.testkit.RawHttp2;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Answers whose end two programs may see in different places. Whatever the client that asked gets,
 * the next one gets its own answer, and nothing that is not whole looks whole.
 */
final class HostileAnswerTest {
  private static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood";

  /** For {@code /bad} the given bytes, and the end if told so; for all else a good answer. */
  private static RawUpstream upstream(String bad) throws IOException {
    String bytes = bad.replace("|", "\r\n");
    return new RawUpstream(
        (in, socket) -> {
          for (String head = head(in); !head.isEmpty(); head = head(in)) {
            boolean evil = head.contains(" /bad ");
            RawUpstream.say(socket, evil ? bytes.replace("<end>", "") : GOOD);
            if (evil && bytes.endsWith("<end>")) {
              socket.shutdownOutput();
            }
          }
        });
  }

  private static String head(InputStream in) throws IOException {
    var head = new StringBuilder();
    for (int b = in.read(); b >= 0; b = in.read()) {
      head.append((char) b);
      if (head.length() >= 4 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
        return head.toString();
      }
    }
    return "";
  }

  /** The outcome over HTTP/1.1: a status, and whether the answer was whole. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          folded head          ; GET  ; 502       ; HTTP/1.1 200 OK|X: a| b|Content-Length: 2||ok
          length in a fold     ; GET  ; 502       ; HTTP/1.1 200 OK|X: a| Content-Length: 90|Content-Length: 2||ok
          1.0 with chunks      ; GET  ; 502       ; HTTP/1.0 200 OK|Transfer-Encoding: chunked||2|ok|0||
          1.0 with both        ; GET  ; 502       ; HTTP/1.0 200 OK|Content-Length: 2|Transfer-Encoding: chunked||ok
          length and chunks    ; GET  ; 502       ; HTTP/1.1 200 OK|Content-Length: 2|Transfer-Encoding: chunked||2|ok|0||
          two lengths          ; GET  ; 502       ; HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 2||ok
          chunks of gzip       ; GET  ; 502       ; HTTP/1.1 200 OK|Transfer-Encoding: gzip, chunked||2|ok|0||
          options of everybody ; GET  ; 502       ; HTTP/1.1 200 OK|Connection: Content-Type|Content-Type: text/html|Content-Length: 2||ok
          options of cookies   ; GET  ; 502       ; HTTP/1.1 200 OK|Connection: close, set-cookie|Set-Cookie: a=b|Content-Length: 2||ok
          unasked upgrade      ; GET  ; 502       ; HTTP/1.1 101 Switching|Upgrade: websocket|Connection: Upgrade||HTTP/1.1 200 OK|Content-Length: 2||ok
          status of a body     ; GET  ; 502       ; HTTP/1.1 103 Early|Content-Length: 2||okHTTP/1.1 200 OK|Content-Length: 2||ok
          bad chunk size       ; GET  ; cut       ; HTTP/1.1 200 OK|Transfer-Encoding: chunked||+2|ok|0||
          chunk too long       ; GET  ; cut       ; HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|okay|0||
          length as a trailer  ; GET  ; cut       ; HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|0|Content-Length: 9||
          fewer than announced ; GET  ; cut       ; HTTP/1.1 200 OK|Content-Length: 20||ok<end>
          chunks without end   ; GET  ; cut       ; HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|<end>
          more than announced  ; GET  ; 200 whole ; HTTP/1.1 200 OK|Content-Length: 2||okHTTP/1.1 200 OK|Content-Length: 4||evil
          more than the chunks ; GET  ; 200 whole ; HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|0||HTTP/1.1 200 OK|Content-Length: 4||evil
          204 with a body      ; GET  ; 204 whole ; HTTP/1.1 204 None|Content-Length: 45||HTTP/1.1 200 OK|Content-Length: 4||evil
          304 with a body      ; GET  ; 304 whole ; HTTP/1.1 304 Same|Content-Length: 45||HTTP/1.1 200 OK|Content-Length: 4||evil
          HEAD with a body     ; HEAD ; 200 whole ; HTTP/1.1 200 OK|Content-Length: 45||HTTP/1.1 200 OK|Content-Length: 4||evil
          """)
  void theNextClientGetsItsOwnAnswer(String name, String method, String outcome, String bytes)
      throws Exception {
    try (var upstream = upstream(bytes);
        Rig rig = Rig.open(Rig.route("retries=0", upstream.port()))) {
      assertThat(asked(rig, method)).as(name).isEqualTo(outcome);
      List<String> fields =
          List.of(":method", method, ":scheme", "http", ":authority", "a", ":path", "/bad");
      try (var client = new RawHttp2(rig.port())) {
        String status = client.ask(fields, "");
        if (outcome.equals("cut")) {
          assertThat(status).as(name).isIn("200", "reset"); // the head may be lost with the body
        } else {
          assertThat(status).as(name).isEqualTo(outcome.substring(0, 3));
        }
      }
      for (int i = 0; i < 3; i++) {
        assertThat(rig.get("/good")).as(name).contains(" 200 ").endsWith("\r\n\r\ngood");
      }
    }
  }

  private static String asked(Rig rig, String method) throws Exception {
    try (var client = new RawClient(rig.port())) {
      client.send(method + " /bad HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      String head = client.head();
      String status = head.substring(9, 12);
      String rest = client.rest();
      assertThat(rest).doesNotContain("evil");
      if (status.equals("502")) {
        return status;
      }
      boolean bodyless = method.equals("HEAD") || status.equals("204") || status.equals("304");
      boolean whole =
          bodyless
              ? rest.isEmpty()
              : head.contains("Content-Length: 2\r\n")
                  ? rest.equals("ok")
                  : rest.endsWith("0\r\n\r\n");
      return whole ? status + " whole" : "cut";
    } catch (EOFException headWasLostToo) {
      return "cut";
    }
  }
}
