package dev.ron.storage.core;

import dev.ron.blake3.HashTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which parts of an upload are there, and whether they make an object.
 *
 * <p>Every part but the last has exactly 1 MiB. Which is the last is not known before the end, so
 * short ones are taken anywhere and judged when the upload is completed.
 *
 * <p>Threading: owned by Upload, under its lock.
 */
public final class PartLedger {
  private final int partsMax;
  private final BitSet present = new BitSet();
  private final BitSet writing = new BitSet();
  private final Map<Integer, Integer> shortParts = new HashMap<>();
  private boolean completing;

  /** A run of parts, both ends included. */
  public record Run(int first, int last) {}

  public PartLedger(int partsMax) {
    this.partsMax = partsMax;
  }

  /** Why a part cannot be written now; empty if it can, and then it is being written. */
  public Optional<String> begin(int part) {
    if (part < 0 || part >= partsMax) {
      return Optional.of("there are parts 0 to %d, not %d".formatted(partsMax - 1, part));
    }
    if (completing) {
      return Optional.of("the upload is being completed");
    }
    if (writing.get(part)) {
      return Optional.of("part %d is being written by another request".formatted(part));
    }
    writing.set(part);
    return Optional.empty();
  }

  /** The part is durable. */
  public void wrote(int part, int bytes) {
    writing.clear(part);
    present.set(part);
    if (bytes < HashTree.PART_BYTES) {
      shortParts.put(part, bytes);
    } else {
      shortParts.remove(part);
    }
  }

  /** The part was not written, or not to its end; whatever was there before is not trusted. */
  public void failed(int part) {
    writing.clear(part);
    lost(part);
  }

  public void lost(int part) {
    present.clear(part);
    shortParts.remove(part);
  }

  /** Why the parts do not make an object; empty if they do, and then nothing more is taken. */
  public Optional<String> complete() {
    if (completing) {
      return Optional.of("the upload is being completed by another request");
    }
    if (!writing.isEmpty()) {
      return Optional.of("part %d is still being written".formatted(writing.nextSetBit(0)));
    }
    int count = present.length();
    if (present.cardinality() < count) {
      return Optional.of("part %d is missing".formatted(present.nextClearBit(0)));
    }
    for (Map.Entry<Integer, Integer> part : shortParts.entrySet()) {
      if (part.getKey() < count - 1) {
        return Optional.of(
            "part %d has %d bytes; every part but the last has %d"
                .formatted(part.getKey(), part.getValue(), HashTree.PART_BYTES));
      }
      if (part.getValue() == 0 && count > 1) {
        return Optional.of("the last part is empty");
      }
    }
    completing = true;
    return Optional.empty();
  }

  /** Completing failed; parts are taken again. */
  public void resume() {
    completing = false;
  }

  public boolean has(int part) {
    return present.get(part);
  }

  public boolean busy() {
    return completing || !writing.isEmpty();
  }

  public int count() {
    return present.length();
  }

  /** What the parts have together. */
  public long sizeBytes() {
    long whole = (long) (present.cardinality() - shortParts.size()) * HashTree.PART_BYTES;
    return whole + shortParts.values().stream().mapToLong(Integer::longValue).sum();
  }

  public List<Run> runs() {
    var runs = new ArrayList<Run>();
    for (int first = present.nextSetBit(0); first >= 0; ) {
      int after = present.nextClearBit(first);
      runs.add(new Run(first, after - 1));
      first = present.nextSetBit(after);
    }
    return runs;
  }
}
