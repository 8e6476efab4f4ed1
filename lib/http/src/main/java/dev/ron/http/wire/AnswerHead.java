package dev.ron.http.wire;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import java.nio.charset.StandardCharsets;

/**
 * The head of an answer received over HTTP/1.1, as strictly read as a request's.
 *
 * <p>Threading: immutable once parsed.
 *
 * @param bodyLength bytes that follow, {@link RequestHead#UNKNOWN} for chunks, {@link #UNTIL_CLOSE}
 * @param keepAlive whether the server will take another request on the connection
 */
public record AnswerHead(int status, Headers headers, long bodyLength, boolean keepAlive) {
  /** Only the end of the connection ends the body. */
  public static final long UNTIL_CLOSE = -2;

  /** Parses the first {@code length} bytes, which end in an empty line. */
  public static AnswerHead parse(byte[] head, int length, String method, HeadParser parser)
      throws Refusal {
    int lineEnd = 0;
    while (head[lineEnd] != '\r') {
      lineEnd++;
    }
    String line = new String(head, 0, lineEnd, StandardCharsets.ISO_8859_1);
    boolean old = line.startsWith("HTTP/1.0 ");
    if (!(old || line.startsWith("HTTP/1.1 "))
        || line.length() < 12
        || (line.length() > 12 && line.charAt(12) != ' ')) {
      throw Refusal.malformed("the answer does not begin with a status line");
    }
    int status = 0;
    for (int i = 9; i < 12; i++) {
      int digit = line.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw Refusal.malformed("the answer's status is not a number");
      }
      status = status * 10 + digit;
    }
    if (status < 100 || status > 599) {
      throw Refusal.malformed("the answer's status is out of range");
    }
    Headers headers = parser.fields(head, lineEnd + 2, length - 2);
    long bodyLength = bodyLength(status, method, headers, old);
    boolean keepAlive =
        !old
            && bodyLength != UNTIL_CLOSE
            && headers.all("Connection").stream().noneMatch(l -> HeadParser.hasToken(l, "close"));
    return new AnswerHead(status, headers, bodyLength, keepAlive);
  }

  private static long bodyLength(int status, String method, Headers headers, boolean old)
      throws Refusal {
    long framed =
        BodyFraming.length(
            headers, old ? RequestHead.Protocol.HTTP_1_0 : RequestHead.Protocol.HTTP_1_1);
    if (method.equals("HEAD") || status < 200 || status == 204 || status == 304) {
      return 0;
    }
    boolean told = headers.has("Content-Length") || headers.has("Transfer-Encoding");
    return told ? framed : UNTIL_CLOSE;
  }
}
