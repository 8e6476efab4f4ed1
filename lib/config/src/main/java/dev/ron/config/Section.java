package dev.ron.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/**
 * One table of the configuration. A config record reads itself from its section in plain code, and
 * by reading a key declares it:
 *
 * <pre>{@code
 * static MailboxConfig read(Section section) {
 *   return new MailboxConfig(
 *       section.key("bind", "127.0.0.1:8082").doc("Where the HTTP door listens.").address(),
 *       section.key("limits.body_bytes", "1MiB").doc("Largest body.").hardened(HIGHER).size());
 * }
 * }</pre>
 *
 * <p>A value that cannot be read becomes a problem and its default stands in, so that one pass
 * finds every problem. {@link Settings#check} throws them all together.
 *
 * <p>Threading: owned by the thread that reads the {@link Settings}.
 */
public final class Section {
  /**
   * No two underscores in a row and none at the ends: they would be levels in a variable's name.
   */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");

  private final Registry registry;
  private final Scope scope;

  /**
   * Where a section is.
   *
   * @param path with the index of each array of tables
   * @param declared the same with {@code []} for each index
   * @param prefix what its source calls it
   * @param template a table that nobody wrote, read only to declare what one may hold
   * @param dangerOk whether values weaker than the hardened defaults are allowed
   */
  record Scope(
      String path,
      String declared,
      Source source,
      String prefix,
      boolean template,
      boolean dangerOk) {

    Scope within(String name) {
      return new Scope(
          join(path, name), join(declared, name), source, join(prefix, name), template, dangerOk);
    }

    boolean isElement() {
      return !path.equals(declared) && !template;
    }
  }

  Section(Registry registry, Scope scope) {
    this.registry = registry;
    this.scope = scope;
    registry.section(scope.path());
  }

  /** A key that is text, or is written as text: {@code "250ms"}, {@code "127.0.0.1:8082"}. */
  public Key key(String name, String fallback) {
    return new Key(this, checked(name), fallback, false);
  }

  public Key key(String name, long fallback) {
    return new Key(this, checked(name), fallback, false);
  }

  public Key key(String name, boolean fallback) {
    return new Key(this, checked(name), fallback, false);
  }

  public Key key(String name, List<String> fallback) {
    return new Key(this, checked(name), fallback, false);
  }

  public Key key(String name, Map<String, ?> fallback) {
    return new Key(this, checked(name), fallback, false);
  }

  /** A key without a default. The example stands in the reference, and in a table that lacks it. */
  public Key required(String name, String example) {
    return new Key(this, checked(name), example, true);
  }

  /** As {@link #required(String, String)}, for lists. */
  public Key required(String name, List<String> example) {
    return new Key(this, checked(name), example, true);
  }

  /** A table within this one. */
  public Section section(String name) {
    return new Section(registry, scope.within(checked(name)));
  }

  /** Reads an array of tables, {@code [[gateway.routes]]}; none is an empty list. */
  public <T> List<T> each(String name, String doc, Function<Section, T> reader) {
    Scope array = scope.within(checked(name));
    registry.declare(
        new Declaration(array.declared(), "array of tables", List.of(), doc, false, false, null),
        scope.isElement());
    registry.array(array.path());
    if (!scope.isElement()) {
      // Read for the keys it declares; with no table in any source they would be unknown.
      var _ = reader.apply(template(array));
    }
    Raw raw = scope.template() ? null : find(name);
    return raw == null ? List.of() : readEach(array, raw, reader);
  }

  private Section template(Scope array) {
    return new Section(
        registry,
        new Scope(array.path() + "[]", array.declared() + "[]", _ -> null, "", true, true));
  }

  private <T> List<T> readEach(Scope array, Raw raw, Function<Section, T> reader) {
    var list = new ArrayList<T>();
    List<TomlTable> tables;
    try {
      tables = tables(raw);
    } catch (IllegalArgumentException e) {
      registry.unreadable(
          array.path(), new Problem(raw.origin(), array.path() + ": " + e.getMessage()));
      return List.of();
    }
    for (int i = 0; i < tables.size(); i++) {
      TomlTable table = tables.get(i);
      String path = array.path() + "[" + i + "]";
      registry.element(new Registry.Element(path, table, raw.origin()));
      Source source = at -> TomlFile.find(table, at, raw.origin());
      var element = new Scope(path, array.declared() + "[]", source, "", false, scope.dangerOk());
      try {
        list.add(reader.apply(new Section(registry, element)));
      } catch (IllegalArgumentException e) {
        registry.refused(path, e);
      }
    }
    return List.copyOf(list);
  }

  private static List<TomlTable> tables(Raw raw) {
    Object value = raw.isText() ? Raw.parseToml((String) raw.value()) : raw.value();
    var tables = new ArrayList<TomlTable>();
    if (value instanceof TomlArray array) {
      for (int i = 0; i < array.size(); i++) {
        if (array.get(i) instanceof TomlTable table) {
          tables.add(table);
        }
      }
      if (tables.size() == array.size()) {
        return tables;
      }
    }
    throw new IllegalArgumentException("must be an array of tables, not " + raw.kind());
  }

  @Nullable Raw find(String name) {
    return scope.source().find(join(scope.prefix(), name));
  }

  Registry registry() {
    return registry;
  }

  Scope scope() {
    return scope;
  }

  static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static String checked(String name) {
    for (String part : name.split("\\.", -1)) {
      if (!NAME.matcher(part).matches()) {
        throw new IllegalStateException(Literal.quoted(name) + " is not a name for a key");
      }
    }
    return name;
  }
}
