package dev.ron.node.up;

import dev.ron.config.source.Flags;
import dev.ron.node.NodeSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags that every command with a configuration takes.
 *
 * <p>Threading: owned by the command that reads its flags.
 */
public final class ConfigOptions {
  private static final Path USUAL_FILE = Path.of("ron.toml");

  @Option(names = "--config", description = "A TOML file; ron.toml here is read if it exists.")
  private @Nullable Path file;

  @Option(names = "--data", description = "Where everything durable lives. Default: ./data")
  private @Nullable String data;

  @Option(names = "--base-port", description = "The gateway's port; the others follow.")
  private @Nullable String basePort;

  @Option(names = "--limits", description = "hardened (default) or open.")
  private @Nullable String limits;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Any key of the configuration: --set mailbox.shard_count=16")
  private final Map<String, String> set = new LinkedHashMap<>();

  public NodeSettings load() {
    return load(Flags.NONE);
  }

  /**
   * @param derived what the command sets itself; a flag on the command line wins over it
   */
  NodeSettings load(Flags derived) {
    return NodeSettings.load(given(derived), System.getenv(), file());
  }

  /**
   * By the flags alone, and a file only if they name it: a rehearsal that took the folders, doors
   * and peers of the configuration that lies here would be a second node of that name.
   */
  NodeSettings loadRehearsal(Flags derived) {
    return NodeSettings.load(given(derived), Map.of(), Optional.ofNullable(file));
  }

  private Flags given(Flags derived) {
    var given = new LinkedHashMap<>(set);
    put(given, "node.data", data);
    put(given, "node.base_port", basePort);
    put(given, "node.limits", limits);
    return derived.under(new Flags(given));
  }

  /** The configuration file in force. */
  public Optional<Path> file() {
    return Optional.ofNullable(file != null ? file : Files.exists(USUAL_FILE) ? USUAL_FILE : null);
  }

  /** The flags as they were given, without folder and ports. */
  List<String> words() {
    var words = new ArrayList<String>();
    if (file != null) {
      words.addAll(List.of("--config", file.toString()));
    }
    if (limits != null) {
      words.addAll(List.of("--limits", limits));
    }
    set.forEach((key, value) -> words.addAll(List.of("--set", key + "=" + value)));
    return words;
  }

  private static void put(Map<String, String> flags, String key, @Nullable String value) {
    if (value != null) {
      flags.put(key, value);
    }
  }
}
