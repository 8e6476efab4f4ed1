package dev.ron.tilepack.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Lines as x and y by turns.
 *
 * <p>Threading: stateless.
 */
final class Polyline {
  private Polyline() {}

  static double[] through(List<Integer> cells) {
    double[] xy = new double[2 * cells.size()];
    for (int i = 0; i < cells.size(); i++) {
      // Off the middle of the cell, by chance, so that no line shows the grid.
      double wander = 0.42;
      xy[2 * i] = Grid.x(cells.get(i)) + wander * Noise.at(cells.get(i) * 0.37, 0.5, 5);
      xy[2 * i + 1] = Grid.y(cells.get(i)) + wander * Noise.at(0.5, cells.get(i) * 0.41, 6);
    }
    return xy;
  }

  /** Corners cut twice, ends kept. */
  static double[] smoothed(double[] xy) {
    return cut(cut(xy));
  }

  private static double[] cut(double[] xy) {
    int points = xy.length / 2;
    if (points < 3) {
      return xy;
    }
    double[] out = new double[4 * points - 4];
    int at = 0;
    out[at++] = xy[0];
    out[at++] = xy[1];
    for (int i = 0; i + 1 < points; i++) {
      for (double share : new double[] {0.25, 0.75}) {
        if ((i > 0 || share > 0.5) && (i + 2 < points || share < 0.5)) {
          out[at++] = xy[2 * i] + (xy[2 * i + 2] - xy[2 * i]) * share;
          out[at++] = xy[2 * i + 1] + (xy[2 * i + 3] - xy[2 * i + 1]) * share;
        }
      }
    }
    out[at++] = xy[xy.length - 2];
    out[at++] = xy[xy.length - 1];
    return Arrays.copyOf(out, at);
  }

  /** The parts of a line within the square from {@code low} to {@code high}. */
  static List<int[]> clipped(double[] xy, double low, double high, double tolerance) {
    var parts = new ArrayList<int[]>();
    var part = new ArrayList<Integer>();
    for (int i = 0; i + 3 < xy.length; i += 2) {
      double[] inside = inside(xy[i], xy[i + 1], xy[i + 2], xy[i + 3], low, high);
      if (inside.length == 0) {
        end(part, parts, tolerance);
        continue;
      }
      if (part.isEmpty()) {
        add(part, inside[0], inside[1]);
      }
      add(part, inside[2], inside[3]);
      if (inside[2] != xy[i + 2] || inside[3] != xy[i + 3]) {
        end(part, parts, tolerance);
      }
    }
    end(part, parts, tolerance);
    return parts;
  }

  private static void add(List<Integer> part, double x, double y) {
    part.add((int) Math.round(x));
    part.add((int) Math.round(y));
  }

  private static void end(List<Integer> part, List<int[]> parts, double tolerance) {
    int[] thin = thinned(part.stream().mapToInt(Integer::intValue).toArray(), tolerance);
    if (thin.length >= 4) {
      parts.add(thin);
    }
    part.clear();
  }

  /** The piece of one segment within the square; empty if it passes by. */
  private static double[] inside(
      double x0, double y0, double x1, double y1, double low, double high) {
    double from = 0;
    double to = 1;
    double[] steps = {x1 - x0, y1 - y0};
    double[] starts = {x0, y0};
    for (int axis = 0; axis < 2; axis++) {
      if (steps[axis] == 0) {
        if (starts[axis] < low || starts[axis] > high) {
          return new double[0];
        }
        continue;
      }
      double a = (low - starts[axis]) / steps[axis];
      double b = (high - starts[axis]) / steps[axis];
      from = Math.max(from, Math.min(a, b));
      to = Math.min(to, Math.max(a, b));
    }
    if (from >= to) {
      return new double[0];
    }
    double endX = to == 1 ? x1 : x0 + steps[0] * to;
    double endY = to == 1 ? y1 : y0 + steps[1] * to;
    return new double[] {x0 + steps[0] * from, y0 + steps[1] * from, endX, endY};
  }

  /** Without the points that lie within {@code tolerance} of the line through the others. */
  static int[] thinned(int[] xy, double tolerance) {
    int points = xy.length / 2;
    if (points < 3) {
      return xy;
    }
    boolean[] kept = new boolean[points];
    kept[0] = true;
    kept[points - 1] = true;
    keep(xy, 0, points - 1, tolerance * tolerance, kept);
    int count = 0;
    for (boolean keep : kept) {
      count += keep ? 1 : 0;
    }
    int[] thin = new int[2 * count];
    int at = 0;
    for (int i = 0; i < points; i++) {
      if (kept[i]) {
        thin[at++] = xy[2 * i];
        thin[at++] = xy[2 * i + 1];
      }
    }
    return thin;
  }

  private static void keep(int[] xy, int from, int to, double least, boolean[] kept) {
    double furthest = least;
    int at = -1;
    for (int i = from + 1; i < to; i++) {
      double distance = squaredDistance(xy, i, from, to);
      if (distance > furthest) {
        furthest = distance;
        at = i;
      }
    }
    if (at >= 0) {
      kept[at] = true;
      keep(xy, from, at, least, kept);
      keep(xy, at, to, least, kept);
    }
  }

  private static double squaredDistance(int[] xy, int point, int from, int to) {
    double dx = xy[2 * to] - xy[2 * from];
    double dy = xy[2 * to + 1] - xy[2 * from + 1];
    double px = xy[2 * point] - xy[2 * from];
    double py = xy[2 * point + 1] - xy[2 * from + 1];
    double squared = dx * dx + dy * dy;
    double share = squared == 0 ? 0 : Math.clamp((px * dx + py * dy) / squared, 0, 1);
    double offX = px - share * dx;
    double offY = py - share * dy;
    return offX * offX + offY * offY;
  }
}
