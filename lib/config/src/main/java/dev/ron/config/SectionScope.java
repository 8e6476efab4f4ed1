package dev.ron.config;

import dev.ron.config.source.ConfigSource;
import dev.ron.config.value.ValueOrigin;

/**
 * Where a section is and what holds for all of it.
 *
 * <p>Threading: immutable.
 *
 * @param path with the index of each array of tables
 * @param declared the same with {@code []} for each index
 * @param source where its values come from
 * @param prefix what that source calls it
 * @param origin the place of the table itself, where it has one
 * @param kind whether its keys are read, and how often
 * @param dangerOk whether values weaker than the hardened defaults are allowed
 */
record SectionScope(
    String path,
    String declared,
    ConfigSource source,
    String prefix,
    ValueOrigin origin,
    Kind kind,
    boolean dangerOk) {

  /** An array of tables changes as a whole: half a route is no route, so its keys are alike. */
  enum Kind {
    /** A table there is one of. */
    SINGLE(false, false, false),
    /** One table of an array of tables. */
    ELEMENT(true, false, false),
    LIVE_ELEMENT(true, true, false),
    /** A table that is in no source, read only to declare which keys one may have. */
    TEMPLATE(true, false, true),
    LIVE_TEMPLATE(true, true, true);

    final boolean inArray;
    final boolean live;
    final boolean template;

    Kind(boolean inArray, boolean live, boolean template) {
      this.inArray = inArray;
      this.live = live;
      this.template = template;
    }
  }

  static SectionScope single(String path, ConfigSource source, boolean dangerOk) {
    return new SectionScope(
        path, path, source, path, new ValueOrigin.Default(), Kind.SINGLE, dangerOk);
  }

  /** A table within this one. */
  SectionScope within(String name) {
    return new SectionScope(
        Section.join(path, name),
        Section.join(declared, name),
        source,
        Section.join(prefix, name),
        origin,
        kind,
        dangerOk);
  }

  /** One table of the array that is at this scope. */
  SectionScope element(int index, ConfigSource table, ValueOrigin place, boolean live) {
    return new SectionScope(
        path + "[" + index + "]",
        declared + "[]",
        table,
        "",
        place,
        live ? Kind.LIVE_ELEMENT : Kind.ELEMENT,
        dangerOk);
  }

  /** The table that stands for all tables of the array at this scope. */
  SectionScope template(boolean live) {
    return new SectionScope(
        declared + "[]",
        declared + "[]",
        _ -> null,
        "",
        origin,
        live ? Kind.LIVE_TEMPLATE : Kind.TEMPLATE,
        true);
  }

  boolean isTemplate() {
    return kind.template;
  }

  /** Declared before, by its template. */
  boolean isElement() {
    return kind.inArray && !kind.template;
  }
}
