package dev.ron.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class PlotTest {
  private static final List<Plot.Series> TWO =
      List.of(
          new Plot.Series("rate", List.of(0.97, 1.02, 0.99)),
          new Plot.Series("p99", List.of(1.21, 1.10)));

  @ParameterizedTest
  @EnumSource(Plot.Kind.class)
  void everyChartIsWellFormedAndStaysOnThePaper(Plot.Kind kind) throws Exception {
    Document svg = parse(plot(kind, TWO).svg());
    Element root = svg.getDocumentElement();
    assertThat(root.getTagName()).isEqualTo("svg");
    double width = Double.parseDouble(root.getAttribute("width"));
    double height = Double.parseDouble(root.getAttribute("height"));
    for (String tag : List.of("circle", "rect", "text", "line")) {
      var all = svg.getElementsByTagName(tag);
      for (int i = 0; i < all.getLength(); i++) {
        var one = (Element) all.item(i);
        for (String x : List.of("x", "cx", "x1", "x2")) {
          assertThat(number(one, x)).isBetween(0.0, width);
        }
        for (String y : List.of("y", "cy", "y1", "y2")) {
          assertThat(number(one, y)).isBetween(0.0, height);
        }
      }
    }
  }

  @Test
  void aLineHasAPointPerValueAndAHigherValueIsHigherUp() throws Exception {
    Document svg = parse(plot(Plot.Kind.LINES, TWO).svg());
    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
    var points = svg.getElementsByTagName("circle");
    assertThat(points.getLength()).isEqualTo(5);
    double first = number((Element) points.item(0), "cy");
    double second = number((Element) points.item(1), "cy");
    double highest = number((Element) points.item(3), "cy");
    assertThat(second).isLessThan(first);
    assertThat(highest).isLessThan(second);
  }

  @Test
  void barsStartAtZeroAndAreAsLongAsTheirValue() throws Exception {
    var plot = plot(Plot.Kind.BARS, List.of(new Plot.Series("a", List.of(1.0, 2.0, 4.0))));
    var rects = parse(plot.svg()).getElementsByTagName("rect");
    // The paper and the legend's square come first.
    double one = number((Element) rects.item(2), "height");
    double four = number((Element) rects.item(4), "height");
    assertThat(four / one).isBetween(3.95, 4.05);
  }

  @Test
  void titleAxesAndLegendAreThereAndEscaped() throws Exception {
    var plot =
        new Plot(
            "a < b & \"c\" \u0001",
            "x & y",
            "<y>",
            Plot.Kind.LINES,
            List.of("1"),
            List.of(new Plot.Series("ours > peer", List.of(3.0))),
            null);
    String text = parse(plot.svg()).getDocumentElement().getTextContent();
    assertThat(text).contains("a < b & \"c\" ?", "x & y", "<y>", "ours > peer");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # low | high  | step  | first | last  | label of the last
          0     | 10    | 2     | 0     | 10    | 10
          0.93  | 1.21  | 0.05  | 0.9   | 1.25  | 1.25
          0     | 1     | 0.2   | 0     | 1     | 1.0
          0     | 60000 | 10000 | 0     | 60000 | 60000
          -3    | 5     | 2     | -4    | 6     | 6
          1     | 1     | 0.02  | 1     | 1.02  | 1.02
          0     | 0     | 0.02  | 0     | 0.02  | 0.02
          """)
  void marksAreRoundNumbersAroundTheValues(
      double low, double high, double step, double first, double last, String label) {
    Ticks ticks = Ticks.enclosing(low, high);
    assertThat(ticks.step()).isEqualTo(step, within(1e-9));
    assertThat(ticks.low()).isEqualTo(first, within(1e-9));
    assertThat(ticks.high()).isEqualTo(last, within(1e-9));
    assertThat(ticks.label(ticks.high())).isEqualTo(label);
  }

  @Test
  void whatCannotBeDrawnIsRefused() {
    assertThatThrownBy(() -> new Plot.Series("a", List.of(Double.NaN))).hasMessageContaining("NaN");
    assertThatThrownBy(() -> new Plot.Series("a", List.of())).hasMessageContaining("a cannot");
    assertThatThrownBy(() -> plot(Plot.Kind.BARS, List.of())).hasMessageContaining("series");
    var four = new Plot.Series("long", List.of(1.0, 2.0, 3.0, 4.0));
    assertThatThrownBy(() -> plot(Plot.Kind.LINES, List.of(four)))
        .hasMessageContaining("long has 4 values for 3");
  }

  @Test
  void itIsWrittenToAFile(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("plot.svg");
    plot(Plot.Kind.LINES, TWO).write(file);
    assertThat(parse(Files.readString(file)).getDocumentElement().getTagName()).isEqualTo("svg");
  }

  private static Plot plot(Plot.Kind kind, List<Plot.Series> series) {
    return new Plot("flush", "round", "ours / peer", kind, List.of("1", "2", "3"), series, 1.0);
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static double number(Element element, String attribute) {
    String value = element.getAttribute(attribute);
    return value.isEmpty() ? 0 : Double.parseDouble(value);
  }
}
