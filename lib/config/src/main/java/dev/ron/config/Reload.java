package dev.ron.config;

import dev.ron.config.source.ConfigProblem;
import dev.ron.config.value.Literal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a reload does: which live keys change, which changes wait for a restart, or why nothing
 * changes at all. A reload with a problem is refused whole.
 *
 * <p>The rules of the config records hold for the new values all together. A service that takes its
 * live keys while others wait for a restart must not have a rule between the two kinds.
 *
 * <p>Threading: immutable.
 *
 * @param changed live keys with another value
 * @param needsRestart other keys with another value, which stay as they run
 * @param problems why the reload was refused; then nothing else is in it
 * @param running what is in effect after the reload, and what the next one is compared with
 */
public record Reload(
    List<Change> changed,
    List<Change> needsRestart,
    int unchangedCount,
    List<ConfigProblem> problems,
    ConfigCatalogue running) {

  /** A key whose value differs; a key of a table that came or went has no value on one side. */
  public record Change(String path, @Nullable ConfigEntry before, @Nullable ConfigEntry after) {
    boolean isLive() {
      ConfigEntry known = after == null ? before : after;
      return known != null && known.declaration().live();
    }

    @Override
    public String toString() {
      return path + ": " + text(before) + " -> " + text(after) + from();
    }

    private String from() {
      return after == null ? "" : " (" + after.origin().place() + ")";
    }

    private static String text(@Nullable ConfigEntry entry) {
      return entry == null ? "none" : Literal.shown(entry.plain());
    }
  }

  public Reload {
    changed = List.copyOf(changed);
    needsRestart = List.copyOf(needsRestart);
    problems = List.copyOf(problems);
  }

  /** Compares the running configuration with one that was just read, in all sections. */
  public static Reload of(ConfigCatalogue running, Settings fresh) {
    List<ConfigProblem> problems = fresh.problems();
    return problems.isEmpty()
        ? compare(running, fresh.catalogue())
        : new Reload(List.of(), List.of(), 0, problems, running);
  }

  /** Compares two catalogues that are both sound. */
  public static Reload compare(ConfigCatalogue running, ConfigCatalogue fresh) {
    var before = byPath(running);
    var after = byPath(fresh);
    var paths = new LinkedHashMap<>(before);
    paths.putAll(after);
    var changed = new ArrayList<Change>();
    var needsRestart = new ArrayList<Change>();
    var effective = new ArrayList<ConfigEntry>();
    for (String path : paths.keySet()) {
      var change = new Change(path, before.get(path), after.get(path));
      boolean isSame = isSame(change.before(), change.after());
      if (!isSame) {
        (change.isLive() ? changed : needsRestart).add(change);
      }
      ConfigEntry stays = isSame || change.isLive() ? change.after() : change.before();
      if (stays != null) {
        effective.add(stays);
      }
    }
    int unchangedCount = paths.size() - changed.size() - needsRestart.size();
    return new Reload(
        changed,
        needsRestart,
        unchangedCount,
        List.of(),
        new ConfigCatalogue(fresh.declarations(), effective));
  }

  private static Map<String, ConfigEntry> byPath(ConfigCatalogue catalogue) {
    var entries = new LinkedHashMap<String, ConfigEntry>();
    catalogue.entries().forEach(entry -> entries.put(entry.path(), entry));
    return entries;
  }

  private static boolean isSame(@Nullable ConfigEntry before, @Nullable ConfigEntry after) {
    return before != null && after != null && before.value().equals(after.value());
  }

  public boolean isRefused() {
    return !problems.isEmpty();
  }

  /** The report, one line a key, for the log and for the operator who sent the signal. */
  public String report() {
    var text = new StringBuilder();
    if (isRefused()) {
      text.append("reload refused, nothing changed\n");
      problems.forEach(problem -> text.append("  ").append(problem).append('\n'));
      return text.toString();
    }
    text.append(
        "reload: %s changed, %s need a restart, %s unchanged\n"
            .formatted(changed.size(), needsRestart.size(), unchangedCount));
    changed.forEach(change -> text.append("  changed       ").append(change).append('\n'));
    needsRestart.forEach(change -> text.append("  needs restart ").append(change).append('\n'));
    return text.toString();
  }
}
