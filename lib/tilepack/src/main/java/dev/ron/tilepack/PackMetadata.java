package dev.ron.tilepack;

import dev.ron.tilepack.tile.TileCoord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a pack says about itself to people and to styles.
 *
 * <p>Whatever else stands in it is left alone: writers put much in, and none of it is needed to
 * serve a tile. The words are the pack's and may be hostile; a page that shows them escapes them.
 *
 * <p>Threading: immutable.
 */
public record PackMetadata(
    String name, String description, String attribution, List<VectorLayer> vectorLayers) {
  static final PackMetadata NONE = new PackMetadata("", "", "", List.of());

  private static final int DEPTH_MAX = 32;
  private static final int TEXT_CHARS_MAX = 4096;
  private static final int LAYERS_MAX = 1000;
  private static final int FIELDS_MAX = 1000;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  .build())
          .build();

  /** One layer of a vector tile; {@code fields} are the properties of its features. */
  public record VectorLayer(
      String id, String description, int zoomMin, int zoomMax, Map<String, String> fields) {
    public VectorLayer {
      fields = Map.copyOf(fields);
    }
  }

  public PackMetadata {
    vectorLayers = List.copyOf(vectorLayers);
  }

  static PackMetadata parse(byte[] json) throws PackRefusal {
    JsonNode root = object(json);
    return new PackMetadata(
        text(root, "name"),
        text(root, "description"),
        text(root, "attribution"),
        layers(root.path("vector_layers")));
  }

  /** The layers of the {@code json} row of MBTiles. */
  static List<VectorLayer> layers(byte[] json) throws PackRefusal {
    return layers(object(json).path("vector_layers"));
  }

  private static JsonNode object(byte[] json) throws PackRefusal {
    try {
      JsonNode root = MAPPER.readTree(json);
      if (root != null && root.isObject()) {
        return root;
      }
    } catch (JacksonException _) {
      // told below; the parser's words would repeat the hostile text
    }
    throw new PackRefusal(new PackFault.BadMetadata("the metadata is not a JSON object"));
  }

  private static List<VectorLayer> layers(JsonNode array) throws PackRefusal {
    if (array.size() > LAYERS_MAX) {
      throw new PackRefusal(new PackFault.BadMetadata(array.size() + " vector layers"));
    }
    var layers = new ArrayList<VectorLayer>();
    for (JsonNode layer : array) {
      if (!text(layer, "id").isEmpty()) {
        layers.add(
            new VectorLayer(
                text(layer, "id"),
                text(layer, "description"),
                layer.path("minzoom").asInt(0),
                layer.path("maxzoom").asInt(TileCoord.ZOOM_MAX),
                fields(layer.path("fields"))));
      }
    }
    return layers;
  }

  private static Map<String, String> fields(JsonNode object) {
    var fields = new LinkedHashMap<String, String>();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      if (fields.size() < FIELDS_MAX) {
        fields.put(cut(field.getKey()), cut(field.getValue().asString("")));
      }
    }
    return fields;
  }

  private static String text(JsonNode node, String name) {
    return cut(node.path(name).asString(""));
  }

  static String cut(String text) {
    return text.length() <= TEXT_CHARS_MAX ? text : text.substring(0, TEXT_CHARS_MAX);
  }
}
