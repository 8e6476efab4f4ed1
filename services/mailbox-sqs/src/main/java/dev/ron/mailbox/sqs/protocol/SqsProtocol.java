package dev.ron.mailbox.sqs.protocol;

import dev.ron.http.Headers;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * In which of its protocols a client speaks; it is answered in the same one.
 *
 * <p>Threading: immutable.
 */
public enum SqsProtocol {
  /** JSON 1.0, the action in a field. */
  JSON,
  /** Forms in, XML out: what every client spoke until November 2023. */
  QUERY,
  /** The same, answered in JSON because the client asks for it. */
  QUERY_JSON;

  public static final String TARGET = "X-Amz-Target";
  public static final String JSON_TYPE = "application/x-amz-json-1.0";

  public static SqsProtocol of(Headers headers) {
    if (headers.has(TARGET) || isOf(headers.first("Content-Type"), "application/x-amz-json")) {
      return JSON;
    }
    return isOf(headers.first("Accept"), "application/json") ? QUERY_JSON : QUERY;
  }

  private static boolean isOf(@Nullable String type, String start) {
    return type != null && type.strip().toLowerCase(Locale.ROOT).startsWith(start);
  }

  /** The type that answers are sent in. */
  public String contentType() {
    return switch (this) {
      case JSON -> JSON_TYPE;
      case QUERY -> "text/xml";
      case QUERY_JSON -> "application/json";
    };
  }
}
