package dev.ron.usage;

import java.io.IOException;

/**
 * Where accounting and seals go, by their addresses.
 *
 * <p>Threading: called by {@link SealTask} alone; may wait.
 */
@FunctionalInterface
public interface SealStore {
  /** For a node without a storage: seals and spans are in its folder alone. */
  SealStore NONE = _ -> {};

  /** Durable when this returns; an object that is there already is no fault. */
  void put(byte[] object) throws IOException, InterruptedException;
}
