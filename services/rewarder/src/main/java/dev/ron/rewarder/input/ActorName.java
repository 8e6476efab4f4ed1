package dev.ron.rewarder.input;

import dev.ron.rewarder.core.score.ScoreTable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The rule for an actor's name: 1 to 512 bytes of UTF-8 without control characters.
 *
 * <p>Threading: stateless.
 */
public final class ActorName {
  private static final long HIGHS = 0x8080_8080_8080_8080L;
  private static final long SPACES = 0x2020_2020_2020_2020L;
  private static final long RUBOUTS = 0x7f7f_7f7f_7f7f_7f7fL;
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ActorName() {}

  /** Why it is not a valid name, or null if it is. */
  public static @Nullable String wrong(byte[] buffer, int from, int to) {
    if (from == to || to - from > ScoreTable.ACTOR_BYTES_MAX) {
      return "the actor must have 1 to " + ScoreTable.ACTOR_BYTES_MAX + " bytes";
    }
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      long word = (long) LONGS.get(buffer, at);
      long rubout = word ^ RUBOUTS;
      // No byte above 0x7f, none below a space, none a rubout: plain text, the usual case.
      if (((word | ((word | HIGHS) - SPACES ^ HIGHS)) & HIGHS) != 0
          || ((rubout - ONES) & ~rubout & HIGHS) != 0) {
        return slow(buffer, from, to);
      }
    }
    for (; at < to; at++) {
      if (buffer[at] < ' ' || buffer[at] == 0x7f) {
        return slow(buffer, from, to);
      }
    }
    return null;
  }

  private static @Nullable String slow(byte[] buffer, int from, int to) {
    try {
      var text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(buffer, from, to - from));
      return text.chars().anyMatch(Character::isISOControl)
          ? "the actor has a control character"
          : null;
    } catch (CharacterCodingException _) {
      return "the actor is not UTF-8";
    }
  }
}
