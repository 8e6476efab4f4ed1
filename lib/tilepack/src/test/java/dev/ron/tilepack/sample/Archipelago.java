package dev.ron.tilepack.sample;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Everything that is on the map and does not depend on how closely one looks.
 *
 * <p>Threading: immutable.
 */
record Archipelago(Places places, List<Rivers.River> rivers, List<Way> roads, List<Way> ferries) {
  private static final int LINKS_PER_TOWN = 3;
  private static final double ROAD_KM_MAX = 62;
  private static final double FERRY_KM_MAX = 120;

  /** A road or a ferry line. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Way(String kind, String name, double[] xy) {}

  static Archipelago make() {
    var grid = new Grid();
    List<Rivers.River> rivers = Rivers.of(grid);
    boolean[] riverside = new boolean[Grid.CELLS];
    for (Rivers.River river : rivers) {
      for (int i = 0; i < river.xy().length; i += 2) {
        riverside[Grid.cell(river.xy()[i], river.xy()[i + 1])] = true;
      }
    }
    Places places = Places.of(grid, riverside);
    return new Archipelago(places, rivers, roads(grid, places), ferries(grid, places));
  }

  private static List<Way> roads(Grid grid, Places places) {
    boolean[] existing = new boolean[Grid.CELLS];
    var roads = new ArrayList<Way>();
    for (Places.Town town : places.towns()) {
      List<Places.Town> nearest =
          places.towns().stream()
              .filter(other -> other.population() > town.population())
              .sorted(Comparator.comparingDouble(o -> Grid.distance(o.cell(), town.cell())))
              .limit(LINKS_PER_TOWN)
              .toList();
      for (Places.Town other : nearest) {
        if (Grid.distance(town.cell(), other.cell()) > ROAD_KM_MAX) {
          continue;
        }
        List<Integer> cells = Roads.between(grid, town.cell(), other.cell(), existing);
        if (!cells.isEmpty()) {
          cells.forEach(cell -> existing[cell] = true);
          String kind = town.rank() < 2 && other.rank() < 2 ? "main" : "minor";
          roads.add(
              new Way(
                  kind,
                  town.name() + " to " + other.name(),
                  Polyline.smoothed(Polyline.through(cells))));
        }
      }
    }
    return roads;
  }

  /** From the largest port of each island to the nearest larger one on another. */
  private static List<Way> ferries(Grid grid, Places places) {
    boolean[] none = new boolean[Grid.CELLS];
    List<Places.Town> ports =
        places.towns().stream().filter(town -> grid.nearSea(town.cell(), 3)).toList();
    var ferries = new ArrayList<Way>();
    var served = new ArrayList<Places.Town>();
    for (Places.Town port : ports) {
      boolean first =
          served.stream()
              .noneMatch(other -> !Roads.between(grid, port.cell(), other.cell(), none).isEmpty());
      if (first) {
        served.stream()
            .filter(other -> Grid.distance(port.cell(), other.cell()) < FERRY_KM_MAX)
            .min(Comparator.comparingDouble(o -> Grid.distance(port.cell(), o.cell())))
            .ifPresent(other -> ferries.add(ferry(port, other)));
        served.add(port);
      }
    }
    return ferries;
  }

  /** A gentle bow, so that it does not look ruled. */
  private static Way ferry(Places.Town from, Places.Town to) {
    double[] xy = new double[2 * 33];
    double dx = Grid.x(to.cell()) - Grid.x(from.cell());
    double dy = Grid.y(to.cell()) - Grid.y(from.cell());
    for (int i = 0; i < 33; i++) {
      double share = i / 32.0;
      double bow = 0.16 * Math.sin(Math.PI * share);
      xy[2 * i] = Grid.x(from.cell()) + dx * share - dy * bow;
      xy[2 * i + 1] = Grid.y(from.cell()) + dy * share + dx * bow;
    }
    return new Way("ferry", from.name() + " - " + to.name(), xy);
  }
}
