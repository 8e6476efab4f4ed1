package dev.ron.storage.cluster.core;

import dev.ron.blake3.Address;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which write made which copy, for as long as it may still be taken back.
 *
 * <p>A write that finds too few nodes is refused, and its copies have to go again. A copy goes only
 * if the write that made it takes it back and no other write was told that it is there: theirs
 * relies on it. A write may also be taken back before its copy has arrived, and then the copy goes
 * when it does.
 *
 * <p>Bounded: the oldest entries are forgotten, and a copy whose maker is not known stays.
 *
 * <p>Threading: owned by CopyClaims, under its lock, which also covers the copy that is removed.
 */
public final class WriteLedger {
  private final int entriesMax;
  private final Map<Address, String> makers = new LinkedHashMap<>();
  private final Map<String, Address> takenBack = new LinkedHashMap<>();

  public WriteLedger(int entriesMax) {
    this.entriesMax = entriesMax;
  }

  /**
   * A write's copy is durable.
   *
   * @param fresh it was not there before
   * @return false if the write was taken back meanwhile: the copy has to go
   */
  public boolean stored(Address address, String write, boolean fresh) {
    if (takenBack.remove(write) != null) {
      // An older copy is another write's, whatever became of this one.
      return !fresh;
    }
    if (fresh) {
      remember(makers, address, write);
    } else {
      makers.remove(address);
    }
    return true;
  }

  /**
   * A write is taken back.
   *
   * @return true if the copy is its alone: it has to go
   */
  public boolean takeBack(Address address, String write) {
    if (makers.remove(address, write)) {
      return true;
    }
    remember(takenBack, write, address);
    return false;
  }

  /** Something relies on the copy now, for whatever reason. */
  public void reliedOn(Address address) {
    makers.remove(address);
  }

  private <K, V> void remember(Map<K, V> map, K key, V value) {
    map.put(key, value);
    if (map.size() > entriesMax) {
      map.remove(map.keySet().iterator().next());
    }
  }
}
