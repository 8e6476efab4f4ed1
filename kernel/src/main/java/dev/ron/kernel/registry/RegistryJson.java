package dev.ron.kernel.registry;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The registry as JSON, for the dashboard.
 *
 * <p>Written by hand because the kernel has no JSON library and the shape is three flat lists.
 */
public final class RegistryJson {
  private RegistryJson() {}

  public static String of(Registry registry) {
    return of(registry, "");
  }

  /**
   * @param url where the service answers; empty if nowhere
   */
  public static String of(Registry registry, String url) {
    return "{\"service\":%s,\"url\":%s,\"tasks\":%s,\"channels\":%s,\"locks\":%s}"
        .formatted(
            quoted(registry.service()),
            quoted(url),
            array(registry.tasks(), RegistryJson::task),
            array(registry.channels(), RegistryJson::channel),
            array(registry.locks(), RegistryJson::lock));
  }

  private static String task(TaskRow row) {
    return "{\"path\":%s,\"kind\":%s,\"restart\":%s,\"state\":%s,\"restarts\":%d,\"awaits\":%s}"
        .formatted(
            quoted(row.path()),
            quoted(row.kind()),
            quoted(row.restart()),
            quoted(row.state()),
            row.restarts(),
            array(row.awaits(), RegistryJson::quoted));
  }

  private static String channel(ChannelRow row) {
    return ("{\"name\":%s,\"kind\":%s,\"capacity\":%d,\"overflow\":%s,"
            + "\"depth\":%d,\"dropped\":%d,\"rejected\":%d%s}")
        .formatted(
            quoted(row.name()),
            quoted(row.kind()),
            row.capacity(),
            quoted(row.overflow()),
            row.depth(),
            row.dropped(),
            row.rejected(),
            row.passed() == ChannelRow.UNCOUNTED ? "" : ",\"passed\":" + row.passed());
  }

  private static String lock(LockRow row) {
    return "{\"name\":%s,\"rank\":%d}".formatted(quoted(row.name()), row.rank());
  }

  private static <T> String array(List<T> rows, Function<T, String> json) {
    return rows.stream().map(json).collect(Collectors.joining(",", "[", "]"));
  }

  /** A JSON string; everything outside printable ASCII is escaped. */
  public static String quoted(String text) {
    var out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        default -> {
          if (c < 0x20 || c > 0x7e) {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append('"').toString();
  }
}
