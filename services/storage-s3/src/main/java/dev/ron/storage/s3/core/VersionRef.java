package dev.ron.storage.s3.core;

import java.util.Optional;

/** Which version of an object a request means. */
public sealed interface VersionRef {
  /** The text of {@link Null}. */
  String NULL = "null";

  /** The newest. */
  record Current() implements VersionRef {}

  /** The one that was stored while its bucket kept no versions. */
  record Null() implements VersionRef {}

  record Exact(Uid uid) implements VersionRef {}

  /** As a request says it; empty for the newest. */
  default String text() {
    return switch (this) {
      case Current() -> "";
      case Null() -> NULL;
      case Exact(Uid uid) -> uid.toString();
    };
  }

  /** Empty if the text is no version id. */
  static Optional<VersionRef> parse(String text) {
    return text.equals(NULL) ? Optional.of(new Null()) : Uid.parse(text).map(Exact::new);
  }
}
