package dev.ron.http.wire;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.wire.RequestHead.Protocol;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

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

  private static final byte[] HTTP_1_0 = "HTTP/1.0 ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HTTP_1_1 = "HTTP/1.1 ".getBytes(StandardCharsets.US_ASCII);

  /** Parses the first {@code length} bytes, which end in an empty line. */
  public static AnswerHead parse(byte[] head, int length, String method, HeadParser parser)
      throws Refusal {
    int lineEnd = HeadParser.lineEnd(head, 0);
    boolean old = begins(head, HTTP_1_0);
    if (!(old || begins(head, HTTP_1_1)) || lineEnd < 12 || (lineEnd > 12 && head[12] != ' ')) {
      throw Refusal.malformed("the answer does not begin with a status line");
    }
    int status = 0;
    for (int i = 9; i < 12; i++) {
      int digit = head[i] - '0';
      if (digit < 0 || digit > 9) {
        throw Refusal.malformed("the answer's status is not a number");
      }
      status = status * 10 + digit;
    }
    if (status < 100 || status > 599) {
      throw Refusal.malformed("the answer's status is out of range");
    }
    Headers headers = parser.fields(head, lineEnd + 2, length - 2);
    HeadParser.checkOptions(headers);
    long bodyLength = bodyLength(status, method, headers, old);
    boolean keepAlive =
        bodyLength != UNTIL_CLOSE
            && HeadParser.keepAlive(headers, old ? Protocol.HTTP_1_0 : Protocol.HTTP_1_1);
    return new AnswerHead(status, headers, bodyLength, keepAlive);
  }

  private static boolean begins(byte[] head, byte[] with) {
    return Arrays.mismatch(head, 0, Math.min(head.length, with.length), with, 0, with.length) < 0;
  }

  private static long bodyLength(int status, String method, Headers headers, boolean old)
      throws Refusal {
    long framed = BodyFramer.length(headers, old ? Protocol.HTTP_1_0 : Protocol.HTTP_1_1);
    if (status < 200 && framed != 0) {
      throw Refusal.malformed("an interim head announces a body"); // the answer begins behind it
    }
    if (method.equals("HEAD") || status < 200 || status == 204 || status == 304) {
      return 0;
    }
    boolean told = headers.has("Content-Length") || headers.has("Transfer-Encoding");
    return told ? framed : UNTIL_CLOSE;
  }
}
