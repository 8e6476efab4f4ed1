package dev.ron.tilepack.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Where water runs: every square kilometre drains to a neighbour, and where enough comes together
 * there is a river.
 *
 * <p>The sea rises over the land from its lowest points, so that each cell drains to the one it was
 * reached from and no river ends in a hollow.
 *
 * <p>Threading: stateless.
 */
final class Rivers {
  private static final int SOURCE_CELLS = 26;
  private static final int LENGTH_CELLS_MIN = 7;

  private Rivers() {}

  /** From its source to the sea or to a larger river; {@code size} grows with what it drains. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record River(double[] xy, int size) {}

  private record Reached(int cell, double level) {}

  static List<River> of(Grid grid) {
    int[] downstream = new int[Grid.CELLS];
    List<Integer> order = flood(grid, downstream);
    int[] drained = new int[Grid.CELLS];
    for (int i = order.size() - 1; i >= 0; i--) {
      int cell = order.get(i);
      drained[cell]++;
      drained[downstream[cell]] += drained[cell];
    }
    return traced(grid, downstream, drained, order);
  }

  /** The land in the order the rising sea reaches it. */
  private static List<Integer> flood(Grid grid, int[] downstream) {
    Arrays.fill(downstream, -1);
    var front =
        new PriorityQueue<Reached>(
            (a, b) ->
                a.level != b.level
                    ? Double.compare(a.level, b.level)
                    : Integer.compare(a.cell, b.cell));
    for (int cell = 0; cell < Grid.CELLS; cell++) {
      if (!grid.isLand(cell)) {
        downstream[cell] = cell;
        front.add(new Reached(cell, 0));
      }
    }
    var order = new ArrayList<Integer>();
    for (Reached next = front.poll(); next != null; next = front.poll()) {
      for (int direction = 0; direction < 8; direction++) {
        int cell = Grid.neighbour(next.cell, direction);
        if (cell >= 0 && downstream[cell] < 0) {
          downstream[cell] = next.cell;
          order.add(cell);
          front.add(new Reached(cell, Math.max(next.level + 0.01, grid.height(cell))));
        }
      }
    }
    return order;
  }

  private static List<River> traced(
      Grid grid, int[] downstream, int[] drained, List<Integer> order) {
    boolean[] taken = new boolean[Grid.CELLS];
    var rivers = new ArrayList<River>();
    // Furthest sources first, so that a river keeps its bed and others join it.
    for (int i = order.size() - 1; i >= 0; i--) {
      int source = order.get(i);
      if (drained[source] < SOURCE_CELLS || taken[source]) {
        continue;
      }
      var cells = new ArrayList<Integer>();
      int cell = source;
      while (grid.isLand(cell) && !taken[cell]) {
        taken[cell] = true;
        cells.add(cell);
        cell = downstream[cell];
      }
      cells.add(cell);
      if (cells.size() >= LENGTH_CELLS_MIN) {
        int size = drained[cells.get(cells.size() - 2)];
        rivers.add(new River(Polyline.smoothed(Polyline.through(cells)), size));
      }
    }
    return rivers;
  }
}
