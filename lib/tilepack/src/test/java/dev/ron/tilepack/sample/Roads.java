package dev.ron.tilepack.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The cheapest way over land between two places: short, and not steep.
 *
 * <p>Threading: stateless.
 */
final class Roads {
  private static final double STEEPNESS_COST = 1 / 28.0;

  /** Two roads that could run side by side become one. */
  private static final double EXISTING_SHARE = 0.45;

  private Roads() {}

  private record Reached(int cell, double cost) {}

  /** The cells of the way, none if the sea lies between. */
  static List<Integer> between(Grid grid, int from, int to, boolean[] existing) {
    double[] costs = new double[Grid.CELLS];
    int[] before = new int[Grid.CELLS];
    Arrays.fill(costs, Double.POSITIVE_INFINITY);
    var front = new PriorityQueue<Reached>((a, b) -> Double.compare(a.cost, b.cost));
    costs[from] = 0;
    before[from] = from;
    front.add(new Reached(from, 0));
    for (Reached next = front.poll(); next != null; next = front.poll()) {
      if (next.cell == to) {
        return path(before, from, to);
      }
      for (int direction = 0; direction < 8 && next.cost == costs[next.cell]; direction++) {
        int cell = Grid.neighbour(next.cell, direction);
        if (cell < 0 || !grid.isLand(cell)) {
          continue;
        }
        double climb = Math.abs(grid.height(cell) - grid.height(next.cell));
        double step = Grid.distance(cell, next.cell) * (1 + climb * STEEPNESS_COST);
        double cost = next.cost + step * (existing[cell] ? EXISTING_SHARE : 1);
        if (cost < costs[cell]) {
          costs[cell] = cost;
          before[cell] = next.cell;
          front.add(new Reached(cell, cost));
        }
      }
    }
    return List.of();
  }

  private static List<Integer> path(int[] before, int from, int to) {
    var cells = new ArrayList<Integer>();
    for (int cell = to; cell != from; cell = before[cell]) {
      cells.add(cell);
    }
    cells.add(from);
    Collections.reverse(cells);
    return cells;
  }
}
