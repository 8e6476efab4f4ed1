package dev.ron.edge.pack;

import dev.ron.tilepack.Pack;
import dev.ron.tilepack.PackFault;
import dev.ron.tilepack.PackHeader;
import dev.ron.tilepack.PackMetadata;
import dev.ron.tilepack.tile.Bounds;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Packs as JSON: TileJSON 3.0 for map clients, and the list for people.
 *
 * <p>Threading: stateless.
 */
public final class PackJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private PackJson() {}

  /**
   * @param tiles the address of a tile with {@code {z}}, {@code {x}} and {@code {y}} in it
   */
  public static byte[] tileJson(String name, Pack pack, String tiles) {
    PackHeader header = pack.header();
    PackMetadata metadata = pack.metadata();
    ObjectNode json = MAPPER.createObjectNode();
    json.put("tilejson", "3.0.0");
    json.put("name", metadata.name().isEmpty() ? name : metadata.name());
    json.put("description", metadata.description());
    json.put("attribution", metadata.attribution());
    json.put("scheme", "xyz");
    json.putArray("tiles").add(tiles);
    json.put("minzoom", header.zoomMin());
    json.put("maxzoom", header.zoomMax());
    bounds(json.putArray("bounds"), header.bounds());
    json.putArray("center")
        .add(header.center().longitudeE7() / 1e7)
        .add(header.center().latitudeE7() / 1e7)
        .add(header.center().zoom());
    json.put("format", header.tileType().extension());
    if (header.tileType().isVector()) {
      ArrayNode layers = json.putArray("vector_layers");
      metadata.vectorLayers().forEach(layer -> layer(layers.addObject(), layer));
    }
    return MAPPER.writeValueAsBytes(json);
  }

  private static void layer(ObjectNode json, PackMetadata.VectorLayer layer) {
    json.put("id", layer.id());
    json.put("description", layer.description());
    json.put("minzoom", layer.zoomMin());
    json.put("maxzoom", layer.zoomMax());
    ObjectNode fields = json.putObject("fields");
    new TreeMap<>(layer.fields()).forEach(fields::put);
  }

  private static void bounds(ArrayNode json, Bounds bounds) {
    json.add(bounds.westE7() / 1e7)
        .add(bounds.southE7() / 1e7)
        .add(bounds.eastE7() / 1e7)
        .add(bounds.northE7() / 1e7);
  }

  public static byte[] list(Collection<MountedPack> packs, Map<Path, PackFault> refused) {
    ObjectNode json = MAPPER.createObjectNode();
    ArrayNode mounted = json.putArray("packs");
    for (MountedPack pack : packs) {
      PackHeader header = pack.pack().header();
      ObjectNode entry = mounted.addObject();
      entry.put("pack", pack.name());
      entry.put("title", pack.pack().metadata().name());
      entry.put("address", pack.address().toString());
      entry.put("bytes", pack.pack().bytes().size());
      entry.put("format", header.format().name().toLowerCase(Locale.ROOT));
      entry.put("tiles", header.tileType().extension());
      entry.put("zoom_min", header.zoomMin());
      entry.put("zoom_max", header.zoomMax());
      bounds(entry.putArray("bounds"), header.bounds());
      entry.put("map", "/edge/map/" + pack.name());
    }
    ArrayNode bad = json.putArray("refused");
    refused.forEach(
        (file, fault) ->
            bad.addObject()
                .put("file", String.valueOf(file.getFileName()))
                .put("code", fault.code())
                .put("detail", fault.detail()));
    return MAPPER.writeValueAsBytes(json);
  }
}
