package dev.ron.http.json;

import java.io.Serial;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;

/**
 * How large the parts of a JSON body may be. Which of them was too large is a value, so that no
 * answer depends on the parser's words.
 *
 * <p>Threading: immutable.
 */
final class JsonLimits extends StreamReadConstraints {
  @Serial private static final long serialVersionUID = 1;

  /** What has a limit. */
  enum Part {
    NESTING,
    NAME,
    NUMBER,
    TEXT
  }

  /** A part is beyond its limit. */
  static final class Excess extends StreamConstraintsException {
    @Serial private static final long serialVersionUID = 1;

    private final Part part;

    private Excess(Part part) {
      super(part + " is beyond its limit");
      this.part = part;
    }

    Part part() {
      return part;
    }
  }

  JsonLimits(int textCharsMax) {
    super(
        Json.DEPTH_MAX,
        DEFAULT_MAX_DOC_LEN,
        DEFAULT_MAX_TOKEN_COUNT,
        Json.NUMBER_CHARS_MAX,
        textCharsMax,
        Json.NAME_CHARS_MAX);
  }

  private static void check(Part part, long size, long max) {
    if (size > max) {
      throw new Excess(part);
    }
  }

  @Override
  public void validateNestingDepth(int depth) {
    check(Part.NESTING, depth, getMaxNestingDepth());
  }

  @Override
  public void validateNameLength(int length) {
    check(Part.NAME, length, getMaxNameLength());
  }

  @Override
  public void validateIntegerLength(int length) {
    check(Part.NUMBER, length, getMaxNumberLength());
  }

  @Override
  public void validateFPLength(int length) {
    check(Part.NUMBER, length, getMaxNumberLength());
  }

  @Override
  public void validateStringLength(int length) {
    check(Part.TEXT, length, getMaxStringLength());
  }

  @Override
  public void validateStringLengthLong(long length) {
    check(Part.TEXT, length, getMaxStringLength());
  }
}
