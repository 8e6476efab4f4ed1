package dev.ron.http.field;

import dev.ron.kernel.trace.TraceContext;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Where a request belongs in a trace (W3C Trace Context, level 1, and the random flag of level 2).
 *
 * <p>Threading: immutable.
 *
 * @param traceId 32 lower-case hex digits, not all zero
 * @param spanId 16 lower-case hex digits, not all zero
 * @param flags only the two that are defined: 1 sampled, 2 random trace id
 */
public record TraceParent(String traceId, String spanId, int flags) {
  private static final int SAMPLED = 1;
  private static final int KNOWN_FLAGS = 3;
  private static final int CHARS = 55;

  public TraceParent {
    if (!isId(traceId, 32) || !isId(spanId, 16) || (flags & ~KNOWN_FLAGS) != 0) {
      throw new IllegalArgumentException("not a trace parent");
    }
  }

  /** Strict; a later version is read by its first four parts, as the specification asks. */
  public static ParseResult<TraceParent> parse(String text) {
    if (text.length() < CHARS
        || text.charAt(2) != '-'
        || text.charAt(35) != '-'
        || text.charAt(52) != '-') {
      return ParseResult.bad("not a traceparent");
    }
    String version = text.substring(0, 2);
    boolean longer = text.length() > CHARS;
    if (!Hex.isLower(version) || version.equals("ff")) {
      return ParseResult.bad("no such version of traceparent");
    }
    if (longer && (version.equals("00") || text.charAt(CHARS) != '-')) {
      return ParseResult.bad("more after the traceparent");
    }
    int flags = Hex.lower(text.charAt(53), text.charAt(54));
    String traceId = text.substring(3, 35);
    String spanId = text.substring(36, 52);
    if (flags < 0 || !isId(traceId, 32) || !isId(spanId, 16)) {
      return ParseResult.bad("an id of traceparent is zero or not lower-case hex");
    }
    // Flags of a version we do not know mean nothing to us, but sampled has kept its place.
    return ParseResult.ok(
        new TraceParent(traceId, spanId, flags & (version.equals("00") ? KNOWN_FLAGS : SAMPLED)));
  }

  /** What a request says of its trace; null if it says nothing, or nothing that can be read. */
  public static @Nullable TraceContext context(@Nullable String text) {
    return text != null && parse(text) instanceof ParseResult.Ok<TraceParent>(var known)
        ? known.context()
        : null;
  }

  private TraceContext context() {
    return new TraceContext(
        Long.parseUnsignedLong(traceId.substring(0, 16), 16),
        Long.parseUnsignedLong(traceId.substring(16), 16),
        Long.parseUnsignedLong(spanId, 16),
        flags);
  }

  /** As the next server is told. */
  public static TraceParent of(TraceContext context) {
    HexFormat hex = HexFormat.of();
    return new TraceParent(
        hex.toHexDigits(context.high()) + hex.toHexDigits(context.low()),
        hex.toHexDigits(context.spanId()),
        context.flags());
  }

  @Override
  public String toString() {
    return "00-" + traceId + '-' + spanId + "-0" + flags;
  }

  private static boolean isId(String text, int digits) {
    return text.length() == digits && Hex.isLower(text) && text.chars().anyMatch(c -> c != '0');
  }
}
