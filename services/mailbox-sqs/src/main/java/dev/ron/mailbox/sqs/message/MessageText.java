package dev.ron.mailbox.sqs.message;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Which characters a message may have: those of XML, since it may be sent in it.
 *
 * <p>Threading: stateless.
 */
final class MessageText {
  static final String INVALID =
      "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF |"
          + " #xE000 to #xFFFD | #x10000 to #x10FFFF";

  private MessageText() {}

  /** The text of a body; what no client here could have sent is marked. */
  static String shown(byte[] body) {
    return shown(new String(body, UTF_8));
  }

  /** Also that of an attribute. */
  static String shown(String text) {
    if (isValid(text)) {
      return text;
    }
    // UTF-8 has no halves of pairs, so what is wrong is one character each.
    return text.codePoints()
        .map(each -> isValid(Character.toString(each)) ? each : '\uFFFD')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  static boolean isValid(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c < Character.MIN_SURROGATE) {
        continue;
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (c != '\t' && c != '\n' && c != '\r' && !(c >= '\uE000' && c <= '\uFFFD')) {
        return false;
      }
    }
    return true;
  }
}
