package dev.ron.usage;

import dev.ron.blake3.Address;
import java.io.IOException;
import java.util.Optional;

/**
 * Where accounting and seals go, by their addresses.
 *
 * <p>Threading: called by {@link SealTask} alone; may wait.
 */
public interface SealStore {
  /** Durable when this returns; an object that is there already is no fault. */
  void put(byte[] object) throws IOException, InterruptedException;

  /** What was put, verified or not; empty if it is not there, or not to be had now. */
  Optional<byte[]> get(Address address) throws InterruptedException;
}
