package dev.ron.config;

import dev.ron.config.value.Literal;
import dev.ron.config.value.RawValue;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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

  private final ConfigRegistry registry;
  private final SectionScope scope;

  Section(ConfigRegistry registry, SectionScope scope) {
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

  @Nullable RawValue find(String name) {
    return scope.source().find(join(scope.prefix(), name));
  }

  ConfigRegistry registry() {
    return registry;
  }

  SectionScope scope() {
    return scope;
  }

  /** A path one level down. */
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
