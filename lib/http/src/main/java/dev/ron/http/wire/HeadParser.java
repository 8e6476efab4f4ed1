package dev.ron.http.wire;

import dev.ron.http.FieldText;
import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.field.ProxyFields;
import dev.ron.http.wire.RequestHead.Protocol;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bytes of a whole head; {@link HeadScanner} has found its end.
 *
 * <p>Threading: immutable.
 */
public final class HeadParser {
  private final int fieldsMax;
  private final PathForm paths;

  public HeadParser(int fieldsMax) {
    this(fieldsMax, PathForm.NORMAL);
  }

  public HeadParser(int fieldsMax, PathForm paths) {
    this.fieldsMax = fieldsMax;
    this.paths = paths;
  }

  /** Parses the first {@code length} bytes, which end in an empty line. */
  public RequestHead parse(byte[] head, int length) throws Refusal {
    int lineEnd = lineEnd(head, 0);
    int methodEnd = token(head, 0, lineEnd);
    if (methodEnd == 0 || methodEnd == lineEnd || head[methodEnd] != ' ') {
      throw Refusal.malformed("the request line does not begin with a method and one space");
    }
    int targetEnd = methodEnd + 1;
    while (targetEnd < lineEnd && head[targetEnd] > ' ' && head[targetEnd] != 0x7f) {
      targetEnd++;
    }
    if (targetEnd == methodEnd + 1 || targetEnd == lineEnd || head[targetEnd] != ' ') {
      throw Refusal.malformed("the request line is not method, target and version");
    }
    Protocol protocol = protocol(head, targetEnd + 1, lineEnd);
    String method = KnownNames.method(head, 0, methodEnd);
    String target = latin(head, methodEnd + 1, targetEnd);
    Headers headers = fields(head, lineEnd + 2, length - 2);
    return head(method, target, protocol, headers);
  }

  /** Fields from {@code from} to {@code to}, each line with its CR LF; also used for trailers. */
  Headers fields(byte[] head, int from, int to) throws Refusal {
    var headers = new Headers();
    while (from < to) {
      if (headers.size() == fieldsMax) {
        throw Refusal.of(new HttpFault.HeadCap(431, "more than " + fieldsMax + " fields"));
      }
      int colon = token(head, from, to);
      if (colon == from || head[colon] != ':') {
        throw Refusal.malformed("a line of the head is not a name, a colon and a value");
      }
      int lineEnd = valueEnd(head, colon + 1);
      headers.addParsed(KnownNames.name(head, from, colon), value(head, colon + 1, lineEnd));
      from = lineEnd + 2;
    }
    return headers;
  }

  /** Refuses options that {@code Connection} may not name, in requests and answers. */
  static void checkOptions(Headers headers) throws Refusal {
    Optional<String> misnamed = ProxyFields.misnamedOption(headers);
    if (misnamed.isPresent()) {
      throw Refusal.malformed(
          "Connection names " + misnamed.get() + ", which is not a field of one connection");
    }
  }

  static Headers checkedTrailers(Headers trailers) throws Refusal {
    Optional<String> misplaced = ProxyFields.misplacedTrailer(trailers);
    if (misplaced.isPresent()) {
      throw Refusal.malformed("a trailer may not be " + misplaced.get());
    }
    return trailers;
  }

  private RequestHead head(String method, String target, Protocol protocol, Headers headers)
      throws Refusal {
    String host = host(headers, protocol);
    String rest = target;
    if (target.charAt(0) != '/' && !target.equals("*")) {
      rest = originForm(method, target, host);
    } else if (target.equals("*") && !method.equals("OPTIONS")) {
      throw Refusal.malformed("the target * is for OPTIONS only");
    }
    int mark = rest.indexOf('?');
    String path = mark < 0 ? rest : rest.substring(0, mark);
    String query = mark < 0 ? null : checkedQuery(rest.substring(mark + 1));
    checkOptions(headers);
    return RequestHead.of(
        method,
        protocol,
        host,
        paths,
        path,
        query,
        headers,
        BodyFramer.length(headers, protocol),
        keepAlive(headers, protocol));
  }

  private static String host(Headers headers, Protocol protocol) throws Refusal {
    int hosts = headers.count("Host");
    if (hosts > 1 || (hosts == 0 && protocol != Protocol.HTTP_1_0)) {
      throw Refusal.malformed(
          "a request names its host once; this one does so " + hosts + " times");
    }
    String host = headers.first("Host");
    return host == null ? "" : Authority.checked(host);
  }

  /**
   * An absolute target must say the same as Host; two different hosts would allow request
   * smuggling.
   */
  private static String originForm(String method, String target, String host) throws Refusal {
    if (method.equals("CONNECT")) {
      throw Refusal.malformed("CONNECT is not served here");
    }
    int scheme = target.regionMatches(true, 0, "http://", 0, 7) ? 7 : 0;
    scheme = target.regionMatches(true, 0, "https://", 0, 8) ? 8 : scheme;
    if (scheme == 0) {
      throw Refusal.malformed("the target is neither a path nor an http address");
    }
    int end = scheme;
    while (end < target.length() && "/?#".indexOf(target.charAt(end)) < 0) {
      end++;
    }
    String authority = Authority.checked(target.substring(scheme, end));
    if (!authority.equalsIgnoreCase(host)) {
      throw Refusal.malformed("the target's authority is not the host");
    }
    String rest = target.substring(end);
    return rest.startsWith("/") ? rest : "/" + rest;
  }

  static String checkedQuery(String query) throws Refusal {
    for (int i = 0; i < query.length(); i++) {
      char c = query.charAt(i);
      if (c <= ' ' || c > '~' || c == '#') {
        throw Refusal.malformed("a character in the query that must be escaped");
      }
    }
    return query;
  }

  static boolean keepAlive(Headers headers, Protocol protocol) {
    if (protocol == Protocol.HTTP_1_0) {
      return false;
    }
    for (int i = 0; i < headers.size(); i++) {
      if (headers.nameAt(i).equalsIgnoreCase("Connection")
          && hasToken(headers.valueAt(i), "close")) {
        return false;
      }
    }
    return true;
  }

  /** Whether a comma-separated list names a token, without regard to case. */
  public static boolean hasToken(@Nullable String list, String token) {
    if (list == null) {
      return false;
    }
    int from = 0;
    while (from <= list.length()) {
      int comma = list.indexOf(',', from);
      int to = comma < 0 ? list.length() : comma;
      if (list.substring(from, to).strip().equalsIgnoreCase(token)) {
        return true;
      }
      from = to + 1;
    }
    return false;
  }

  private static Protocol protocol(byte[] head, int from, int lineEnd) throws Refusal {
    String version = latin(head, from, lineEnd);
    return switch (version) {
      case "HTTP/1.1" -> Protocol.HTTP_1_1;
      case "HTTP/1.0" -> Protocol.HTTP_1_0;
      default -> {
        if (version.length() == 8
            && version.startsWith("HTTP/")
            && Character.isDigit(version.charAt(5))
            && version.charAt(6) == '.'
            && Character.isDigit(version.charAt(7))) {
          throw Refusal.of(
              new HttpFault.VersionUnsupported("HTTP/1.0, HTTP/1.1 and HTTP/2 are served"));
        }
        throw Refusal.malformed("the request line does not end in a version");
      }
    };
  }

  private static String value(byte[] head, int from, int to) {
    while (from < to && isBlank(head[from])) {
      from++;
    }
    while (to > from && isBlank(head[to - 1])) {
      to--;
    }
    return latin(head, from, to);
  }

  /** Where the line ends, all before being fit for a value. */
  private static int valueEnd(byte[] head, int from) throws Refusal {
    int i = from;
    while (FieldText.isValueByte(head[i])) {
      i++;
    }
    if (head[i] != '\r' || head[i + 1] != '\n') {
      throw Refusal.malformed("a control character in the head");
    }
    return i;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  /** The first byte that is not of a token. */
  private static int token(byte[] head, int from, int to) {
    int i = from;
    while (i < to && FieldText.isTokenByte(head[i])) {
      i++;
    }
    return i;
  }

  /** Where the first line ends; the scanner made sure that there is such a place. */
  static int lineEnd(byte[] head, int from) throws Refusal {
    int i = from;
    while (head[i] != '\r') {
      i++;
    }
    if (head[i + 1] != '\n') {
      throw Refusal.malformed("a line of the head does not end in CR LF");
    }
    return i;
  }

  private static String latin(byte[] head, int from, int to) {
    return new String(head, from, to - from, StandardCharsets.ISO_8859_1);
  }
}
