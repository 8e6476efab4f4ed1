package dev.ron.storage.cluster.reference;

import java.util.List;
import java.util.Optional;

/**
 * The machines that decide together whose objects are: all of them, whichever have the bytes.
 *
 * <p>Threading: thread-safe.
 */
public interface ReferenceGroup {
  /** How many there are, and which of them answer. */
  record Roster(int size, List<ReferenceNode> here, List<String> away) {
    public Roster {
      here = List.copyOf(here);
      away = List.copyOf(away);
    }
  }

  Roster now();

  /** Why it is not known which machines belong; empty if it is. */
  Optional<String> unknown();

  /** Whether a machine is not waited for any more. */
  boolean isGone(String node);
}
