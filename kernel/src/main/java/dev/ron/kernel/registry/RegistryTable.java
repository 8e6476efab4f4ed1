package dev.ron.kernel.registry;

import dev.ron.kernel.metric.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The registry as text: for the terminal with live figures, for the documentation without. */
public final class RegistryTable {
  /** Siblings such as {@code shard-0} to {@code shard-7} are one row in the documentation. */
  private static final Pattern NUMBERED = Pattern.compile("-\\d+$");

  private RegistryTable() {}

  /**
   * What is true of the service whatever its load; {@code docs/concurrency} is compared to this.
   */
  public static String markdown(Registry registry) {
    var out = new StringBuilder();
    out.append("| task | restart |\n|---|---|\n");
    registry.tasks().stream()
        .map(row -> "| `%s` | %s |\n".formatted(numberless(row.path()), row.restart()))
        .distinct()
        .forEach(out::append);
    out.append("\n| channel | kind | capacity | when full |\n|---|---|---:|---|\n");
    registry.channels().stream()
        .map(
            row ->
                "| `%s` | %s | %d | %s |\n"
                    .formatted(numberless(row.name()), row.kind(), row.capacity(), row.overflow()))
        .distinct()
        .forEach(out::append);
    out.append("\n| lock | rank |\n|---|---:|\n");
    registry.locks().stream()
        .map(row -> "| `%s` | %d |\n".formatted(numberless(row.name()), row.rank()))
        .distinct()
        .forEach(out::append);
    return out.toString();
  }

  /** With the names of all metrics, also of those that have not been counted yet. */
  public static String markdown(Registry registry, Metrics metrics) {
    var out = new StringBuilder(markdown(registry)).append("\n| metric |\n|---|\n");
    metrics.names().stream().sorted().forEach(name -> out.append("| `" + name + "` |\n"));
    return out.toString();
  }

  /** The tree and the channels with their figures, aligned for a terminal. */
  public static String text(Registry registry) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("TASK", "RESTART", "STATE", "RESTARTS"));
    for (TaskRow row : registry.tasks()) {
      rows.add(List.of(row.path(), row.restart(), row.state(), Long.toString(row.restarts())));
    }
    var out = new StringBuilder(aligned(rows));
    rows.clear();
    rows.add(List.of("CHANNEL", "KIND", "DEPTH", "CAPACITY", "DROPPED", "REJECTED"));
    for (ChannelRow row : registry.channels()) {
      rows.add(
          List.of(
              row.name(),
              row.kind(),
              Integer.toString(row.depth()),
              Integer.toString(row.capacity()),
              Long.toString(row.dropped()),
              Long.toString(row.rejected())));
    }
    return out.append('\n').append(aligned(rows)).toString();
  }

  private static String numberless(String name) {
    return NUMBERED.matcher(name).replaceFirst("-N");
  }

  private static String aligned(List<List<String>> rows) {
    var out = new StringBuilder();
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
    return out.toString();
  }
}
