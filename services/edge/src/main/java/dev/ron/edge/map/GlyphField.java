package dev.ron.edge.map;

import java.util.ArrayList;
import java.util.List;

/**
 * A glyph as a field of distances: each pixel says how far it is from the outline, so that one
 * small picture is sharp at every size.
 *
 * <p>The numbers are those that map clients of this format expect: 24 pixels to the em, three
 * pixels around the glyph, eight pixels from full to empty, the outline at three quarters.
 *
 * <p>Threading: immutable.
 *
 * @param width of the glyph without the border, as the wire format has it
 * @param top how far its upper edge lies below the line that all glyphs hang from; negative below
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record GlyphField(
    int character, byte[] pixels, int width, int height, int left, int top, int advance) {
  public static final int EM_PIXELS = 24;
  public static final int BORDER = 3;

  private static final double RADIUS = 8;
  private static final double OUTLINE = 0.25;

  /**
   * The line that glyphs hang from, above the baseline. Clients centre labels for fonts that hang
   * this far up, whatever the font says itself.
   */
  private static final int HANG = 26;

  private static final int CURVE_STEPS = 6;

  private record Line(double x0, double y0, double x1, double y1) {}

  public static GlyphField of(int character, TrueType.Glyph glyph, int unitsPerEm) {
    double scale = (double) EM_PIXELS / unitsPerEm;
    var lines = new ArrayList<Line>();
    glyph.contours().forEach(contour -> lines(contour, scale, lines));
    int advance = (int) Math.round(glyph.advance() * scale);
    if (lines.isEmpty()) {
      return new GlyphField(character, new byte[0], 0, 0, 0, 0, advance);
    }
    int left = (int) Math.floor(lines.stream().mapToDouble(Line::x0).min().orElse(0));
    int right = (int) Math.ceil(lines.stream().mapToDouble(Line::x0).max().orElse(0));
    int bottom = (int) Math.floor(lines.stream().mapToDouble(Line::y0).min().orElse(0));
    int top = (int) Math.ceil(lines.stream().mapToDouble(Line::y0).max().orElse(0));
    int columns = right - left + 2 * BORDER;
    int rows = top - bottom + 2 * BORDER;
    byte[] pixels = new byte[columns * rows];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        double x = left - BORDER + column + 0.5;
        double y = top + BORDER - row - 0.5;
        pixels[row * columns + column] = pixel(lines, x, y);
      }
    }
    return new GlyphField(character, pixels, right - left, top - bottom, left, top - HANG, advance);
  }

  private static byte pixel(List<Line> lines, double x, double y) {
    double nearest = Double.MAX_VALUE;
    int winding = 0;
    for (Line line : lines) {
      double dx = line.x1 - line.x0;
      double dy = line.y1 - line.y0;
      double length = dx * dx + dy * dy;
      double share =
          length == 0 ? 0 : Math.clamp(((x - line.x0) * dx + (y - line.y0) * dy) / length, 0, 1);
      double offX = x - line.x0 - share * dx;
      double offY = y - line.y0 - share * dy;
      nearest = Math.min(nearest, offX * offX + offY * offY);
      if ((line.y0 <= y) != (line.y1 <= y) && x < line.x0 + (y - line.y0) / dy * dx) {
        winding += line.y0 <= y ? 1 : -1;
      }
    }
    double outside = winding == 0 ? Math.sqrt(nearest) : -Math.sqrt(nearest);
    return (byte) Math.clamp(Math.round(255 - 255 * (outside / RADIUS + OUTLINE)), 0, 255);
  }

  /** Straight pieces of a contour; two points off the curve have one on it half way between. */
  private static void lines(List<TrueType.Point> contour, double scale, List<Line> lines) {
    int count = contour.size();
    if (count < 2) {
      return;
    }
    var points = new ArrayList<TrueType.Point>();
    for (int i = 0; i < count; i++) {
      TrueType.Point here = contour.get(i);
      TrueType.Point next = contour.get((i + 1) % count);
      points.add(here);
      if (!here.onCurve() && !next.onCurve()) {
        points.add(new TrueType.Point((here.x() + next.x()) / 2, (here.y() + next.y()) / 2, true));
      }
    }
    int first = 0;
    while (!points.get(first).onCurve()) {
      first++;
    }
    TrueType.Point from = points.get(first);
    for (int i = 1; i <= points.size(); i++) {
      TrueType.Point to = points.get((first + i) % points.size());
      if (to.onCurve()) {
        lines.add(line(from.x(), from.y(), to.x(), to.y(), scale));
        from = to;
      } else {
        TrueType.Point end = points.get((first + i + 1) % points.size());
        curve(from, to, end, scale, lines);
        from = end;
        i++;
      }
    }
  }

  private static void curve(
      TrueType.Point from, TrueType.Point bend, TrueType.Point to, double scale, List<Line> lines) {
    double x = from.x();
    double y = from.y();
    for (int step = 1; step <= CURVE_STEPS; step++) {
      double t = (double) step / CURVE_STEPS;
      double s = 1 - t;
      double nextX = s * s * from.x() + 2 * s * t * bend.x() + t * t * to.x();
      double nextY = s * s * from.y() + 2 * s * t * bend.y() + t * t * to.y();
      lines.add(line(x, y, nextX, nextY, scale));
      x = nextX;
      y = nextY;
    }
  }

  private static Line line(double x0, double y0, double x1, double y1, double scale) {
    return new Line(x0 * scale, y0 * scale, x1 * scale, y1 * scale);
  }
}
