package dev.ron.tilepack.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The areas where a field is above a level: marching squares over samples of one tile.
 *
 * <p>Everything outside the samples counts as below, so that areas close just beyond the tile's
 * edge. Walking with the inside on the right makes outer rings clockwise on the screen and holes
 * the other way round, which is what vector tiles want.
 *
 * <p>Threading: owned by one thread.
 */
final class Contours {
  private static final double OUTSIDE = -1e9;

  /** Smaller rings, in square units of a tile, are left out; about six pixels. */
  private static final double AREA_MIN = 400;

  private final double[] samples;
  private final int side;
  private final int first;
  private final int step;
  private final int[] next;

  /** Samples a field every {@code step} units from {@code first}. */
  interface Field {
    double at(int x, int y);
  }

  Contours(int first, int step, int side, Field field) {
    this.first = first;
    this.step = step;
    this.side = side;
    this.samples = new double[side * side];
    this.next = new int[2 * side * side];
    for (int row = 0; row < side; row++) {
      for (int column = 0; column < side; column++) {
        boolean rim = row == 0 || column == 0 || row == side - 1 || column == side - 1;
        samples[row * side + column] =
            rim ? OUTSIDE : field.at(first + column * step, first + row * step);
      }
    }
  }

  /** Outer rings, each followed by its holes. */
  List<int[]> above(double level, double tolerance) {
    Arrays.fill(next, -1);
    for (int row = 0; row + 1 < side; row++) {
      for (int column = 0; column + 1 < side; column++) {
        link(column, row, level);
      }
    }
    var outer = new ArrayList<int[]>();
    var holes = new ArrayList<int[]>();
    for (int start = 0; start < next.length; start++) {
      if (next[start] >= 0) {
        int[] ring = closed(walk(start, level), tolerance);
        double area = ring.length < 6 ? 0 : area(ring);
        if (Math.abs(area) >= AREA_MIN) {
          (area > 0 ? outer : holes).add(ring);
        }
      }
    }
    return nested(outer, holes);
  }

  /** One cell; an edge is known by its upper or left sample, even across and odd down. */
  private void link(int column, int row, double level) {
    int at = row * side + column;
    int top = 2 * at;
    int left = 2 * at + 1;
    int bottom = 2 * (at + side);
    int right = 2 * (at + 1) + 1;
    int corners =
        bit(at, level, 8)
            | bit(at + 1, level, 4)
            | bit(at + side + 1, level, 2)
            | bit(at + side, level, 1);
    switch (corners) {
      case 1 -> next[left] = bottom;
      case 2 -> next[bottom] = right;
      case 3 -> next[left] = right;
      case 4 -> next[right] = top;
      case 5 -> pair(at, level, left, right, top, bottom);
      case 6 -> next[bottom] = top;
      case 7 -> next[left] = top;
      case 8 -> next[top] = left;
      case 9 -> next[top] = bottom;
      case 10 -> pair(at, level, top, bottom, right, left);
      case 11 -> next[top] = right;
      case 12 -> next[right] = left;
      case 13 -> next[right] = bottom;
      case 14 -> next[bottom] = left;
      default -> {}
    }
  }

  private int bit(int sample, double level, int bit) {
    return samples[sample] >= level ? bit : 0;
  }

  /** Two opposite corners are inside; the middle says whether they are joined. */
  private void pair(int at, double level, int from, int otherFrom, int joined, int otherJoined) {
    double middle =
        (samples[at] + samples[at + 1] + samples[at + side] + samples[at + side + 1]) / 4;
    boolean inside = middle >= level;
    next[from] = inside ? joined : otherJoined;
    next[otherFrom] = inside ? otherJoined : joined;
  }

  private List<Integer> walk(int start, double level) {
    var ring = new ArrayList<Integer>();
    int edge = start;
    while (next[edge] >= 0) {
      int sample = edge / 2;
      boolean down = edge % 2 == 1;
      double a = samples[sample];
      double b = samples[down ? sample + side : sample + 1];
      double share = (level - a) / (b - a);
      int x = first + sample % side * step;
      int y = first + sample / side * step;
      ring.add(down ? x : (int) Math.round(x + share * step));
      ring.add(down ? (int) Math.round(y + share * step) : y);
      int following = next[edge];
      next[edge] = -1;
      edge = following;
    }
    return ring;
  }

  /** Thinned as two halves, since a ring has no ends to keep. */
  private static int[] closed(List<Integer> ring, double tolerance) {
    int[] xy = ring.stream().mapToInt(Integer::intValue).toArray();
    int half = xy.length / 4 * 2;
    int[] one = Polyline.thinned(Arrays.copyOf(xy, half + 2), tolerance);
    int[] rest = Arrays.copyOfRange(xy, half, xy.length + 2);
    rest[rest.length - 2] = xy[0];
    rest[rest.length - 1] = xy[1];
    int[] other = Polyline.thinned(rest, tolerance);
    int[] out = Arrays.copyOf(one, one.length + other.length - 4);
    System.arraycopy(other, 2, out, one.length, other.length - 4);
    return out;
  }

  static double area(int[] ring) {
    double twice = 0;
    for (int i = 0; i < ring.length; i += 2) {
      int j = (i + 2) % ring.length;
      twice += (double) ring[i] * ring[j + 1] - (double) ring[j] * ring[i + 1];
    }
    return twice / 2;
  }

  private static List<int[]> nested(List<int[]> outer, List<int[]> holes) {
    var rings = new ArrayList<int[]>();
    for (int i = 0; i < outer.size(); i++) {
      rings.add(outer.get(i));
      for (int[] hole : holes) {
        if (i == smallestAround(outer, hole)) {
          rings.add(hole);
        }
      }
    }
    return rings;
  }

  private static int smallestAround(List<int[]> outer, int[] hole) {
    int smallest = -1;
    for (int i = 0; i < outer.size(); i++) {
      if (contains(outer.get(i), hole[0], hole[1])
          && (smallest < 0 || area(outer.get(i)) < area(outer.get(smallest)))) {
        smallest = i;
      }
    }
    return smallest;
  }

  private static boolean contains(int[] ring, int x, int y) {
    boolean inside = false;
    for (int i = 0; i < ring.length; i += 2) {
      int j = (i + 2) % ring.length;
      boolean crosses = (ring[i + 1] > y) != (ring[j + 1] > y);
      if (crosses
          && x
              < (double) (ring[j] - ring[i]) * (y - ring[i + 1]) / (ring[j + 1] - ring[i + 1])
                  + ring[i]) {
        inside = !inside;
      }
    }
    return inside;
  }
}
