package dev.ron.http.field;

/**
 * The validator of one representation: weak or strong, and an opaque text.
 *
 * <p>Threading: immutable.
 *
 * @param opaque what stands between the quotes
 */
public record ETag(boolean weak, String opaque) {
  /** Far beyond any digest; a list of tags is kept in memory while a request waits. */
  public static final int OPAQUE_CHARS_MAX = 1024;

  public ETag {
    if (opaque.length() > OPAQUE_CHARS_MAX || !opaque.chars().allMatch(ETag::isTagChar)) {
      throw new IllegalArgumentException("not the opaque part of an entity tag");
    }
  }

  public static ETag strong(String opaque) {
    return new ETag(false, opaque);
  }

  public static ETag weak(String opaque) {
    return new ETag(true, opaque);
  }

  public static ParseResult<ETag> parse(String text) {
    var cursor = new FieldCursor(text);
    ParseResult<ETag> tag = read(cursor, text);
    return tag instanceof ParseResult.Ok && !cursor.atEnd()
        ? ParseResult.bad("more after the entity tag")
        : tag;
  }

  static ParseResult<ETag> read(FieldCursor cursor, String text) {
    boolean weak = cursor.take('W');
    if (weak ? !cursor.take('/') || !cursor.take('"') : !cursor.take('"')) {
      return ParseResult.bad("an entity tag starts with \" or W/\"");
    }
    int start = cursor.at();
    while (!cursor.atEnd() && isTagChar(cursor.peek())) {
      cursor.next();
    }
    int end = cursor.at();
    if (!cursor.take('"')) {
      return ParseResult.bad("an entity tag ends with \" and has no space or control in it");
    }
    return end - start > OPAQUE_CHARS_MAX
        ? ParseResult.bad("an entity tag has at most " + OPAQUE_CHARS_MAX + " characters")
        : ParseResult.ok(new ETag(weak, text.substring(start, end)));
  }

  /** Both strong and the same text: byte for byte the same representation. */
  public boolean matchesStrongly(ETag other) {
    return !weak && !other.weak && opaque.equals(other.opaque);
  }

  /** The same text; the representations may differ in ways that their origin calls unimportant. */
  public boolean matchesWeakly(ETag other) {
    return opaque.equals(other.opaque);
  }

  /** As it stands in a field. */
  @Override
  public String toString() {
    return (weak ? "W/\"" : "\"") + opaque + '"';
  }

  private static boolean isTagChar(int c) {
    return c == 0x21 || (c >= 0x23 && c <= 0x7e) || (c >= 0x80 && c <= 0xff);
  }
}
