package dev.ron.config;

import dev.ron.config.value.ByteRate;
import dev.ron.config.value.ByteSize;
import dev.ron.config.value.CollectionTypes;
import dev.ron.config.value.Durations;
import dev.ron.config.value.HostPort;
import dev.ron.config.value.NumberTypes;
import dev.ron.config.value.RawValue;
import dev.ron.config.value.Secret;
import dev.ron.config.value.ValueOrigin;
import dev.ron.config.value.ValueType;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One key being declared and read. The last call says the type and gives the value; without it the
 * key is not declared at all.
 *
 * <p>Threading: owned by the thread that reads the {@link Settings}.
 */
public final class Key {
  private final Section section;
  private final String name;
  private final Object fallback;
  private final boolean required;
  private String doc = "";
  private boolean live;
  private @Nullable WeakerValues weaker;

  Key(Section section, String name, Object fallback, boolean required) {
    this.section = section;
    this.name = name;
    this.fallback = fallback;
    this.required = required;
    this.live = section.scope().kind().live;
  }

  /** What the key is for, as the reference tells it. Every key has one. */
  public Key doc(String sentence) {
    this.doc = sentence;
    return this;
  }

  /** A reload changes it in a running service; without this it waits for a restart. */
  public Key live() {
    if (section.scope().kind().inArray && !live) {
      throw new IllegalStateException(
          name + " changes with the array of tables it is in: let that be live");
    }
    this.live = true;
    return this;
  }

  /** The default is a guard: a weaker value needs {@code danger_ok = true}. */
  public Key hardened(WeakerValues which) {
    this.weaker = which;
    return this;
  }

  public int integer(int min, int max) {
    return read(NumberTypes.integer(min, max));
  }

  public long longInteger(long min, long max) {
    return read(NumberTypes.LONG.from(min, max));
  }

  /** A whole number, or nothing if the text is empty. */
  public Optional<Long> longOrNothing(long min, long max) {
    return read(NumberTypes.LONG.from(min, max).orNothing());
  }

  /** An exact decimal; the bounds are written as decimals too. */
  public BigDecimal decimal(String min, String max) {
    return read(NumberTypes.DECIMALS.from(new BigDecimal(min), new BigDecimal(max)));
  }

  public boolean bool() {
    return read(ValueType.BOOLEAN);
  }

  public String text() {
    return read(ValueType.TEXT);
  }

  /** Text that is never shown. */
  public Secret secret() {
    return read(ValueType.SECRET);
  }

  /** One of an enum's constants, written in lower case: {@code choice(Flush.values())}. */
  public <E extends Enum<E>> E choice(E[] values) {
    return read(ValueType.choice(values));
  }

  public Duration duration() {
    return read(ValueType.DURATION);
  }

  public Duration duration(String min, String max) {
    return read(ValueType.DURATION.from(Durations.parse(min), Durations.parse(max)));
  }

  public ByteSize size() {
    return read(ValueType.SIZE);
  }

  public ByteSize size(String min, String max) {
    return read(ValueType.SIZE.from(ByteSize.parse(min), ByteSize.parse(max)));
  }

  /** A size, or nothing if the text is empty. */
  public Optional<ByteSize> sizeOrNothing(String min, String max) {
    return read(ValueType.SIZE.from(ByteSize.parse(min), ByteSize.parse(max)).orNothing());
  }

  public ByteRate rate() {
    return read(ValueType.RATE);
  }

  public HostPort address() {
    return read(ValueType.ADDRESS);
  }

  /** A path, relative to the directory the process was started in. */
  public Path path() {
    return read(CollectionTypes.PATH);
  }

  /** A path, or nothing if the text is empty. */
  public Optional<Path> pathOrNothing() {
    return read(CollectionTypes.PATH.orNothing());
  }

  public List<String> texts() {
    return read(CollectionTypes.list(ValueType.TEXT));
  }

  public List<Path> paths() {
    return read(CollectionTypes.list(CollectionTypes.PATH));
  }

  public <E extends Enum<E>> List<E> choices(E[] values) {
    return read(CollectionTypes.list(ValueType.choice(values)));
  }

  /** A table of texts by name, {@code { a = "x" }}, in the order written. */
  public Map<String, String> textTable() {
    return read(CollectionTypes.table(ValueType.TEXT));
  }

  /** A table of whole numbers by name, {@code { acme = 3 }}, in the order written. */
  public Map<String, Integer> integerTable(int min, int max) {
    return read(CollectionTypes.table(NumberTypes.integer(min, max)));
  }

  /** An array of tables, each read as a section; its default is the empty list. */
  public <T> List<T> each(Function<Section, T> reader) {
    SectionScope scope = section.scope();
    if (!fallback.equals(List.of()) || required || weaker != null) {
      throw new IllegalStateException(
          name + " is an array of tables: its default is empty, and its keys are the guards");
    }
    declare("array of tables", List.of(), scope);
    RawValue raw = scope.isTemplate() ? null : section.find(name);
    return new TableArray(section.registry(), scope.within(name), live).read(raw, reader);
  }

  private Declaration declare(String type, Object shown, SectionScope scope) {
    String path = Section.join(scope.declared(), name);
    if (doc.isBlank()) {
      throw new IllegalStateException("the key " + path + " has no doc");
    }
    var declaration = new Declaration(path, type, shown, doc, required, live, weaker);
    section.registry().declare(declaration, scope.isElement());
    return declaration;
  }

  private <T> T read(ValueType<T> type) {
    SectionScope scope = section.scope();
    T standIn = standIn(type, scope);
    Declaration declaration = declare(type.name(), type.plain().apply(standIn), scope);
    return scope.isTemplate() ? standIn : effective(type, standIn, declaration);
  }

  /** The default as a value; that it is a valid one is up to the code that declares the key. */
  private <T> T standIn(ValueType<T> type, SectionScope scope) {
    String path = Section.join(scope.declared(), name);
    try {
      T value = type.read().apply(new RawValue(fallback, new ValueOrigin.Default()));
      boolean isWeakerThanItself = weaker != null && weaker.isWeaker(value, value, type);
      if (isWeakerThanItself || (weaker != null && required)) {
        throw new IllegalArgumentException("a hardened key needs a default");
      }
      return value;
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("the default of " + path + " " + e.getMessage(), e);
    }
  }

  private <T> T effective(ValueType<T> type, T standIn, Declaration declaration) {
    String path = Section.join(section.scope().path(), name);
    ConfigRegistry registry = section.registry();
    T value = standIn;
    ValueOrigin origin = new ValueOrigin.Default();
    boolean weakened = false;
    RawValue raw = section.find(name);
    if (raw == null && required) {
      registry.missing(path, ProblemText.missing(path, section.scope().origin(), declaration));
    } else if (raw != null) {
      try {
        value = type.read().apply(raw);
        origin = raw.origin();
        weakened = weaker != null && weaker.isWeaker(value, standIn, type);
      } catch (IllegalArgumentException e) {
        registry.unreadable(path, ProblemText.unreadable(path, type, raw, e));
      }
    }
    var entry =
        new ConfigEntry(path, declaration, value, type.plain().apply(value), origin, weakened);
    registry.enter(entry);
    if (weakened && !section.scope().dangerOk()) {
      registry.problem(ProblemText.weakened(entry));
    }
    return value;
  }
}
