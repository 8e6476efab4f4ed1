package dev.ron.edge.map;

import dev.ron.tilepack.PackHeader;
import dev.ron.tilepack.PackMetadata;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a pack is drawn, as a style of the MapLibre style specification, version 8.
 *
 * <p>Packs with the layers of the sample get the style made for them. Any other vector pack gets
 * one that shows every layer it names, each in a colour of its own; a raster pack is shown as it
 * is.
 *
 * <p>Threading: stateless.
 */
public final class MapStyle {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final List<String> MADE_FOR = List.of("depth", "relief", "shade", "place");

  /** Colours that can be told apart on light and on dark. */
  private static final List<String> COLOURS =
      List.of(
          "#3b82c4", "#4f9d69", "#c46a3b", "#9a63c4", "#c4a53b", "#3bb0b8", "#c44f7a", "#7a8a99");

  private MapStyle() {}

  /** Light or dark. */
  public enum Theme {
    LIGHT,
    DARK
  }

  /**
   * @param made the style for the sample's layers, with its palettes
   * @param tiles the address of a tile with its three numbers left open
   * @param glyphs the address of letters, likewise
   */
  public static byte[] of(
      byte[] made,
      PackHeader header,
      PackMetadata metadata,
      Theme theme,
      String tiles,
      String glyphs) {
    List<String> layers =
        metadata.vectorLayers().stream().map(PackMetadata.VectorLayer::id).toList();
    ObjectNode style =
        layers.containsAll(MADE_FOR)
            ? painted(made, theme)
            : general(header, metadata.vectorLayers(), theme);
    style.put("glyphs", glyphs);
    ObjectNode source = style.putObject("sources").putObject("pack");
    source.put("type", header.tileType().isVector() ? "vector" : "raster");
    source.putArray("tiles").add(tiles);
    source.put("minzoom", header.zoomMin()).put("maxzoom", header.zoomMax());
    source
        .putArray("bounds")
        .add(header.bounds().westE7() / 1e7)
        .add(header.bounds().southE7() / 1e7)
        .add(header.bounds().eastE7() / 1e7)
        .add(header.bounds().northE7() / 1e7);
    if (!header.tileType().isVector()) {
      source.put("tileSize", 256);
    }
    return MAPPER.writeValueAsBytes(style);
  }

  private static ObjectNode painted(byte[] made, Theme theme) {
    JsonNode root = MAPPER.readTree(made);
    JsonNode palette = root.path("palettes").path(theme == Theme.DARK ? "dark" : "light");
    return (ObjectNode) painted(root.path("style"), palette);
  }

  /** Puts a colour or an opacity in the place of each text that begins with an at sign. */
  private static JsonNode painted(JsonNode node, JsonNode palette) {
    if (node.isString() && node.asString().startsWith("@")) {
      JsonNode colour = palette.path(node.asString().substring(1));
      if (colour.isMissingNode()) {
        throw new IllegalStateException("the palette has no " + node);
      }
      return colour;
    }
    if (node.isObject()) {
      ObjectNode copy = JSON.objectNode();
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        copy.set(field.getKey(), painted(field.getValue(), palette));
      }
      return copy;
    }
    if (node.isArray()) {
      ArrayNode copy = JSON.arrayNode();
      node.forEach(element -> copy.add(painted(element, palette)));
      return copy;
    }
    return node;
  }

  private static ObjectNode general(
      PackHeader header, List<PackMetadata.VectorLayer> layers, Theme theme) {
    boolean dark = theme == Theme.DARK;
    ObjectNode style = JSON.objectNode().put("version", 8);
    ArrayNode legend = style.putObject("metadata").putArray("legend");
    ArrayNode drawn = style.putArray("layers");
    drawn
        .addObject()
        .put("id", "ground")
        .put("type", "background")
        .putObject("paint")
        .put("background-color", dark ? "#131a21" : "#f2f0ea");
    if (!header.tileType().isVector()) {
      drawn.addObject().put("id", "raster").put("type", "raster").put("source", "pack");
      return style;
    }
    // Areas below lines below points below names, whatever the order of the layers.
    for (String kind : List.of("fill", "line", "circle", "symbol")) {
      for (int i = 0; i < layers.size(); i++) {
        layer(drawn, kind, layers.get(i), COLOURS.get(i % COLOURS.size()), dark);
      }
    }
    for (int i = 0; i < layers.size(); i++) {
      legend
          .addObject()
          .put("label", layers.get(i).id())
          .put("kind", "area")
          .put("color", COLOURS.get(i % COLOURS.size()));
    }
    return style;
  }

  private static void layer(
      ArrayNode drawn, String kind, PackMetadata.VectorLayer layer, String colour, boolean dark) {
    boolean named = layer.fields().containsKey("name");
    if (kind.equals("symbol") && !named) {
      return;
    }
    ObjectNode out = drawn.addObject();
    out.put("id", kind + " " + layer.id()).put("type", kind);
    out.put("source", "pack").put("source-layer", layer.id());
    switch (kind) {
      case "fill" -> {
        out.set("filter", shape("Polygon"));
        out.putObject("paint").put("fill-color", colour).put("fill-opacity", 0.18);
      }
      case "line" -> out.putObject("paint").put("line-color", colour).put("line-width", 1.1);
      case "circle" -> {
        out.set("filter", shape("Point"));
        out.putObject("paint").put("circle-color", colour).put("circle-radius", 3);
      }
      default -> {
        ObjectNode layout = out.putObject("layout");
        layout.putArray("text-font").add("Roboto Regular");
        layout.put("text-size", 12).putArray("text-field").add("get").add("name");
        out.putObject("paint")
            .put("text-color", dark ? "#e8eef2" : "#28323b")
            .put("text-halo-color", dark ? "#131a21" : "#ffffff")
            .put("text-halo-width", 1.4);
      }
    }
  }

  private static ArrayNode shape(String type) {
    ArrayNode filter = JSON.arrayNode().add("==");
    filter.addArray().add("geometry-type");
    return filter.add(type);
  }
}
