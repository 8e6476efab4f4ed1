package dev.ron.rewarder.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.core.score.Tally;
import org.jspecify.annotations.Nullable;

/**
 * Accounting as one JSON object in each line: {@code actor}, {@code metric}, {@code units} and
 * maybe {@code shard}.
 *
 * <p>As strict as all JSON here: an unknown field, a key that comes twice, anything behind the
 * object refuses the line. Units are a string of digits or an integer.
 *
 * <p>Threading: owned by one worker.
 */
public final class JsonLineScanner implements LineScanner {
  private static final int ACTOR = 0;
  private static final int METRIC = 1;
  private static final int UNITS = 2;
  private static final int SHARD = 3;
  private static final byte[][] KEYS = {
    "actor".getBytes(UTF_8),
    "metric".getBytes(UTF_8),
    "units".getBytes(UTF_8),
    "shard".getBytes(UTF_8)
  };
  private static final int LINE_BYTES_MAX = 4096;

  /** Where texts go whose escapes must be undone: the line itself, unescaped, is never longer. */
  private final byte[] plain = new byte[LINE_BYTES_MAX];

  private int plainEnd;
  private byte[] buffer = plain;
  private int at;
  private int end;
  private int textFrom;
  private int textTo;
  private boolean escaped;

  @Override
  public @Nullable LineFault scan(byte[] block, int from, int to, Tally tally) {
    long number = 0;
    for (int start = from; start < to; ) {
      number++;
      int lineEnd = ByteSearch.indexOf(block, start, to, (byte) '\n');
      String wrong =
          lineEnd - start > LINE_BYTES_MAX
              ? "longer than " + LINE_BYTES_MAX + " bytes"
              : line(block, start, lineEnd, tally);
      if (wrong != null) {
        return new LineFault(number, wrong);
      }
      start = lineEnd + 1;
    }
    return null;
  }

  private @Nullable String line(byte[] block, int from, int to, Tally tally) {
    buffer = block;
    at = from;
    end = to;
    plainEnd = 0;
    space();
    if (at == end || buffer[at++] != '{') {
      return "not a JSON object";
    }
    var places = new int[8];
    int seen = 0;
    boolean moved = false;
    do {
      space();
      String wrong = text();
      if (wrong != null) {
        return wrong;
      }
      int key = key();
      if (key < 0) {
        return "a field that is not known";
      }
      if ((seen & 1 << key) != 0) {
        return new String(KEYS[key], UTF_8) + " is there twice";
      }
      seen |= 1 << key;
      space();
      if (at == end || buffer[at++] != ':') {
        return "not JSON";
      }
      space();
      wrong = key == UNITS && at < end && buffer[at] != '"' ? number() : text();
      if (wrong != null) {
        return wrong;
      }
      moved |= escaped;
      places[2 * key] = escaped ? -textFrom - 1 : textFrom;
      places[2 * key + 1] = textTo;
      space();
    } while (at < end && buffer[at++] == ',');
    if (buffer[at - 1] != '}') {
      return "not JSON";
    }
    space();
    if (at < end) {
      return "something behind the object";
    }
    if ((seen & 7) != 7) {
      return "actor, metric or units is missing";
    }
    return moved ? moved(places, tally) : told(buffer, places, tally);
  }

  /** Some text had escapes: everything is brought into one buffer. */
  private @Nullable String moved(int[] places, Tally tally) {
    byte[] all = new byte[2 * LINE_BYTES_MAX];
    int to = 0;
    for (int key = ACTOR; key <= UNITS; key++) {
      boolean inPlain = places[2 * key] < 0;
      int from = inPlain ? -places[2 * key] - 1 : places[2 * key];
      int length = places[2 * key + 1] - from;
      System.arraycopy(inPlain ? plain : buffer, from, all, to, length);
      places[2 * key] = to;
      places[2 * key + 1] = to + length;
      to += length;
    }
    return told(all, places, tally);
  }

  private static @Nullable String told(byte[] in, int[] places, Tally tally) {
    String wrong = ActorName.wrong(in, places[2 * ACTOR], places[2 * ACTOR + 1]);
    return wrong != null
        ? wrong
        : tally.line(
            in,
            places[2 * ACTOR],
            places[2 * ACTOR + 1],
            places[2 * METRIC],
            places[2 * METRIC + 1],
            places[2 * UNITS],
            places[2 * UNITS + 1]);
  }

  private int key() {
    byte[] in = escaped ? plain : buffer;
    for (int key = 0; key <= SHARD; key++) {
      if (java.util.Arrays.equals(KEYS[key], 0, KEYS[key].length, in, textFrom, textTo)) {
        return key;
      }
    }
    return -1;
  }

  private void space() {
    while (at < end && (buffer[at] == ' ' || buffer[at] == '\t' || buffer[at] == '\r')) {
      at++;
    }
  }

  /** An integer; the tally checks its size. */
  private @Nullable String number() {
    textFrom = at;
    escaped = false;
    while (at < end && (buffer[at] == '-' || (buffer[at] >= '0' && buffer[at] <= '9'))) {
      at++;
    }
    textTo = at;
    boolean whole = textTo > textFrom && (at == end || ",} \t\r".indexOf(buffer[at]) >= 0);
    return whole ? null : "units must be a string of digits or an integer";
  }

  private @Nullable String text() {
    if (at == end || buffer[at] != '"') {
      return "not JSON, or a value that is not a string";
    }
    textFrom = ++at;
    escaped = false;
    for (; at < end; at++) {
      byte c = buffer[at];
      if (c == '"') {
        textTo = at++;
        return null;
      }
      if (c == '\\') {
        return escapedText();
      }
      if (c >= 0 && c < ' ') {
        return "a control character in a string";
      }
    }
    return "a string without its end";
  }

  private @Nullable String escapedText() {
    int begin = plainEnd;
    System.arraycopy(buffer, textFrom, plain, plainEnd, at - textFrom);
    plainEnd += at - textFrom;
    while (at < end && buffer[at] != '"') {
      byte c = buffer[at++];
      if (c >= 0 && c < ' ') {
        return "a control character in a string";
      }
      if (c != '\\') {
        plain[plainEnd++] = c;
      } else if (at == end || !escape(buffer[at++])) {
        return "an escape that JSON does not have";
      }
    }
    if (at == end) {
      return "a string without its end";
    }
    at++;
    escaped = true;
    textFrom = begin;
    textTo = plainEnd;
    return null;
  }

  private boolean escape(byte c) {
    int plainChar = "\"\\/bfnrt".indexOf(c);
    if (plainChar >= 0) {
      plain[plainEnd++] = (byte) "\"\\/\b\f\n\r\t".charAt(plainChar);
      return true;
    }
    return c == 'u' && unicode();
  }

  private boolean unicode() {
    int unit = unit();
    if (unit >= 0xd800 && unit < 0xdc00) {
      boolean paired = at + 1 < end && buffer[at] == '\\' && buffer[at + 1] == 'u';
      at += 2;
      int low = paired ? unit() : -1;
      if (low < 0xdc00 || low > 0xdfff) {
        return false;
      }
      unit = Character.toCodePoint((char) unit, (char) low);
    } else if (unit < 0 || (unit >= 0xdc00 && unit <= 0xdfff)) {
      return false;
    }
    byte[] bytes = Character.toString(unit).getBytes(UTF_8);
    System.arraycopy(bytes, 0, plain, plainEnd, bytes.length);
    plainEnd += bytes.length;
    return true;
  }

  private int unit() {
    if (at + 4 > end) {
      return -1;
    }
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(buffer[at++], 16);
      if (digit < 0) {
        return -1;
      }
      unit = (unit << 4) | digit;
    }
    return unit;
  }
}
