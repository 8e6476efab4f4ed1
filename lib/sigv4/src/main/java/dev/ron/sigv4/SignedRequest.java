package dev.ron.sigv4;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a signature covers of a request: method, path and query as they were sent, and the fields in
 * their order.
 *
 * <p>A character stands for one byte of the wire (ISO 8859-1), because a signature is over bytes,
 * whichever character set the client meant. HTTP/2 has no {@code host} field; the door that makes
 * this adds it from {@code :authority}.
 *
 * <p>Threading: immutable.
 *
 * @param rawPath the path as sent, with its escapes; empty counts as {@code /}
 * @param rawQuery the query as sent, without the question mark; empty if there is none
 */
public record SignedRequest(String method, String rawPath, String rawQuery, List<Header> headers) {
  /** One field line; the name is kept in lower case. */
  public record Header(String name, String value) {
    public Header {
      name = name.toLowerCase(Locale.ROOT);
      requireBytes(value);
    }
  }

  public SignedRequest {
    requireBytes(rawPath);
    requireBytes(rawQuery);
    headers = List.copyOf(headers);
  }

  /** The same with one more field at the end. */
  public SignedRequest with(String name, String value) {
    var more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new SignedRequest(method, rawPath, rawQuery, more);
  }

  /** The same with another query. */
  public SignedRequest withQuery(String query) {
    return new SignedRequest(method, rawPath, query, headers);
  }

  /** The values of a field, which is named in lower case, in the order they came. */
  public List<String> values(String name) {
    var values = new ArrayList<String>(1);
    for (Header header : headers) {
      if (header.name().equals(name)) {
        values.add(header.value());
      }
    }
    return values;
  }

  /** The value of a field that may come once; a second one gives the fault. */
  Optional<String> single(String name) throws SignatureRefusal {
    String found = null;
    for (Header header : headers) {
      if (header.name().equals(name)) {
        if (found != null) {
          throw new SignatureRefusal(
              new SignatureFault.Invalid("the field " + name + " comes twice"));
        }
        found = header.value().strip();
      }
    }
    return Optional.ofNullable(found);
  }

  private static void requireBytes(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xff) {
        throw new IllegalArgumentException("a character that is not one byte of the wire");
      }
    }
  }
}
