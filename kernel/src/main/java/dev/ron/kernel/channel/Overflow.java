package dev.ron.kernel.channel;

/** What a full channel does; chosen where the channel is built, never at the call. */
public enum Overflow {
  /** The sender is told {@code Full} at once and turns it into its own refusal. */
  REJECT_NEW("reject new"),
  /** The oldest item makes room and is handed to the channel's drop handler. */
  DROP_OLDEST("drop oldest"),
  /** The sender waits until there is room or its deadline passes. */
  AWAIT("await"),
  /** The newest item of the tenant with the longest line makes room for one that has less. */
  LONGEST_GIVES_WAY("longest line gives way");

  private final String words;

  Overflow(String words) {
    this.words = words;
  }

  /** As the documentation and the registry call it. */
  public String words() {
    return words;
  }
}
