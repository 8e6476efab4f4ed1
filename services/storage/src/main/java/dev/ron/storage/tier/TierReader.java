package dev.ron.storage.tier;

import dev.ron.blake3.Address;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentReader;
import dev.ron.content.FileRegion;
import dev.ron.content.OpenResult;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.FallbackReader;
import dev.ron.storage.object.ObjectReader;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A range that is read from the disks, and from the bucket from where they cannot go on.
 *
 * <p>Threading: owned by one thread at a time.
 */
final class TierReader implements ObjectReader {
  private final TieredStore tier;
  private final Address address;
  private final long end;
  private final FallbackReader here;
  private @Nullable ContentReader cold;
  private long at;

  TierReader(TieredStore tier, Address address, long offset, long end) {
    this.tier = tier;
    this.address = address;
    this.end = end;
    this.at = offset;
    this.here = new FallbackReader(tier.volumes(), address, offset, end);
  }

  @Override
  public Step next() {
    ContentReader open = cold;
    if (open != null) {
      return step(open);
    }
    Step step = here.next();
    if (step instanceof Step.Bytes(ByteBuffer bytes)) {
      at += bytes.remaining();
      return step;
    }
    return step instanceof Step.Lost(StorageFault fault) ? goOn(fault) : step;
  }

  private Step goOn(StorageFault fault) {
    return switch (tier.bucket().open(address, at, end - at)) {
      case OpenResult.Opened(ContentReader opened) -> {
        cold = opened;
        yield step(opened);
      }
      case OpenResult.Refused(ContentFault.NotFound _) -> new Step.Lost(fault);
      case OpenResult.Refused(ContentFault refused) ->
          new Step.Lost(
              fault instanceof StorageFault.NotFound
                  ? new StorageFault.Unavailable(refused.detail())
                  : fault);
    };
  }

  private Step step(ContentReader open) {
    return switch (open.next()) {
      case ContentReader.Step.Bytes(ByteBuffer bytes) -> {
        at += bytes.remaining();
        yield new Step.Bytes(bytes);
      }
      case ContentReader.Step.End _ -> new Step.End();
      case ContentReader.Step.Bad(ContentFault fault) ->
          new Step.Lost(
              fault instanceof ContentFault.RemoteFailed
                  ? new StorageFault.Unavailable(fault.detail())
                  : new StorageFault.Integrity(address, at));
    };
  }

  @Override
  public Optional<FileRegion> region() {
    return here.region();
  }

  @Override
  public Optional<Outboard> outboard() {
    Optional<Outboard> found = here.outboard();
    if (found.isPresent()) {
      return found;
    }
    if (tier.bucket().open(address) instanceof OpenResult.Opened(ContentReader opened)) {
      try (opened) {
        return opened.outboard();
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    here.close();
    if (cold != null) {
      cold.close();
    }
  }
}
