package dev.ron.rewarder.core;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;

/**
 * What a run is computed from, by address.
 *
 * <p>Threading: immutable.
 *
 * @param epoch as it is kept, with its owner
 * @param reader for whom the objects are read; a run is the same for each caller
 */
public record Inputs(
    String epoch, Address accounting, Address ledger, Address policy, Owner reader) {
  private static final int EPOCH_CHARS_MAX = 64;

  public Inputs {
    if (!isEpoch(Owner.plain(epoch))) {
      throw new IllegalArgumentException("epoch: must be 1 to 64 of A-Z a-z 0-9 . _ -");
    }
  }

  /** The tenant whose epoch it is, and whose turn a run of it takes. */
  public String tenant() {
    String tenant = Owner.ofKept(epoch).tenant();
    return tenant == null ? Owner.DEFAULT : tenant;
  }

  /** A name that is one step of a path and one word of a log line. */
  public static boolean isEpoch(String text) {
    return text.length() <= EPOCH_CHARS_MAX && text.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*");
  }
}
