package dev.ron.tilepack.tile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One vector tile in the making, as the Mapbox vector tile specification 2.1 writes it.
 *
 * <p>Coordinates are whole numbers from the tile's north-west corner; {@link #EXTENT} is its other
 * side. A feature may reach a little beyond, so that lines do not end at the edge.
 *
 * <p>Threading: owned by one thread.
 */
public final class VectorTile {
  public static final int EXTENT = 4096;

  private static final int VERSION = 2;
  private static final int POINT = 1;
  private static final int LINE = 2;
  private static final int POLYGON = 3;
  private static final int MOVE_TO = 1;
  private static final int LINE_TO = 2;
  private static final int CLOSE_PATH = 7;

  private final Map<String, Layer> layers = new LinkedHashMap<>();

  /** The layer of this name, new if there is none yet. */
  public Layer layer(String name) {
    return layers.computeIfAbsent(name, Layer::new);
  }

  /** The tile; no bytes if nothing is in it. */
  public byte[] bytes() {
    var tile = new Varints();
    for (Layer layer : layers.values()) {
      if (!layer.features.isEmpty()) {
        tile.field(3, layer.message());
      }
    }
    return tile.bytes();
  }

  /** Features of one kind. A property is a text, a whole number or a truth value. */
  public static final class Layer {
    private final String name;
    private final List<Varints> features = new ArrayList<>();
    private final Map<String, Integer> keys = new LinkedHashMap<>();
    private final Map<Object, Integer> values = new LinkedHashMap<>();

    private Layer(String name) {
      this.name = name;
    }

    public void point(int x, int y, Map<String, ?> properties) {
      add(POINT, new Geometry().moveTo(x, y), properties);
    }

    /**
     * @param xy x and y by turns, at least two points
     */
    public void line(int[] xy, Map<String, ?> properties) {
      add(LINE, new Geometry().path(xy), properties);
    }

    /**
     * Areas with holes in one feature.
     *
     * @param rings not closed by repetition; clockwise on the screen for an outer ring, and its
     *     holes behind it the other way round
     */
    public void polygon(List<int[]> rings, Map<String, ?> properties) {
      var geometry = new Geometry();
      rings.forEach(ring -> geometry.path(ring).close());
      add(POLYGON, geometry, properties);
    }

    private void add(int type, Geometry geometry, Map<String, ?> properties) {
      var tags = new Varints();
      // In the order of their names, so that the same tile is the same bytes.
      new TreeMap<>(properties)
          .forEach(
              (key, value) -> {
                tags.put(index(keys, key));
                tags.put(index(values, value));
              });
      features.add(new Varints().field(2, tags).field(3, type).field(4, geometry.commands));
    }

    private static <T> int index(Map<T, Integer> known, T value) {
      Integer index = known.putIfAbsent(value, known.size());
      return index == null ? known.size() - 1 : index;
    }

    private Varints message() {
      var layer = new Varints().field(15, VERSION).field(1, name);
      features.forEach(feature -> layer.field(2, feature));
      keys.keySet().forEach(key -> layer.field(3, key));
      values.keySet().forEach(value -> layer.field(4, message(value)));
      return layer.field(5, EXTENT);
    }

    private static Varints message(Object value) {
      return switch (value) {
        case String text -> new Varints().field(1, text);
        case Integer number -> new Varints().field(6, (number.longValue() << 1) ^ (number >> 31));
        case Boolean truth -> new Varints().field(7, truth ? 1 : 0);
        default -> throw new IllegalArgumentException("no property can be " + value.getClass());
      };
    }
  }

  /** Commands, each relative to where the one before ended. */
  private static final class Geometry {
    private final Varints commands = new Varints();
    private int x;
    private int y;

    Geometry moveTo(int toX, int toY) {
      return command(MOVE_TO, 1).to(toX, toY);
    }

    Geometry path(int[] xy) {
      moveTo(xy[0], xy[1]);
      command(LINE_TO, xy.length / 2 - 1);
      for (int i = 2; i < xy.length; i += 2) {
        to(xy[i], xy[i + 1]);
      }
      return this;
    }

    void close() {
      command(CLOSE_PATH, 1);
    }

    private Geometry command(int id, int count) {
      commands.put(((long) count << 3) | id);
      return this;
    }

    private Geometry to(int toX, int toY) {
      commands.put(zigzag(toX - x)).put(zigzag(toY - y));
      x = toX;
      y = toY;
      return this;
    }

    /** Small numbers of either sign in few bytes. */
    private static long zigzag(long value) {
      return (value << 1) ^ (value >> 63);
    }
  }
}
