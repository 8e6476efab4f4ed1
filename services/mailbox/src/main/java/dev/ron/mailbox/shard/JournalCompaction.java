package dev.ron.mailbox.shard;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.time.Reply;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.journal.MailboxJournal;
import dev.ron.mailbox.journal.ShardCapture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves the oldest living messages to the new end of the journal, so that its old end can go.
 *
 * <p>The journal is one piece: whatever lies behind its oldest living message stays. When more than
 * half of it is past, its oldest part is carried; so a byte that is freed costs at most one that is
 * written again, and the disk holds about twice what lives.
 *
 * <p>Threading: owned by the snapshot's task.
 */
final class JournalCompaction {
  /** A few in one command, so that a shard's consumers hardly notice. */
  private static final int BATCH_MESSAGES = 32;

  private static final Duration PACE = Duration.ofMillis(2);
  private static final Duration REST = Duration.ofMillis(100);

  /** Of the journal at a time. */
  private static final int PARTS = 8;

  /** A record's fields beside the payload. */
  private static final int RECORD_BYTES = 250;

  private final Scope scope;
  private final List<ShardSlot> slots;
  private final MailboxJournal journal;
  private final long pastMin;
  private final int snapshots;
  private final List<Load> loads = new ArrayList<>();
  private @Nullable Reply<Outcome> asked;

  /** What one shard is asked at a time. */
  private record Load(int shard, Command.Carry command) {}

  JournalCompaction(
      Scope scope, List<ShardSlot> slots, MailboxJournal journal, SnapshotPolicy rules) {
    this.scope = scope;
    this.slots = slots;
    this.journal = journal;
    this.pastMin = rules.pastMin();
    this.snapshots = rules.kept();
  }

  boolean busy() {
    return !loads.isEmpty();
  }

  /** Looks at a snapshot whether there is something to carry, and what. */
  void plan(List<ShardCapture> shards, long needed) {
    long living =
        slots.stream()
            .map(ShardSlot::figures)
            .mapToLong(each -> each.bytes() + (long) RECORD_BYTES * (each.living() + each.dead()))
            .sum();
    long on = journal.diskBytes() - snapshots * journal.snapshotBytes();
    long next = journal.flushed().value().position();
    if (!journal.replication().decides() || on < 2 * living + pastMin || needed >= next) {
      return;
    }
    long before = needed + Math.max(1, (next - needed) / PARTS);
    for (ShardCapture each : shards) {
      List<Long> numbers = each.image().before(before);
      for (int from = 0; from < numbers.size(); from += BATCH_MESSAGES) {
        List<Long> some = numbers.subList(from, Math.min(numbers.size(), from + BATCH_MESSAGES));
        loads.add(new Load(each.shard(), new Command.Carry(some, before)));
      }
    }
    scope.log().info("carry", "messages_in", loads.size(), "before", before, "disk_bytes", on);
  }

  /** One command more, once the last is answered. */
  Next step(Instant now) {
    Reply<Outcome> open = asked;
    if (open != null) {
      Outcome outcome = open.now();
      if (outcome == null) {
        return Next.at(now.plus(PACE));
      }
      asked = null;
      if (outcome instanceof Outcome.Counted(int count)) {
        // Large messages go a few at a time; what was carried is passed over when asked again.
        if (count == 0) {
          loads.removeLast();
        }
        return Next.at(now.plus(PACE));
      }
      // Refused because the journal is busy, or its shard failed: the same again.
      return Next.at(now.plus(REST));
    }
    if (!journal.replication().decides()) {
      // The leader carries, and what it carries is carried here too.
      loads.clear();
      return Next.at(now.plus(REST));
    }
    Load load = loads.getLast();
    var reply = new Reply<Outcome>(scope.time());
    var ask = new ShardRequest.Do(load.command(), reply);
    if (slot(load.shard()).inbox().trySend(ask) instanceof SendResult.Sent) {
      asked = reply;
    }
    return Next.at(now.plus(PACE));
  }

  private ShardSlot slot(int shard) {
    return slots.stream().filter(slot -> slot.number() == shard).findFirst().orElseThrow();
  }
}
