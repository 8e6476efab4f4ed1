package dev.ron.edge.map;

import dev.ron.tilepack.tile.Varints;

/**
 * 256 characters of a font as map clients fetch them.
 *
 * <p>Threading: stateless.
 */
public final class GlyphRange {
  public static final int CHARACTERS = 256;

  private GlyphRange() {}

  public static byte[] of(TrueType font, String name, int first) {
    var stack = new Varints().field(1, name).field(2, first + "-" + (first + CHARACTERS - 1));
    for (int character = first; character < first + CHARACTERS; character++) {
      int wanted = character;
      font.glyph(character)
          .map(glyph -> GlyphField.of(wanted, glyph, font.unitsPerEm()))
          .ifPresent(glyph -> stack.field(3, message(glyph)));
    }
    return new Varints().field(1, stack).bytes();
  }

  private static Varints message(GlyphField glyph) {
    var message = new Varints().field(1, glyph.character());
    if (glyph.pixels().length > 0) {
      message.field(2, glyph.pixels());
    }
    return message
        .field(3, glyph.width())
        .field(4, glyph.height())
        .field(5, signed(glyph.left()))
        .field(6, signed(glyph.top()))
        .field(7, glyph.advance());
  }

  private static long signed(int value) {
    return ((long) value << 1) ^ (value >> 31);
  }
}
