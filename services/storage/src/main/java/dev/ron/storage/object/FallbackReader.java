package dev.ron.storage.object;

import dev.ron.blake3.Address;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentReader;
import dev.ron.content.FileRegion;
import dev.ron.content.OpenResult;
import dev.ron.storage.StorageFault;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of an object, from whichever copy is good where.
 *
 * <p>When a group of one copy is bad, the read goes on at the same byte with the next copy, and the
 * bad one is reported. A copy that failed at one place may serve at another: an object is lost only
 * where all copies are bad at the same group.
 *
 * <p>Threading: owned by one thread at a time.
 */
public final class FallbackReader implements ObjectReader {
  private final Volumes volumes;
  private final Address address;
  private final List<Volume> order;
  private final long end;
  private final Set<Volume> failedHere = new HashSet<>();
  private long at;
  private int turn;
  private boolean again;
  private @Nullable ContentReader reader;
  private @Nullable Volume current;

  /** The whole object. */
  public FallbackReader(Volumes volumes, Address address) {
    this(volumes, address, 0, Long.MAX_VALUE);
  }

  /**
   * @param end the first byte that is not wanted, which may lie beyond the object's
   */
  public FallbackReader(Volumes volumes, Address address, long offset, long end) {
    this.volumes = volumes;
    this.address = address;
    this.order = volumes.readOrder(address);
    this.at = offset;
    this.end = end;
  }

  public Address address() {
    return address;
  }

  @Override
  public Step next() {
    while (true) {
      ContentReader open = reader;
      if (open == null) {
        StorageFault fault = openNext();
        if (fault != null) {
          return new Step.Lost(fault);
        }
        continue;
      }
      switch (open.next()) {
        case ContentReader.Step.Bytes(ByteBuffer bytes) -> {
          at += bytes.remaining();
          again = false;
          failedHere.clear();
          return new Step.Bytes(bytes);
        }
        case ContentReader.Step.End _ -> {
          return new Step.End();
        }
        case ContentReader.Step.Bad(ContentFault fault) -> {
          if (Thread.currentThread().isInterrupted()) {
            // The channel was closed under this thread because its request is gone.
            return new Step.Lost(new StorageFault.Unavailable("the read was cancelled"));
          }
          if (!again) {
            // This copy may have been replaced since it was opened; only a fresh look condemns it.
            again = true;
            reopen();
          } else {
            failed(fault);
          }
        }
      }
    }
  }

  @Override
  public Optional<FileRegion> region() {
    if (reader == null && openNext() != null) {
      return Optional.empty();
    }
    return reader == null ? Optional.empty() : reader.region();
  }

  @Override
  public Optional<Outboard> outboard() {
    for (int tried = 0; tried < order.size(); tried++) {
      switch (order.get(tried).store().open(address)) {
        case OpenResult.Opened(ContentReader opened) -> {
          try (opened) {
            Optional<Outboard> found = opened.outboard();
            if (found.isPresent()) {
              return found;
            }
          }
        }
        case OpenResult.Refused _ -> {}
      }
    }
    return Optional.empty();
  }

  /** The same volume at the same place; if that is refused, the next one is found as ever. */
  private void reopen() {
    Volume same = current;
    close();
    if (same != null
        && same.store().open(address, at, end - at)
            instanceof OpenResult.Opened(ContentReader opened)) {
      reader = opened;
    }
  }

  private void failed(ContentFault fault) {
    Volume bad = current;
    again = false;
    close();
    if (bad != null) {
      failedHere.add(bad);
      volumes.damage().found(address, bad, fault.code());
    }
  }

  /** Opens the next copy that has not failed at this place; a fault if there is none. */
  private @Nullable StorageFault openNext() {
    ContentFault.Busy busy = null;
    for (int tried = 0; tried < order.size(); tried++) {
      Volume volume = order.get((turn + tried) % order.size());
      if (failedHere.contains(volume)) {
        continue;
      }
      switch (volume.store().open(address, at, end - at)) {
        case OpenResult.Opened(ContentReader opened) -> {
          reader = opened;
          current = volume;
          turn = (turn + tried) % order.size();
          return null;
        }
        case OpenResult.Refused(ContentFault.NotFound _) -> {}
        case OpenResult.Refused(ContentFault.Busy fault) -> busy = fault;
        case OpenResult.Refused(ContentFault fault) -> {
          if (Thread.currentThread().isInterrupted()) {
            return new StorageFault.Unavailable("the read was cancelled");
          }
          failedHere.add(volume);
          volumes.damage().found(address, volume, fault.code());
        }
      }
    }
    if (busy != null) {
      return new StorageFault.Unavailable(busy.detail());
    }
    return failedHere.isEmpty()
        ? volumes.missing(address)
        : new StorageFault.Integrity(address, at);
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
