package dev.ron.config;

import dev.ron.config.source.ConfigProblem;
import dev.ron.config.source.ConfigSource;
import dev.ron.config.source.TomlFile;
import dev.ron.config.value.RawValue;
import dev.ron.config.value.ValueOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * An array of tables, {@code [[gateway.routes]]}, each read as a section of its own.
 *
 * <p>Threading: owned by the thread that reads the {@link Settings}.
 */
final class TableArray {
  private final ConfigRegistry registry;
  private final SectionScope array;
  private final boolean live;

  TableArray(ConfigRegistry registry, SectionScope array, boolean live) {
    this.registry = registry;
    this.array = array;
    this.live = live;
  }

  /** What each table became; one whose record refuses it is left out, with a problem. */
  <T> List<T> read(@Nullable RawValue raw, Function<Section, T> reader) {
    registry.array(array.path());
    if (!array.isElement()) {
      // Read for the keys it declares; with no table in any source they would be unknown.
      var _ = reader.apply(new Section(registry, array.template(live)));
    }
    if (raw == null) {
      return List.of();
    }
    try {
      return readEach(array(raw), raw.origin(), reader);
    } catch (NotTables e) {
      String what = array.path() + ": " + e.getMessage();
      registry.unreadable(array.path(), new ConfigProblem(raw.origin(), what));
      return List.of();
    }
  }

  private <T> List<T> readEach(TomlArray tables, ValueOrigin whole, Function<Section, T> reader) {
    var list = new ArrayList<T>();
    for (int i = 0; i < tables.size(); i++) {
      TomlTable table = tables.getTable(i);
      TomlPosition position = tables.inputPositionOf(i);
      ValueOrigin place = TomlFile.within(whole, position);
      ConfigSource source = path -> TomlFile.find(table, path, whole);
      SectionScope element = array.element(i, source, place, live);
      registry.element(new ConfigRegistry.Element(element.path(), table, whole));
      try {
        list.add(reader.apply(new Section(registry, element)));
      } catch (IllegalArgumentException e) {
        registry.refused(element, e);
      }
    }
    return List.copyOf(list);
  }

  private static TomlArray array(RawValue raw) {
    if (!(toml(raw) instanceof TomlArray array)) {
      throw new NotTables("must be an array of tables, not " + raw.kind());
    }
    for (int i = 0; i < array.size(); i++) {
      if (!array.isTable(i)) {
        throw new NotTables("must be an array of tables; item " + i + " is none");
      }
    }
    return array;
  }

  private static Object toml(RawValue raw) {
    try {
      return raw.isText() ? RawValue.parseToml((String) raw.value()) : raw.value();
    } catch (IllegalArgumentException e) {
      throw new NotTables(String.valueOf(e.getMessage()));
    }
  }

  /** Kept apart from what the readers of the tables may throw. */
  private static final class NotTables extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotTables(String message) {
      super(message);
    }
  }
}
