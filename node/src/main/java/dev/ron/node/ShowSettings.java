package dev.ron.node;

import dev.ron.config.ConfigEntry;
import dev.ron.config.value.Literal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import java.util.List;

/**
 * {@code GET /settings}: every setting as the node runs with it, and where it came from.
 *
 * <p>A secret is shown as its kind and never as its value.
 *
 * <p>Threading: immutable.
 */
record ShowSettings(NodeReload reload) implements Verb<Verb.None, ShowSettings.Reply> {
  record Reply(List<Setting> settings) {}

  /**
   * One key.
   *
   * @param value as a file would say it
   * @param from the file and line, the variable, the flag or the default
   * @param isLive whether a reload takes a change
   * @param isWeakened whether it is weaker than the hardened default
   */
  record Setting(
      String key,
      String value,
      String fallback,
      String from,
      boolean isLive,
      boolean isWeakened,
      String doc) {
    static Setting of(ConfigEntry entry) {
      return new Setting(
          entry.path(),
          entry.text(),
          Literal.toml(entry.declaration().fallback()),
          entry.origin().place(),
          entry.declaration().live(),
          entry.weakened(),
          entry.declaration().doc());
    }
  }

  @Override
  public None parse(Exchange exchange) {
    return new None();
  }

  @Override
  public Reply handle(None request) {
    return new Reply(reload.running().entries().stream().map(Setting::of).toList());
  }
}
