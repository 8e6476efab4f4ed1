package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Browser;
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
  private static final Path PICTURES = Path.of("target", "map");
  private static final String DRAWN = "document.documentElement.dataset.state === 'drawn'";

  @TempDir private Path folder;

  @Test
  void theSampleIsDrawnFromTheEdgeAlone() throws Exception {
    Path program = Browser.installed().orElse(null);
    Assumptions.assumeTrue(
        program != null, "NOT RUN: Chromium is not installed, so no browser drew the map");
    try (PackRig rig = new PackRig(folder, null)) {
      rig.awaitReady();
      Path profile = Files.createDirectory(folder.resolve("profile"));
      try (Browser browser = Browser.start(program, profile, 900, 600)) {
        browser.open(rig.uri("/edge/map/sample?theme=light").toString());
        browser.await(DRAWN);
        looksLikeAMap(browser.screenshot(PICTURES.resolve("light.png")));
        browser.evaluate("delete document.documentElement.dataset.state");
        browser.click("#theme");
        browser.await(DRAWN);
        browser.screenshot(PICTURES.resolve("dark.png"));
        assertThat(browser.complaints()).isEmpty();
        assertThat(hosts(browser)).containsExactly("127.0.0.1");
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

  private static Set<String> hosts(Browser browser) {
    var hosts = new HashSet<String>();
    for (String url : browser.requests()) {
      if (!url.startsWith("data:") && !url.startsWith("blob:") && !url.startsWith("about:")) {
        hosts.add(URI.create(url.replaceAll("[?#].*", "")).getHost());
      }
    }
    return hosts;
  }
}
