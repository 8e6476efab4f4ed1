package dev.ron.node.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The completion of fish: one line for each command and option, under the commands before it.
 *
 * <p>Threading: stateless.
 */
final class FishScript {
  private FishScript() {}

  static String of(CommandLine all) {
    var lines = new ArrayList<String>();
    lines.add("complete -c ron -f");
    add(lines, all, List.of());
    return String.join("\n", lines) + "\n";
  }

  private static void add(List<String> lines, CommandLine at, List<String> path) {
    List<String> names = new ArrayList<>();
    for (Map.Entry<String, CommandLine> sub : at.getSubcommands().entrySet()) {
      if (!sub.getValue().getCommandSpec().usageMessage().hidden()) {
        names.add(sub.getKey());
      }
    }
    String here = condition(path, names);
    for (String name : names) {
      CommandLine sub = at.getSubcommands().get(name);
      if (sub != null) {
        lines.add(
            "complete -c ron -n %s -a %s -d %s"
                .formatted(quoted(here), name, quoted(summary(sub.getCommandSpec()))));
        var below = new ArrayList<>(path);
        below.add("__fish_seen_subcommand_from " + name);
        List<String> rivals = rivals(at, name);
        if (!rivals.isEmpty()) {
          below.add("not __fish_seen_subcommand_from " + String.join(" ", rivals));
        }
        add(lines, sub, below);
      }
    }
    String within = condition(path, List.of());
    for (OptionSpec option : at.getCommandSpec().options()) {
      if (!option.hidden()) {
        options(lines, within, option);
      }
    }
  }

  private static void options(List<String> lines, String within, OptionSpec option) {
    for (String name : option.names()) {
      String form = name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1);
      String value = option.arity().max() > 0 ? " -r" : "";
      String words = option.description().length == 0 ? "" : option.description()[0];
      lines.add(
          "complete -c ron -n %s %s%s -d %s".formatted(quoted(within), form, value, quoted(words)));
    }
  }

  /** Beside {@code status} there is {@code cluster status}: fish sees the word in both. */
  private static List<String> rivals(CommandLine at, String name) {
    return at.getSubcommands().entrySet().stream()
        .filter(other -> other.getValue().getSubcommands().containsKey(name))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** After these commands, and before any of the next ones. */
  private static String condition(List<String> path, List<String> next) {
    var parts = new ArrayList<>(path);
    if (!next.isEmpty()) {
      parts.add("not __fish_seen_subcommand_from " + String.join(" ", next));
    }
    return parts.isEmpty() ? "true" : String.join("; and ", parts);
  }

  private static String summary(CommandSpec command) {
    String[] words = command.usageMessage().description();
    return words.length == 0 ? "" : words[0];
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
