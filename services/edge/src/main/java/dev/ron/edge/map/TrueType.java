package dev.ron.edge.map;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Outlines of glyphs from a TrueType font, as far as labels on a map need them.
 *
 * <p>The font is one that the project ships; this is no reader for fonts of strangers.
 *
 * <p>Threading: immutable.
 */
public final class TrueType {
  private static final int ON_CURVE = 1;
  private static final int X_SHORT = 2;
  private static final int Y_SHORT = 4;
  private static final int REPEAT = 8;
  private static final int X_SAME = 16;
  private static final int Y_SAME = 32;
  private static final int WORDS = 1;
  private static final int OFFSETS = 2;
  private static final int SCALE = 8;
  private static final int MORE = 32;
  private static final int SCALE_XY = 64;
  private static final int SCALE_2X2 = 128;
  private static final int PARTS_DEEP_MAX = 4;

  private final ByteBuffer font;
  private final int glyf;
  private final int loca;
  private final int hmtx;
  private final int cmap;
  private final int unitsPerEm;
  private final int widths;
  private final boolean longOffsets;

  /** A point of an outline, in units of the font, y upwards. */
  public record Point(double x, double y, boolean onCurve) {}

  /** What is drawn for a character; no contours for a space. */
  public record Glyph(List<List<Point>> contours, int advance) {
    public Glyph {
      contours = List.copyOf(contours);
    }
  }

  public TrueType(byte[] bytes) {
    font = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    glyf = table("glyf");
    loca = table("loca");
    hmtx = table("hmtx");
    cmap = characters(table("cmap"));
    int head = table("head");
    unitsPerEm = word(head + 18);
    longOffsets = word(head + 50) == 1;
    widths = word(table("hhea") + 34);
  }

  public int unitsPerEm() {
    return unitsPerEm;
  }

  /** Null-free: a character the font does not have is empty. */
  public Optional<Glyph> glyph(int character) {
    int index = index(character);
    if (index == 0) {
      return Optional.empty();
    }
    int advance = word(hmtx + 4 * Math.min(index, widths - 1));
    return Optional.of(new Glyph(contours(index, 0), advance));
  }

  private int word(int at) {
    return font.getShort(at) & 0xffff;
  }

  private int table(String name) {
    for (int i = 0; i < word(4); i++) {
      int entry = 12 + 16 * i;
      boolean same = true;
      for (int c = 0; c < 4; c++) {
        same &= font.get(entry + c) == name.charAt(c);
      }
      if (same) {
        return font.getInt(entry + 8);
      }
    }
    throw new IllegalArgumentException("the font has no table " + name);
  }

  /** The table of the basic plane, format 4. */
  private int characters(int table) {
    for (int i = 0; i < word(table + 2); i++) {
      int entry = table + 4 + 8 * i;
      int at = table + font.getInt(entry + 4);
      if (word(entry) == 3 && word(entry + 2) == 1 && word(at) == 4) {
        return at;
      }
    }
    throw new IllegalArgumentException("the font has no table of characters in format 4");
  }

  private int index(int character) {
    int doubled = word(cmap + 6);
    for (int i = 0; i < doubled; i += 2) {
      if (character <= word(cmap + 14 + i)) {
        int start = word(cmap + 16 + doubled + i);
        int delta = word(cmap + 16 + 2 * doubled + i);
        int at = cmap + 16 + 3 * doubled + i;
        if (character < start) {
          return 0;
        }
        if (word(at) == 0) {
          return (character + delta) & 0xffff;
        }
        int found = word(at + word(at) + 2 * (character - start));
        return found == 0 ? 0 : (found + delta) & 0xffff;
      }
    }
    return 0;
  }

  private int offset(int glyph) {
    return longOffsets ? font.getInt(loca + 4 * glyph) : 2 * word(loca + 2 * glyph);
  }

  private List<List<Point>> contours(int glyph, int depth) {
    int at = glyf + offset(glyph);
    if (offset(glyph) == offset(glyph + 1) || depth > PARTS_DEEP_MAX) {
      return List.of();
    }
    int count = font.getShort(at);
    return count >= 0 ? simple(at, count) : parts(at + 10, depth);
  }

  private List<List<Point>> simple(int at, int count) {
    int[] ends = new int[count];
    for (int i = 0; i < count; i++) {
      ends[i] = word(at + 10 + 2 * i);
    }
    int points = count == 0 ? 0 : ends[count - 1] + 1;
    int next = at + 10 + 2 * count;
    next += 2 + word(next);
    byte[] flags = new byte[points];
    for (int i = 0; i < points; i++) {
      byte flag = font.get(next++);
      int repeats = (flag & REPEAT) != 0 ? font.get(next++) & 0xff : 0;
      flags[i] = flag;
      for (; repeats > 0; repeats--) {
        flags[++i] = flag;
      }
    }
    int[] xs = new int[points];
    next = coordinates(flags, xs, next, X_SHORT, X_SAME);
    int[] ys = new int[points];
    coordinates(flags, ys, next, Y_SHORT, Y_SAME);
    var contours = new ArrayList<List<Point>>();
    int from = 0;
    for (int end : ends) {
      var contour = new ArrayList<Point>();
      for (; from <= end; from++) {
        contour.add(new Point(xs[from], ys[from], (flags[from] & ON_CURVE) != 0));
      }
      contours.add(contour);
    }
    return contours;
  }

  private int coordinates(byte[] flags, int[] values, int at, int isShort, int same) {
    int next = at;
    int value = 0;
    for (int i = 0; i < flags.length; i++) {
      if ((flags[i] & isShort) != 0) {
        int step = font.get(next++) & 0xff;
        value += (flags[i] & same) != 0 ? step : -step;
      } else if ((flags[i] & same) == 0) {
        value += font.getShort(next);
        next += 2;
      }
      values[i] = value;
    }
    return next;
  }

  /** A letter and its accent. */
  private List<List<Point>> parts(int at, int depth) {
    var contours = new ArrayList<List<Point>>();
    int next = at;
    int flags = MORE;
    while ((flags & MORE) != 0) {
      flags = word(next);
      int part = word(next + 2);
      next += 4;
      boolean words = (flags & WORDS) != 0;
      double dx = (flags & OFFSETS) == 0 ? 0 : words ? font.getShort(next) : font.get(next);
      double dy = (flags & OFFSETS) == 0 ? 0 : words ? font.getShort(next + 2) : font.get(next + 1);
      next += words ? 4 : 2;
      double[] matrix = {1, 0, 0, 1};
      if ((flags & SCALE) != 0) {
        matrix[0] = matrix[3] = fraction(next);
        next += 2;
      } else if ((flags & SCALE_XY) != 0) {
        matrix[0] = fraction(next);
        matrix[3] = fraction(next + 2);
        next += 4;
      } else if ((flags & SCALE_2X2) != 0) {
        for (int i = 0; i < 4; i++) {
          matrix[i] = fraction(next + 2 * i);
        }
        next += 8;
      }
      for (List<Point> contour : contours(part, depth + 1)) {
        contours.add(contour.stream().map(p -> moved(p, matrix, dx, dy)).toList());
      }
    }
    return contours;
  }

  private static Point moved(Point p, double[] matrix, double dx, double dy) {
    return new Point(
        p.x * matrix[0] + p.y * matrix[2] + dx, p.x * matrix[1] + p.y * matrix[3] + dy, p.onCurve);
  }

  private double fraction(int at) {
    return font.getShort(at) / 16384.0;
  }
}
