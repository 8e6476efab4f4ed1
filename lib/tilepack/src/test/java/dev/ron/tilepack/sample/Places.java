package dev.ron.tilepack.sample;

import java.util.ArrayList;
import java.util.List;

/**
 * What has a name on the map.
 *
 * <p>Threading: immutable.
 */
record Places(List<Town> towns, List<Peak> peaks) {
  private static final List<String> TOWN_NAMES =
      List.of(
          "Harrow Bay",
          "Quillon",
          "Stenmouth",
          "Port Ardel",
          "Wick",
          "Lowmere",
          "Tarn",
          "Oxcombe",
          "Bellhaven",
          "Cray",
          "Dunmarrow",
          "Fairlight",
          "Greywater",
          "Hythe",
          "Inverley",
          "Kelder",
          "Marrowgate",
          "Nettlefold",
          "Penhallow",
          "Rushey",
          "Silverstrand",
          "Thornwick",
          "Ulverby",
          "Westray",
          "Yarrow",
          "Askrigg",
          "Brindle",
          "Callow",
          "Drift",
          "Eskmouth",
          "Fenwick",
          "Garrick",
          "Hollin",
          "Ivelet",
          "Keld",
          "Linton");
  private static final List<String> PEAK_NAMES =
      List.of(
          "Mount Ron",
          "The Anvil",
          "Great Selder",
          "Cold Pike",
          "Raven Crag",
          "High Marrow",
          "Sula",
          "Old Tom",
          "The Lantern",
          "Stag Fell",
          "Wether Top",
          "Black Combe",
          "Hart Rigg",
          "Grey Sister",
          "Long Back",
          "Tern Head",
          "Bell Hill",
          "Windle");

  private static final int TOWNS_APART_KM = 15;
  private static final int PEAKS_APART_KM = 13;

  /** A settlement; rank 0 is the capital, 1 a town, 2 a village. */
  record Town(String name, int cell, int rank, int population) {}

  record Peak(String name, int cell, int metres) {}

  static Places of(Grid grid, boolean[] riverside) {
    return new Places(towns(grid, riverside), peaks(grid));
  }

  /** Low, level, by the sea, best where a river comes down. */
  private static List<Town> towns(Grid grid, boolean[] riverside) {
    var candidates = new ArrayList<Integer>();
    double[] worth = new double[Grid.CELLS];
    for (int cell = 0; cell < Grid.CELLS; cell++) {
      if (grid.height(cell) > 8 && grid.height(cell) < 170) {
        worth[cell] =
            (grid.nearSea(cell, 2) ? 2 : grid.nearSea(cell, 4) ? 1 : 0)
                + (riverside[cell] ? 1.6 : 0)
                + Noise.at(Grid.x(cell) / 17, Grid.y(cell) / 17, 401)
                - grid.height(cell) / 150;
        candidates.add(cell);
      }
    }
    candidates.sort((a, b) -> Double.compare(worth[b], worth[a]));
    var towns = new ArrayList<Town>();
    for (int cell : candidates) {
      if (towns.size() == TOWN_NAMES.size()) {
        break;
      }
      if (towns.stream().allMatch(t -> Grid.distance(t.cell, cell) > TOWNS_APART_KM)) {
        int number = towns.size();
        int rank = number == 0 ? 0 : number < 10 ? 1 : 2;
        int population = (int) (88_000 / Math.pow(number + 1, 1.15)) / 50 * 50;
        towns.add(new Town(TOWN_NAMES.get(number), cell, rank, population));
      }
    }
    return List.copyOf(towns);
  }

  private static List<Peak> peaks(Grid grid) {
    var candidates = new ArrayList<Integer>();
    for (int cell = 0; cell < Grid.CELLS; cell++) {
      if (grid.height(cell) > 260) {
        candidates.add(cell);
      }
    }
    candidates.sort((a, b) -> Double.compare(grid.height(b), grid.height(a)));
    var peaks = new ArrayList<Peak>();
    for (int cell : candidates) {
      if (peaks.size() < PEAK_NAMES.size()
          && peaks.stream().allMatch(p -> Grid.distance(p.cell, cell) > PEAKS_APART_KM)) {
        peaks.add(new Peak(PEAK_NAMES.get(peaks.size()), cell, (int) grid.height(cell)));
      }
    }
    return List.copyOf(peaks);
  }
}
