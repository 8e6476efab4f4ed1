package dev.ron.http.wire;

import dev.ron.http.FieldText;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.field.NameSet;
import dev.ron.http.wire.RequestHead.Protocol;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request head out of an HTTP/2 header block, as strictly as one of HTTP/1.1.
 *
 * <p>What is written here may be forwarded over HTTP/1.1, so nothing may pass that would mean
 * something else there.
 *
 * <p>Threading: immutable.
 */
public final class Http2Heads {
  private static final NameSet CONNECTION_FIELDS =
      NameSet.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

  /** Without {@code :protocol}: an extended CONNECT is not served, and not passed on as another. */
  private static final Set<String> REQUEST_PSEUDO_FIELDS =
      Set.of(":method", ":scheme", ":authority", ":path");

  private Http2Heads() {}

  public static RequestHead parse(Http2Headers block, boolean ended, int fieldsMax, PathForm paths)
      throws Refusal {
    Headers headers = fields(block, fieldsMax, REQUEST_PSEUDO_FIELDS);
    String method = pseudo(block, ":method");
    String target = pseudo(block, ":path");
    String scheme = pseudo(block, ":scheme");
    if (method == null || target == null || scheme == null || !FieldText.isToken(method)) {
      throw Refusal.malformed("a request has one method, one scheme and one path");
    }
    if (!target.startsWith("/") && !(target.equals("*") && method.equals("OPTIONS"))) {
      throw Refusal.malformed("the path does not begin with a slash");
    }
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    return RequestHead.of(
        method,
        Protocol.HTTP_2,
        authority(block, headers),
        paths,
        path,
        mark < 0 ? null : HeadParser.checkedQuery(target.substring(mark + 1)),
        headers,
        bodyLength(headers, ended),
        true);
  }

  /** Trailers have no pseudo fields and change nothing about the message. */
  public static Headers trailers(Http2Headers block, int fieldsMax) throws Refusal {
    return HeadParser.checkedTrailers(fields(block, fieldsMax, Set.of()));
  }

  /** The fields of an answer. */
  public static Headers answer(Http2Headers block, int fieldsMax) throws Refusal {
    Headers headers = fields(block, fieldsMax, Set.of(":status"));
    announced(headers);
    return headers;
  }

  public static int status(Http2Headers block) throws Refusal {
    String status = pseudo(block, ":status");
    if (status == null || status.length() != 3 || !status.chars().allMatch(Character::isDigit)) {
      throw Refusal.malformed("the answer has no status");
    }
    return Integer.parseInt(status);
  }

  /** Whether a field belongs to a connection of HTTP/1.1, so that a stream has no place for it. */
  public static boolean isConnectionField(String name) {
    return CONNECTION_FIELDS.has(name);
  }

  private static Headers fields(Http2Headers block, int fieldsMax, Set<String> pseudoFields)
      throws Refusal {
    var headers = new Headers();
    for (Map.Entry<CharSequence, CharSequence> field : block) {
      String name = field.getKey().toString();
      String value = field.getValue().toString();
      if (name.startsWith(":")) {
        if (!pseudoFields.contains(name)) {
          throw Refusal.malformed("the pseudo field " + name + " has no place here");
        }
        continue;
      }
      if (headers.size() == fieldsMax) {
        throw Refusal.malformed("more than " + fieldsMax + " fields");
      }
      if (!FieldText.isToken(name) || !FieldText.isValue(value) || !value.equals(value.strip())) {
        throw Refusal.malformed("a field that is not a name and a value");
      }
      if (CONNECTION_FIELDS.has(name)
          || (name.equals("te") && !value.equalsIgnoreCase("trailers"))) {
        throw Refusal.malformed("a field of the connection in a stream");
      }
      headers.addParsed(name, value);
    }
    return headers;
  }

  private static String authority(Http2Headers block, Headers headers) throws Refusal {
    String authority = pseudo(block, ":authority");
    String host = headers.first("host");
    if (headers.count("host") > 1 || (authority == null && host == null)) {
      throw Refusal.malformed("a request names its host once");
    }
    if (authority != null && host != null && !authority.equalsIgnoreCase(host)) {
      throw Refusal.malformed("the authority is not the host");
    }
    String named = Authority.checked(authority == null ? String.valueOf(host) : authority);
    if (host == null) {
      headers.addParsed("Host", named);
    }
    return named;
  }

  /** The length that the fields tell, if they tell one. */
  private static long announced(Headers headers) throws Refusal {
    if (headers.count("content-length") > 1) {
      throw Refusal.malformed("Content-Length more than once");
    }
    String length = headers.first("content-length");
    return length == null ? RequestHead.UNKNOWN : BodyFramer.decimal(length);
  }

  private static long bodyLength(Headers headers, boolean ended) throws Refusal {
    long announced = announced(headers);
    if (ended && announced > 0) {
      throw Refusal.malformed("a length, and no body");
    }
    // Only the end of the stream says that there is no body: until then the peer may send one.
    return ended ? 0 : announced == 0 ? RequestHead.UNKNOWN : announced;
  }

  private static @Nullable String pseudo(Http2Headers block, String name) throws Refusal {
    var all = block.getAll(name);
    if (all.size() > 1) {
      throw Refusal.malformed(name + " more than once");
    }
    return all.isEmpty() ? null : all.getFirst().toString();
  }
}
