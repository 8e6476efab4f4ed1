package dev.ron.storage.s3.xml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes an answer's document.
 *
 * <p>What XML cannot say, a control character of a key, is left out as a reference that strict
 * readers refuse; clients that may meet one ask for {@code encoding-type=url}.
 *
 * <p>Threading: owned by one thread.
 */
public final class XmlWriter {
  public static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

  private final StringBuilder out = new StringBuilder(512);
  private final Deque<String> open = new ArrayDeque<>();

  private XmlWriter() {
    out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  }

  /** A document in the namespace of S3. */
  public static XmlWriter document(String root) {
    var writer = new XmlWriter();
    writer.out.append('<').append(root).append(" xmlns=\"").append(NAMESPACE).append("\">");
    writer.open.push(root);
    return writer;
  }

  /** An error has no namespace. */
  public static XmlWriter plain(String root) {
    return new XmlWriter().begin(root);
  }

  public XmlWriter begin(String name) {
    out.append('<').append(name).append('>');
    open.push(name);
    return this;
  }

  /** An element with attributes that are written as they are. */
  public XmlWriter begin(String name, String attributes) {
    out.append('<').append(name).append(' ').append(attributes).append('>');
    open.push(name);
    return this;
  }

  public XmlWriter end() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  public XmlWriter text(String name, String value) {
    begin(name);
    escape(value);
    return end();
  }

  public XmlWriter number(String name, long value) {
    return text(name, Long.toString(value));
  }

  public XmlWriter flag(String name, boolean value) {
    return text(name, Boolean.toString(value));
  }

  public byte[] bytes() {
    while (!open.isEmpty()) {
      end();
    }
    return out.toString().getBytes(UTF_8);
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\r' -> out.append("&#13;");
        default -> {
          if (c < ' ' && c != '\n' && c != '\t') {
            out.append("&#").append((int) c).append(';');
          } else {
            out.append(c);
          }
        }
      }
    }
  }
}
