package dev.ron.testkit;

import dev.ron.kernel.registry.ChannelRow;
import dev.ron.kernel.registry.Registry;
import dev.ron.kernel.registry.TaskRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tasks and channels of a service as two Mermaid diagrams: what flows where, and how it ends.
 *
 * <p>Who sends and who receives is told by the test, as {@code sender -> channel -> receiver}; what
 * there is comes from the registry. A channel that no flow has, and a flow of something that is not
 * registered, are refused, so that the picture cannot leave out what the service has.
 */
public final class TopologyDiagram {
  /** What is no task: the door, and what a configuration that changes sends. */
  private static final Set<String> OUTSIDE = Set.of("http", "reload");

  private TopologyDiagram() {}

  /**
   * @param flows each {@code sender -> channel -> receiver}, in the words of the registry without
   *     the service's name
   */
  public static String markdown(Registry registry, String... flows) {
    Set<String> tasks = tasks(registry);
    Map<String, ChannelRow> channels = new LinkedHashMap<>();
    registry.channels().forEach(row -> channels.putIfAbsent(numberless(row.name()), row));
    Set<String> missing = new LinkedHashSet<>(channels.keySet());
    var out = new StringBuilder("\n## What flows where\n\n```mermaid\nflowchart LR\n");
    for (String flow : flows) {
      String[] steps = flow.split(" -> ", -1);
      ChannelRow row = steps.length == 3 ? channels.get(steps[1]) : null;
      if (row == null || !isKnown(tasks, steps[0]) || !isKnown(tasks, steps[2])) {
        throw new IllegalArgumentException(flow + ": not in the registry of " + registry.service());
      }
      missing.remove(steps[1]);
      out.append(
          "  %s -->|%s: %s of %d| %s\n"
              .formatted(steps[0], steps[1], row.kind(), row.capacity(), steps[2]));
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("no flow has " + missing);
    }
    return out.append("```\n").append(shutdown(tasks)).toString();
  }

  private static boolean isKnown(Set<String> tasks, String name) {
    return OUTSIDE.contains(name) || tasks.contains(name);
  }

  /** Without the service's name, siblings as one, in the order of their start. */
  private static Set<String> tasks(Registry registry) {
    var names = new LinkedHashSet<String>();
    for (TaskRow row : registry.tasks()) {
      names.add(numberless(row.path().substring(registry.service().length() + 1)));
    }
    return names;
  }

  private static String numberless(String name) {
    return name.replaceFirst("-\\d+$", "-N");
  }

  private static String shutdown(Set<String> tasks) {
    List<String> order = new ArrayList<>(tasks).reversed();
    var out =
        new StringBuilder(
            """

            ## How it ends

            ```mermaid
            sequenceDiagram
              participant supervisor
              participant http
              supervisor->>http: shutdown
              http-->>supervisor: intake stopped, requests answered or cut
            """);
    for (String task : order) {
      out.append("  supervisor->>%s: drain\n".formatted(task));
      out.append("  %s-->>supervisor: ended, or aborted when its time is up\n".formatted(task));
    }
    return out.append("  supervisor->>http: release\n```\n").toString();
  }
}
