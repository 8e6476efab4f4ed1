package dev.ron.storage.object;

import dev.ron.blake3.Address;
import dev.ron.content.ContentFault;
import dev.ron.content.PutResult;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectStore.Written;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts the copies of one write, and says what they amount to.
 *
 * <p>Threading: owned by the thread that writes.
 */
final class PutTally {
  private final @Nullable Address address;
  private final int quorum;
  private final Map<Volume, String> refusals = new LinkedHashMap<>();
  private int stored;
  private boolean allFresh = true;
  private boolean allFull = true;
  private long sizeBytes;
  private @Nullable Written decisive;

  PutTally(@Nullable Address address, int quorum) {
    this.address = address;
    this.quorum = quorum;
  }

  void add(Volume volume, PutResult result) {
    switch (result) {
      case PutResult.Stored(_, long size, boolean fresh) -> {
        stored++;
        sizeBytes = size;
        allFresh &= fresh;
      }
      case PutResult.Refused(ContentFault fault) -> {
        allFull &= fault instanceof ContentFault.Full;
        refusals.put(volume, fault.detail());
        decide(fault);
      }
    }
  }

  private void decide(ContentFault fault) {
    switch (fault) {
      case ContentFault.Mismatch(Address expected, Address actual) ->
          decisive = new Written.Refused(new StorageFault.Mismatch(expected, actual));
      case ContentFault.TooLarge(long max) ->
          decisive = new Written.Refused(new StorageFault.TooLarge(max));
      case ContentFault.Busy(String what, int max) ->
          decisive =
              decisive == null ? new Written.Refused(new StorageFault.Busy(what, max)) : decisive;
      // Of this copy alone; the others may still make the quorum.
      case ContentFault.NotFound _,
          ContentFault.OutOfRange _,
          ContentFault.Pinned _,
          ContentFault.Full _,
          ContentFault.ReadOnly _,
          ContentFault.Corrupt _,
          ContentFault.DiskFailed _,
          ContentFault.RemoteFailed _,
          ContentFault.Late _,
          ContentFault.Closed _ -> {}
    }
  }

  Written outcome(List<Volume> all) {
    if (stored >= quorum) {
      return new Written.Stored(Objects.requireNonNull(address), sizeBytes, allFresh);
    }
    if (decisive != null) {
      return decisive;
    }
    for (Volume volume : all) {
      Volume.Condition now = volume.condition();
      if (now.state() != Volume.State.GOOD) {
        refusals.putIfAbsent(volume, now.why());
        allFull &= now.state() == Volume.State.FULL;
      }
    }
    String words =
        "%d of the %d copies a write needs could be stored: %s"
            .formatted(
                stored,
                quorum,
                refusals.entrySet().stream()
                    .map(each -> each.getKey() + ": " + each.getValue())
                    .collect(Collectors.joining("; ")));
    boolean full = allFull && !refusals.isEmpty();
    return new Written.Refused(
        full ? new StorageFault.Full(words) : new StorageFault.Unavailable(words));
  }
}
