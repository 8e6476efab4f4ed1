package dev.ron.config;

/** The words for what can be wrong with one key. */
final class Complaint {
  private Complaint() {}

  static Problem missing(String path, Origin table, Declaration key) {
    String example = Literal.shown(key.fallback());
    return new Problem(table, path + " is required: " + key.type() + ", as in " + example);
  }

  static Problem unreadable(String path, Type<?> type, Raw raw, IllegalArgumentException why) {
    String value = Type.SECRET.equals(type) ? Secret.MASK : Literal.shown(raw.value());
    return new Problem(raw.origin(), path + " = " + value + ": " + why.getMessage());
  }

  static Problem weakened(Entry entry) {
    Declaration key = entry.declaration();
    String section = entry.path().replaceFirst("[.\\[].*", "");
    boolean isRoot = section.equals(entry.path());
    return new Problem(
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
