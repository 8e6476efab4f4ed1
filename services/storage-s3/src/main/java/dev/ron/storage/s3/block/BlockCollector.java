package dev.ron.storage.s3.block;

import dev.ron.blake3.Address;
import dev.ron.http.Refusal;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.Permits;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.names.Names;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets blocks go that nothing refers to, after a grace.
 *
 * <p>The grace is for readers that have begun: they find every part and block of what was deleted
 * meanwhile. That no reference exists is looked up by the {@link Disposal}, when no request can be
 * adding one.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class BlockCollector implements Task {
  private static final int BLOCKS_MAX = 256;
  private static final int TRASH_MAX = 16;

  /** A part may have 1,280 blocks with two rows each. */
  private static final int PARTS_MAX = 8;

  private static final Duration CHANGE_LIMIT = Duration.ofSeconds(30);

  private final Names names;
  private final Disposal disposal;
  private final Time time;
  private final Duration grace;
  private final Duration period;
  private Instant due = Instant.MIN;
  private NameCommand.@Nullable Garbage passed;

  /** How the bytes of blocks go that nothing referred to a grace ago. */
  @FunctionalInterface
  public interface Disposal {
    /** Those whose note can go. */
    List<NameCommand.Garbage> dispose(List<NameCommand.Garbage> garbage)
        throws Refusal, InterruptedException;
  }

  /** Deletes the bytes of blocks that no request on this machine has pinned. */
  public static Disposal here(Names names, BlockStore blocks) {
    return garbage -> {
      var done = new ArrayList<NameCommand.Garbage>();
      for (NameCommand.Garbage each : garbage) {
        if (deleted(names, blocks, each.block())) {
          done.add(each);
        }
      }
      return done;
    };
  }

  public BlockCollector(
      Names names, Disposal disposal, Time time, Duration grace, Duration period) {
    this.names = names;
    this.disposal = disposal;
    this.time = time;
    this.grace = grace;
    this.period = period;
  }

  @Override
  public Next run(Instant now) throws Exception {
    if (now.isBefore(due)) {
      return Next.at(due);
    }
    boolean more = Deadline.in(CHANGE_LIMIT, time).call(this::step);
    if (!more) {
      due = now.plus(period);
    }
    return more ? Next.again() : Next.at(due);
  }

  /** Whether there may be more. */
  private boolean step() throws Refusal, InterruptedException {
    long nowMillis = time.wall().toEpochMilli();
    long before = nowMillis - grace.toMillis();
    List<NameView.Trash> trash = names.view().trash(before, TRASH_MAX);
    for (NameView.Trash each : trash) {
      release(each, nowMillis);
    }
    List<NameCommand.Garbage> garbage = names.view().garbage(passed, before, BLOCKS_MAX);
    List<NameCommand.Garbage> done = disposal.dispose(garbage);
    if (!done.isEmpty()) {
      names.changed(new NameCommand.Forget(done));
    }
    // What could not be done now is passed by until the next period, and keeps nothing else
    // waiting.
    passed = garbage.size() == BLOCKS_MAX ? garbage.getLast() : null;
    return !trash.isEmpty() || passed != null;
  }

  private void release(NameView.Trash trash, long nowMillis) throws Refusal, InterruptedException {
    List<UploadPart> parts = names.view().parts(trash.upload(), 0, PARTS_MAX);
    names.changed(
        new NameCommand.ReleaseParts(
            trash.upload(),
            trash.millis(),
            parts.stream().map(UploadPart::number).toList(),
            parts.size() < PARTS_MAX,
            nowMillis));
  }

  /** Whether the note of it can go. */
  private static boolean deleted(Names names, BlockStore blocks, Address block)
      throws Refusal, InterruptedException {
    if (!blocks.pins().beginDelete(block)) {
      return false;
    }
    try {
      if (names.view().isReferenced(block)) {
        return true;
      }
      try (Permits.Place _ = blocks.writes().inner(TenantTable.COLLECT)) {
        Optional<StorageFault> fault = blocks.store().delete(block);
        return fault.isEmpty() || fault.get() instanceof StorageFault.NotFound;
      }
    } finally {
      blocks.pins().endDelete(block);
    }
  }
}
