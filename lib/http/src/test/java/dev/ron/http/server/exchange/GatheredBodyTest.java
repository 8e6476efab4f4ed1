package dev.ron.http.server.exchange;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.Blocking;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.testkit.SeedRow;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** However a body comes and however it is read, a handler gets all of it and nothing else. */
final class GatheredBodyTest {
  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    Blocking collect = x -> echo(x.body().collect(1 << 20));
    Blocking stream = x -> echo(x.body().stream().readAllBytes());
    Blocking first = x -> echo(x.body().stream().readNBytes(3));
    Blocking small = x -> echo(x.body().collect(10));
    Blocking nothing = _ -> Answer.text(200, "not read");
    server =
        new TestServer(
            Routes.of()
                .post("/collect", "collect", collect)
                .post("/stream", "stream", stream)
                .post("/first", "first", first)
                .post("/small", "small", small)
                .post("/nothing", "nothing", nothing));
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static Answer echo(byte[] body) {
    return Answer.text(200, new String(body, ISO_8859_1));
  }

  private static String head(String path, int length) {
    return "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n".formatted(path, length);
  }

  private static String letters(int length) {
    var random = new SplittableRandom(length);
    var text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 65_535, 65_536, 65_537, 131_072, 200_000})
  void bodiesOfEverySizeComeWhole(int length) throws Exception {
    String body = letters(length);
    for (String path : new String[] {"/collect", "/stream"}) {
      try (var client = server.connect()) {
        // Twice, because what is left over would be taken for the next request.
        assertThat(client.send(head(path, length) + body).answer()).endsWith("\r\n\r\n" + body);
        assertThat(client.send(head(path, length) + body).answer()).endsWith("\r\n\r\n" + body);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/collect", "/stream"})
  void aBodyThatComesInPiecesIsWaitedFor(String path) throws Exception {
    try (var client = server.connect()) {
      client.send(head(path, 9));
      client.send("abc");
      client.send("def");
      assertThat(client.send("ghi").answer()).endsWith("\r\n\r\nabcdefghi");
    }
  }

  @Test
  void piecesAreHandedOnBeforeTheEndIsThere() throws Exception {
    try (var client = server.connect()) {
      assertThat(client.send(head("/first", 6) + "abc").answer()).endsWith("\r\n\r\nabc");
    }
  }

  @Test
  void chunksWithoutALengthComeWholeToo() throws Exception {
    String chunks = "5\r\nhello\r\n".repeat(30_000) + "0\r\n\r\n";
    String head = "POST /collect HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    assertThat(server.ask(head + chunks)).endsWith("\r\n\r\n" + "hello".repeat(30_000));
  }

  @Test
  void moreThanTheHandlerTakesIsRefused() throws Exception {
    assertThat(server.ask(head("/small", 10) + letters(10))).contains("200 OK");
    assertThat(server.ask(head("/small", 11) + letters(11))).startsWith("HTTP/1.1 413");
  }

  @Test
  void aBodyThatNobodyReadsLeavesTheConnectionUsable() throws Exception {
    try (var client = server.connect()) {
      assertThat(client.send(head("/nothing", 500) + letters(500)).answer()).endsWith("not read");
      assertThat(client.send(head("/collect", 3) + "abc").answer()).endsWith("\r\n\r\nabc");
    }
  }

  /**
   * Of a longer one not all is read, so a client that asked again would find the connection gone.
   */
  @ParameterizedTest
  @CsvSource({"65536,false", "65537,true", "1048576,true"})
  void anAnswerBeforeALargeBodySaysThatTheConnectionEnds(int length, boolean ends)
      throws Exception {
    try (var client = server.connect()) {
      String answer = client.send(head("/nothing", length)).answer();
      assertThat(answer).startsWith("HTTP/1.1 200 OK");
      assertThat(answer.contains("Connection: close")).isEqualTo(ends);
    }
  }

  @Test
  @SeedRow({"E31", "G36"})
  void requestsBehindOneAnotherKeepTheirOwnBodies() throws Exception {
    try (var client = server.connect()) {
      client.send(
          head("/collect", 3) + "one" + head("/stream", 3) + "two" + head("/collect", 5) + "three");
      assertThat(client.answer()).endsWith("\r\n\r\none");
      assertThat(client.answer()).endsWith("\r\n\r\ntwo");
      assertThat(client.answer()).endsWith("\r\n\r\nthree");
    }
  }
}
