package dev.ron.storage.repair;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentReader;
import dev.ron.content.OpenResult;
import dev.ron.storage.object.Volume;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads one copy to its end and hashes it, whatever the store believes of it already.
 *
 * <p>Threading: owned by one thread at a time.
 */
public final class Scrub implements AutoCloseable {
  private final Address address;
  private final ContentReader reader;
  private final Blake3Hasher hasher = new Blake3Hasher();

  /** What a step found. */
  public sealed interface Verdict {
    record More(int bytes) implements Verdict {}

    record Good() implements Verdict {}

    record Bad(String reason) implements Verdict {}

    /** It went away meanwhile, or cannot be judged now. */
    record Unknown() implements Verdict {}
  }

  private Scrub(Address address, ContentReader reader) {
    this.address = address;
    this.reader = reader;
  }

  static @Nullable Scrub open(Volume volume, Address address) {
    return volume.store().open(address) instanceof OpenResult.Opened(ContentReader reader)
        ? new Scrub(address, reader)
        : null;
  }

  Verdict step() {
    return switch (reader.next()) {
      case ContentReader.Step.Bytes(ByteBuffer bytes) -> {
        int count = bytes.remaining();
        hasher.update(bytes);
        yield new Verdict.More(count);
      }
      case ContentReader.Step.End _ ->
          hasher.hash().equals(address.hash()) ? new Verdict.Good() : new Verdict.Bad("corrupt");
      case ContentReader.Step.Bad(ContentFault fault) ->
          Thread.currentThread().isInterrupted()
              ? new Verdict.Unknown()
              : new Verdict.Bad(fault.code());
    };
  }

  /** The whole copy at once, within the budget. */
  public static Verdict whole(Volume volume, Address address, RepairThrottle pace)
      throws InterruptedException {
    try (Scrub scrub = open(volume, address)) {
      if (scrub == null) {
        return new Verdict.Unknown();
      }
      while (true) {
        if (pace.ending()) {
          return new Verdict.Unknown();
        }
        Duration wait = pace.waitFor(RepairThrottle.STEP_BYTES);
        if (!wait.isZero()) {
          pace.nap(wait);
          continue;
        }
        Verdict verdict = scrub.step();
        if (!(verdict instanceof Verdict.More)) {
          return verdict;
        }
      }
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
