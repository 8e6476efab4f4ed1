package dev.ron.config;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A config that was read, but may contain defaults in place of values that could not be read. It is
 * handed out only if nothing at all is wrong: a service must not run with only a part of its
 * configuration.
 *
 * <p>Threading: owned by the thread that reads the {@link Settings}.
 */
public final class Draft<T> {
  private final Settings settings;
  private final @Nullable T value;

  Draft(Settings settings, @Nullable T value) {
    this.settings = settings;
    this.value = value;
  }

  /** What was read, for the defaults of another section; empty if a relation in it is wrong. */
  public Optional<T> known() {
    return Optional.ofNullable(value);
  }

  /** The config, once every section has been read; throws {@link ConfigFault} as check does. */
  public T value() {
    settings.check();
    if (value == null) {
      throw new IllegalStateException("a config is missing and no problem says why");
    }
    return value;
  }
}
