package dev.ron.http.testing;

import dev.ron.http.Headers;
import dev.ron.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One request, said in the same words to either protocol, byte for byte; one byte a character.
 *
 * @param fields names and values in turn, besides the host
 */
public record RawAsk(String method, String target, List<String> fields, String body) {
  /** The protocols a door speaks. */
  public enum Over {
    HTTP_1_1,
    HTTP_2
  }

  /**
   * @param heads how many heads came, the interim ones among them
   * @param body all that came behind the head, up to the end of the connection or the stream
   */
  public record Reply(int status, Headers headers, int heads, String body) {
    public String field(String name) {
      return String.join(", ", headers.all(name));
    }
  }

  public static RawAsk of(String method, String target, String... fields) {
    return new RawAsk(method, target, List.of(fields), "");
  }

  /** Says the length too. */
  public RawAsk with(String content) {
    var more = new ArrayList<>(fields);
    more.addAll(List.of("content-length", "" + content.length()));
    return new RawAsk(method, target, more, content);
  }

  public Reply of(TestServer server, Over protocol) throws IOException {
    return of(server.port(), protocol, "a");
  }

  public Reply of(int port, Over protocol, String host) throws IOException {
    return read(protocol == Over.HTTP_1_1 ? http1(port, host) : http2(port, host));
  }

  private String http1(int port, String host) throws IOException {
    var text = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n");
    for (int i = 0; i < fields.size(); i += 2) {
      text.append(fields.get(i)).append(": ").append(fields.get(i + 1)).append("\r\n");
    }
    try (var client = new RawClient(port)) {
      return client.sendAnyway(text + "Connection: close\r\n\r\n" + body).rest();
    }
  }

  private String http2(int port, String host) throws IOException {
    var all =
        new ArrayList<>(
            List.of(":method", method, ":scheme", "http", ":path", target, ":authority", host));
    all.addAll(fields);
    try (var client = new RawFrames(port)) {
      client.ask(1, body.isEmpty(), all);
      if (!body.isEmpty()) {
        client.data(1, true, body.getBytes(StandardCharsets.ISO_8859_1));
      }
      return client.answer(1);
    }
  }

  private static Reply read(String answer) throws IOException {
    int heads = 0;
    int status = 0;
    String rest = answer;
    var headers = new Headers();
    while (status < 200) {
      int end = rest.indexOf("\r\n\r\n");
      if (end < 0) {
        throw new IOException("not an answer: " + answer);
      }
      List<String> lines = Arrays.asList(rest.substring(0, end).split("\r\n", -1));
      status = status(lines.getFirst());
      headers = new Headers();
      for (String line : lines.subList(1, lines.size())) {
        int colon = line.indexOf(": ");
        headers.addParsed(line.substring(0, colon), line.substring(colon + 2));
      }
      rest = rest.substring(end + 4);
      heads++;
    }
    return new Reply(status, headers, heads, rest);
  }

  /** The number in {@code HTTP/1.1 200 OK} and in {@code :status: 200}. */
  private static int status(String line) {
    int at = line.indexOf(' ') + 1;
    return Integer.parseInt(line.substring(at, at + 3));
  }

  /** Text as the bytes of UTF-8, one character each. */
  public static String utf8(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
