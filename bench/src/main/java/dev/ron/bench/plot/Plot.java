package dev.ron.bench.plot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A chart as one SVG file that needs nothing else: lines or bars over named places, axes with round
 * marks, a legend.
 *
 * <p>Threading: immutable.
 *
 * @param reference a value to draw a dashed line at, or null
 */
public record Plot(
    String title,
    String xLabel,
    String yLabel,
    Kind kind,
    List<String> places,
    List<Series> series,
    @Nullable Double reference) {
  /** Lines for a course over time, bars for things side by side. */
  public enum Kind {
    LINES,
    BARS
  }

  /** One colour: a value for each place, in order; fewer if it ended early. */
  public record Series(String name, List<Double> values) {
    public Series {
      values = List.copyOf(values);
      if (values.isEmpty() || !values.stream().allMatch(Double::isFinite)) {
        throw new IllegalArgumentException(name + " cannot be drawn: " + values);
      }
    }
  }

  private static final int WIDTH = 880;
  private static final int LEFT = 76;
  private static final int RIGHT = 28;
  private static final int LEGEND_TOP = 62;
  private static final int LEGEND_ROW = 22;
  private static final int CHART_HEIGHT = 300;
  private static final int BOTTOM = 62;

  /** SVG cannot measure text; this is the mean width of a letter at the legend's size. */
  private static final double LETTER_WIDTH = 7.2;

  /** Okabe and Ito's colours, which people with any colour vision can tell apart. */
  private static final List<String> COLOURS =
      List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#5C5C5C");

  public Plot {
    places = List.copyOf(places);
    series = List.copyOf(series);
    if (series.isEmpty() || places.isEmpty()) {
      throw new IllegalArgumentException("a plot needs a series and a place");
    }
    for (Series one : series) {
      if (one.values().size() > places.size()) {
        throw new IllegalArgumentException(
            one.name() + " has " + one.values().size() + " values for " + places.size());
      }
    }
  }

  public void write(Path file) throws IOException {
    Files.writeString(file, svg());
  }

  public String svg() {
    var svg = new Svg();
    svg.text(title, "x", LEFT, "y", 36, "font-size", 19, "font-weight", 600);
    int top = LEGEND_TOP + legend(svg) * LEGEND_ROW + 8;
    var area = new Area(top, ticks(), places.size());
    yAxis(svg, area);
    xAxis(svg, area);
    for (int i = 0; i < series.size(); i++) {
      switch (kind) {
        case LINES -> drawLine(svg, area, i);
        case BARS -> drawBars(svg, area, i);
      }
    }
    if (reference != null) {
      String to = "M%d %s H%d".formatted(LEFT, Svg.coordinate(area.y(reference)), WIDTH - RIGHT);
      svg.element("path", "d", to, "stroke", "#333", "stroke-dasharray", "6 4");
    }
    return svg.document(WIDTH, area.bottom() + BOTTOM, title);
  }

  /** Where a value lies on the paper. */
  private record Area(int top, Ticks ticks, int places) {
    double y(double value) {
      double part = (value - ticks.low()) / (ticks.high() - ticks.low());
      return top + CHART_HEIGHT * (1 - part);
    }

    double slot() {
      return (double) (WIDTH - LEFT - RIGHT) / places;
    }

    double x(int place) {
      return LEFT + slot() * (place + 0.5);
    }

    int bottom() {
      return top + CHART_HEIGHT;
    }
  }

  private Ticks ticks() {
    double low = reference == null ? Double.POSITIVE_INFINITY : reference;
    double high = reference == null ? Double.NEGATIVE_INFINITY : reference;
    for (Series one : series) {
      for (double value : one.values()) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    // A bar's length is its message, so it has to start at zero.
    return kind == Kind.BARS
        ? Ticks.enclosing(Math.min(0, low), Math.max(0, high))
        : Ticks.enclosing(low, high);
  }

  /** Answers how many rows it took. */
  private int legend(Svg svg) {
    int rows = 1;
    double x = LEFT;
    for (int i = 0; i < series.size(); i++) {
      String name = series.get(i).name();
      double width = 34 + name.length() * LETTER_WIDTH;
      if (x > LEFT && x + width > WIDTH - RIGHT) {
        x = LEFT;
        rows++;
      }
      int y = LEGEND_TOP + (rows - 1) * LEGEND_ROW;
      svg.element(
          "rect", "x", x, "y", y - 11, "width", 14, "height", 14, "rx", 3, "fill", colour(i));
      svg.text(name, "x", x + 20, "y", y + 1);
      x += width;
    }
    return rows;
  }

  private void yAxis(Svg svg, Area area) {
    for (double mark : area.ticks().marks()) {
      double y = area.y(mark);
      svg.line(LEFT, y, WIDTH - RIGHT, y, "#e3e3e3");
      svg.text(
          area.ticks().label(mark),
          "x",
          LEFT - 10,
          "y",
          y + 4.5,
          "text-anchor",
          "end",
          "fill",
          "#555");
    }
    double middle = area.top() + CHART_HEIGHT / 2.0;
    String turned = "rotate(-90 20 " + Svg.coordinate(middle) + ")";
    svg.text(yLabel, "x", 20, "y", middle, "text-anchor", "middle", "transform", turned);
  }

  private void xAxis(Svg svg, Area area) {
    int bottom = area.bottom();
    svg.line(LEFT, bottom, WIDTH - RIGHT, bottom, "#888");
    // Names that would touch are thinned out evenly.
    int longest = places.stream().mapToInt(String::length).max().orElse(1);
    int every = (int) Math.ceil((longest + 1) * LETTER_WIDTH / area.slot());
    for (int place = 0; place < places.size(); place += every) {
      double x = area.x(place);
      svg.line(x, bottom, x, bottom + 5, "#888");
      svg.text(
          places.get(place), "x", x, "y", bottom + 20, "text-anchor", "middle", "fill", "#555");
    }
    double middle = (LEFT + WIDTH - RIGHT) / 2.0;
    svg.text(xLabel, "x", middle, "y", bottom + 46, "text-anchor", "middle");
  }

  private void drawLine(Svg svg, Area area, int index) {
    List<Double> values = series.get(index).values();
    var points = new StringJoiner(" ");
    for (int place = 0; place < values.size(); place++) {
      points.add(Svg.coordinate(area.x(place)) + "," + Svg.coordinate(area.y(values.get(place))));
    }
    svg.element(
        "polyline",
        "points",
        points,
        "fill",
        "none",
        "stroke",
        colour(index),
        "stroke-width",
        2.2,
        "stroke-linejoin",
        "round");
    for (int place = 0; place < values.size(); place++) {
      double y = area.y(values.get(place));
      svg.element(
          "circle",
          "cx",
          area.x(place),
          "cy",
          y,
          "r",
          3.6,
          "fill",
          colour(index),
          "stroke",
          "#fff");
    }
  }

  private void drawBars(Svg svg, Area area, int index) {
    List<Double> values = series.get(index).values();
    double width = Math.min(area.slot() * 0.76 / series.size(), 90);
    double zero = area.y(0);
    for (int place = 0; place < values.size(); place++) {
      double x = area.x(place) + (index - series.size() / 2.0) * width + 1;
      double y = area.y(values.get(place));
      svg.element(
          "rect",
          "x",
          x,
          "y",
          Math.min(y, zero),
          "width",
          Math.max(width - 2, 1),
          "height",
          Math.abs(zero - y),
          "rx",
          2,
          "fill",
          colour(index));
    }
  }

  private static String colour(int index) {
    return COLOURS.get(index % COLOURS.size());
  }
}
