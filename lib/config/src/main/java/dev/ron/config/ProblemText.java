package dev.ron.config;

import dev.ron.config.source.ConfigProblem;
import dev.ron.config.value.Literal;
import dev.ron.config.value.RawValue;
import dev.ron.config.value.Secret;
import dev.ron.config.value.ValueOrigin;
import dev.ron.config.value.ValueType;

/** The words for what can be wrong with one key. */
final class ProblemText {
  private ProblemText() {}

  static ConfigProblem missing(String path, ValueOrigin table, Declaration key) {
    String example = Literal.shown(key.fallback());
    return new ConfigProblem(table, path + " is required: " + key.type() + ", as in " + example);
  }

  static ConfigProblem unreadable(
      String path, ValueType<?> type, RawValue raw, IllegalArgumentException why) {
    String value = ValueType.SECRET.equals(type) ? Secret.MASK : Literal.shown(raw.value());
    return new ConfigProblem(raw.origin(), path + " = " + value + ": " + why.getMessage());
  }

  static ConfigProblem weakened(ConfigEntry entry) {
    Declaration key = entry.declaration();
    String section = entry.path().replaceFirst("[.\\[].*", "");
    boolean isRoot = section.equals(entry.path());
    return new ConfigProblem(
        entry.origin(),
        "%s = %s is weaker than the hardened default %s; to allow it set danger_ok = true %s"
            .formatted(
                entry.path(),
                Literal.shown(entry.plain()),
                Literal.shown(key.fallback()),
                isRoot
                    ? "at the top of the file"
                    : "in [%s] or at the top of the file".formatted(section)));
  }
}
