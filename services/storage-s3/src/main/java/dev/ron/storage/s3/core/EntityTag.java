package dev.ron.storage.s3.core;

/**
 * What an object's {@code ETag} says: the MD5 of its bytes, or of the MD5s of its parts with their
 * number behind it.
 *
 * <p>Threading: immutable.
 *
 * @param md5 32 hex digits
 * @param parts 0 for an object that came in one piece
 */
public record EntityTag(String md5, int parts) {
  private static final int DIGITS = 32;

  public EntityTag {
    if (md5.length() != DIGITS || parts < 0) {
      throw new IllegalArgumentException(md5 + "-" + parts + " is no entity tag");
    }
  }

  /** With quotes, as a field has it. */
  public String quoted() {
    return '"' + toString() + '"';
  }

  /** Whether a client that says this means this tag; quotes may be missing. */
  public boolean isMeantBy(String text) {
    String bare = text.strip();
    if (bare.length() > 1 && bare.startsWith("\"") && bare.endsWith("\"")) {
      bare = bare.substring(1, bare.length() - 1);
    }
    return bare.equals(toString());
  }

  @Override
  public String toString() {
    return parts == 0 ? md5 : md5 + "-" + parts;
  }
}
