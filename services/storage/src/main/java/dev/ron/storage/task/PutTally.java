package dev.ron.storage.task;

import dev.ron.blake3.Address;
import dev.ron.content.ContentFault;
import dev.ron.content.PutResult;
import dev.ron.storage.StorageFault;
import dev.ron.storage.disk.Shelf;
import dev.ron.storage.task.Stock.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts the copies of one write, and says what they amount to.
 *
 * <p>Threading: owned by the thread that writes.
 */
final class PutTally {
  private final @Nullable Address address;
  private final int quorum;
  private final List<String> refusals = new ArrayList<>();
  private int stored;
  private boolean allFresh = true;
  private boolean allFull = true;
  private long sizeBytes;
  private @Nullable Written decisive;

  PutTally(@Nullable Address address, int quorum) {
    this.address = address;
    this.quorum = quorum;
  }

  void add(Shelf shelf, PutResult result) {
    switch (result) {
      case PutResult.Stored(_, long size, boolean fresh) -> {
        stored++;
        sizeBytes = size;
        allFresh &= fresh;
      }
      case PutResult.Refused(ContentFault fault) -> {
        allFull &= fault instanceof ContentFault.Full;
        refusals.add(shelf + ": " + fault.detail());
        switch (fault) {
          case ContentFault.Mismatch(Address expected, Address actual) ->
              decisive = new Written.Refused(new StorageFault.Mismatch(expected, actual));
          case ContentFault.TooLarge(long max) ->
              decisive = new Written.Refused(new StorageFault.TooLarge(max));
          case ContentFault.Busy busy ->
              decisive = decisive == null ? new Written.Busy(busy) : decisive;
          default -> {}
        }
      }
    }
  }

  Written outcome(List<Shelf> all) {
    if (stored >= quorum) {
      return new Written.Stored(Objects.requireNonNull(address), sizeBytes, allFresh);
    }
    if (decisive != null) {
      return decisive;
    }
    for (Shelf shelf : all) {
      if (!shelf.home().takesWrites()) {
        String why = shelf.condition().why();
        if (refusals.stream().noneMatch(said -> said.startsWith(shelf + ": "))) {
          refusals.add(shelf + ": " + why);
        }
        allFull &= why.contains("free") || why.contains("full");
      }
    }
    String words =
        "%d of the %d copies a write needs could be stored: %s"
            .formatted(stored, quorum, String.join("; ", refusals));
    boolean full = allFull && !refusals.isEmpty();
    return new Written.Refused(
        full ? new StorageFault.Full(words) : new StorageFault.Unavailable(words));
  }
}
