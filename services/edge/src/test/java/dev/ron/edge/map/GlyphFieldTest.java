package dev.ron.edge.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Font;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Letters against the outlines that the JDK finds in the same font. */
final class GlyphFieldTest {
  private static final String ALL = "AgQ%&@8éÅßłжΩ";

  private static byte[] font() throws Exception {
    try (InputStream in =
        GlyphFieldTest.class.getResourceAsStream(
            "/com/formdev/flatlaf/fonts/roboto/Roboto-Regular.ttf")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  @Test
  void insideIsInsideAndOutsideIsOutside() throws Exception {
    byte[] bytes = font();
    var font = new TrueType(bytes);
    Font judge = judge(bytes);
    for (int character : ALL.chars().toArray()) {
      GlyphField field =
          GlyphField.of(character, font.glyph(character).orElseThrow(), font.unitsPerEm());
      Shape outline =
          judge
              .createGlyphVector(
                  new FontRenderContext(null, true, true), Character.toString(character))
              .getOutline();
      int columns = field.width() + 2 * GlyphField.BORDER;
      int top = field.top() + 26;
      int wrong = 0;
      for (int i = 0; i < field.pixels().length; i++) {
        double x = field.left() - GlyphField.BORDER + i % columns + 0.5;
        double y = -(top + GlyphField.BORDER - i / columns - 0.5);
        int value = field.pixels()[i] & 0xff;
        // Within a tenth of a pixel of the outline either answer will do.
        if (Math.abs(value - 191) > 4 && outline.contains(x, y) != value > 191) {
          wrong++;
        }
      }
      assertThat(wrong).as("pixels of %s", Character.toString(character)).isZero();
      assertThat(field.pixels()).hasSize(columns * (field.height() + 2 * GlyphField.BORDER));
    }
  }

  private static Font judge(byte[] bytes) {
    try {
      System.setProperty("java.awt.headless", "true");
      return Font.createFont(Font.TRUETYPE_FONT, new ByteArrayInputStream(bytes))
          .deriveFont((float) GlyphField.EM_PIXELS);
    } catch (Exception | LinkageError absent) {
      Assumptions.abort("NOT RUN: the JDK cannot read fonts on this machine: " + absent);
      throw new AssertionError(absent);
    }
  }

  @Test
  void aSpaceHasWidthAndNoPixelsAndWhatIsMissingIsMissing() throws Exception {
    var font = new TrueType(font());
    GlyphField space = GlyphField.of(' ', font.glyph(' ').orElseThrow(), font.unitsPerEm());
    assertThat(space.pixels()).isEmpty();
    assertThat(space.advance()).isBetween(4, 9);
    assertThat(font.glyph(0x4e2d)).isEmpty();
  }
}
