package dev.ron.storage.repair;

import java.util.Locale;

/** What became of a plan of repair. */
public enum RepairOutcome {
  /** A good copy or shard was written. */
  REPAIRED,
  /** A good one was there already. */
  THERE,
  /** A surplus copy was removed, as every copy that stays is good. */
  DROPPED,
  /** A surplus copy was removed, as other nodes promised theirs. */
  GIVEN_UP,
  /** It was not removed: too few others are good. */
  KEPT,
  /** It was not removed: not enough nodes promised theirs, or this one did. */
  PROMISED,
  /** A bad copy could not be replaced, as a reader or an upload holds it. */
  HELD,
  /** The object was deleted since it was planned. */
  GONE,
  /** The disk that it was planned for takes no writes now. */
  SKIPPED,
  /** A store refused it. */
  REFUSED,
  /** There is no good copy to repair from. */
  UNREPAIRABLE,
  /** The service ends. */
  DRAINING,
  /** An exception; the supervisor tells of it. */
  FAILED;

  /** As the metric shows it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
