package dev.ron.node.fsck;

/**
 * Something that is not as it was written.
 *
 * <p>Threading: immutable.
 *
 * @param store whose it is
 * @param damage false for what a crash may leave, and a start clears
 */
public record Anomaly(String store, boolean damage, String what) {
  static Anomaly lost(String store, String what) {
    return new Anomaly(store, true, what);
  }

  static Anomaly unfinished(String store, String what) {
    return new Anomaly(store, false, what);
  }

  /** Whether it is about keys, which a backup may leave out; what is lost may have any name. */
  public boolean isAboutKeys() {
    return store.equals(KeysCheck.STORE) || store.equals(RewarderCheck.KEYS);
  }

  /** Whether a put that is under way looks like it: a reference comes before its bytes. */
  public boolean mayBeUnderWay() {
    return store.equals(ReferenceCheck.STORE);
  }

  @Override
  public String toString() {
    return "%s %s: %s".formatted(damage ? "DAMAGE" : "unfinished", store, what);
  }
}
