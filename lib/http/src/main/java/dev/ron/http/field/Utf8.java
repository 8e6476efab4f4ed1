package dev.ron.http.field;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Octets on their way to a string, decoded strictly: an overlong form, a surrogate or a cut
 * sequence makes it none, because the lenient replacement character hides what the next reader will
 * see.
 *
 * <p>Threading: owned by the parser that made it.
 */
final class Utf8 {
  private final ByteArrayOutputStream octets = new ByteArrayOutputStream();

  void add(int octet) {
    octets.write(octet);
  }

  /** What was added since the last time, or null if that is not UTF-8. */
  @Nullable String text() {
    byte[] found = octets.toByteArray();
    octets.reset();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(found)).toString();
    } catch (CharacterCodingException _) {
      return null;
    }
  }
}
