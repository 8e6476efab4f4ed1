package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample map drawn by Chromium with every other host unreachable. */
final class MapInBrowserTest {
  private static final String DRAWN =
      """
      new Promise(done => { const look = () => { const state = document.documentElement.dataset.state;
        if (state) done(state); else setTimeout(look, 50); }; setTimeout(() => done("late"), 50000); look(); })""";

  @TempDir private Path folder;

  @Test
  void theSampleIsDrawnFromTheEdgeAlone() throws Exception {
    Path program = Chromium.installed().orElse(null);
    Assumptions.assumeTrue(
        program != null, "NOT RUN: Chromium is not installed, so no browser drew the map");
    try (PackRig rig = new PackRig(folder, null)) {
      rig.awaitReady();
      try (var browser = new Chromium(program, folder.resolve("profile"), 900, 600)) {
        browser.open(rig.uri("/edge/map/sample?theme=light"));
        assertThat(browser.evaluate(DRAWN)).as("%s", browser.complaints).isEqualTo("drawn");
        keep("light", browser.screenshot());
        looksLikeAMap(browser.screenshot());
        browser.evaluate(
            "document.querySelector('#theme').click(); delete document.documentElement.dataset.state");
        assertThat(browser.evaluate(DRAWN)).as("%s", browser.complaints).isEqualTo("drawn");
        keep("dark", browser.screenshot());
        assertThat(browser.complaints).isEmpty();
        assertThat(hosts(browser)).containsExactly("127.0.0.1");
        assertThat(browser.evaluate("performance.getEntriesByType('resource').length + ''"))
            .isNotEqualTo("0");
      }
      assertThat(rig.text("/metrics"))
          .as("tiles and letters were asked for")
          .contains("route=\"/edge/assets/{pack}/{z}/{x}/{y}\",status=\"200\"}")
          .contains("route=\"/edge/fonts/{fonts}/{range}\",status=\"200\"}");
    }
  }

  /** A mean picture would have one colour; a map has hundreds, and much of it is not sea. */
  private static void looksLikeAMap(byte[] png) throws Exception {
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    Map<Integer, Integer> colours = new HashMap<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        colours.merge(image.getRGB(x, y), 1, Integer::sum);
      }
    }
    int most = colours.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    assertThat(colours).hasSizeGreaterThan(500);
    assertThat((double) most / (image.getWidth() * image.getHeight())).isLessThan(0.7);
    assertThat(colours.keySet().stream().filter(MapInBrowserTest::isForest).count())
        .as("shades of forest")
        .isGreaterThan(5);
  }

  private static boolean isForest(int rgb) {
    int red = (rgb >> 16) & 0xff;
    int green = (rgb >> 8) & 0xff;
    int blue = rgb & 0xff;
    return green > red + 8 && green > blue + 15;
  }

  private static Set<String> hosts(Chromium browser) {
    var hosts = new HashSet<String>();
    for (String url : browser.requested) {
      if (!url.startsWith("data:") && !url.startsWith("blob:") && !url.startsWith("about:")) {
        hosts.add(URI.create(url.replaceAll("[?#].*", "")).getHost());
      }
    }
    return hosts;
  }

  /** For people to look at. */
  private static void keep(String theme, byte[] png) throws Exception {
    Path target = Files.createDirectories(Path.of("target", "map"));
    Files.write(target.resolve(theme + ".png"), png);
  }
}
