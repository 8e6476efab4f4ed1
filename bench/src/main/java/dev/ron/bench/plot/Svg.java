package dev.ron.bench.plot;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A drawing under construction: elements with escaped attributes and text.
 *
 * <p>Threading: owned by its builder.
 */
final class Svg {
  private final StringBuilder xml = new StringBuilder();

  /** An element without content; attributes as name, value, name, value. */
  Svg element(String tag, Object... attributes) {
    open(tag, attributes);
    xml.append("/>\n");
    return this;
  }

  Svg text(String content, Object... attributes) {
    open("text", attributes);
    xml.append('>').append(escape(content)).append("</text>\n");
    return this;
  }

  Svg line(double x1, double y1, double x2, double y2, String stroke) {
    return element("line", "x1", x1, "y1", y1, "x2", x2, "y2", y2, "stroke", stroke);
  }

  /** The whole file; the title is what a screen reader says. */
  String document(int width, int height, String title) {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
    font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13" fill="#222">
    <title>%3$s</title>
    <rect width="%1$d" height="%2$d" fill="#fff"/>
    %4$s</svg>
    """
        .formatted(width, height, escape(title), xml);
  }

  private void open(String tag, Object... attributes) {
    xml.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      xml.append(' ').append(attributes[i]).append("=\"");
      Object value = attributes[i + 1];
      xml.append(value instanceof Double number ? coordinate(number) : escape(value.toString()));
      xml.append('"');
    }
  }

  /** A tenth of a pixel is finer than anyone sees. */
  static String coordinate(double value) {
    return BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_EVEN).toPlainString();
  }

  /** Text for XML; characters that XML cannot hold at all become a question mark. */
  private static String escape(String text) {
    var escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(fitsXml(c) ? c : '?');
              }
            });
    return escaped.toString();
  }

  private static boolean fitsXml(int c) {
    return c == '\t'
        || c == '\n'
        || (c >= 0x20 && c < 0xD800)
        || (c > 0xDFFF && c != 0xFFFE && c != 0xFFFF);
  }
}
