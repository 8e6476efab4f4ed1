package dev.ron.storage.cluster.reference;

import dev.ron.blake3.Address;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectStore;
import java.util.Optional;

/**
 * The bytes of all objects, on all machines, whosever they are.
 *
 * <p>Threading: thread-safe.
 */
public interface SharedBytes extends ObjectStore {
  /**
   * Whether bytes are there; empty if so many machines are silent that it is not known. Takes as
   * long whether or not they are.
   */
  Optional<Boolean> isThere(Address address) throws InterruptedException;

  /** What {@link #missing} says of an object that is not there, for one that may be; as long. */
  StorageFault absent(Address address) throws InterruptedException;

  /** Takes as long as {@link #stat} of an object that is not there. */
  void seek(Address address) throws InterruptedException;

  /** Deletes the bytes on all machines, each of which has this seal on them. */
  Optional<StorageFault> delete(Address address, String seal) throws InterruptedException;
}
