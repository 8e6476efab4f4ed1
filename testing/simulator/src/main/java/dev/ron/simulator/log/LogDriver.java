package dev.ron.simulator.log;

import dev.ron.raft.RaftEntry;
import dev.ron.raft.RaftStateMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Drives the state machines of a group by what its machines agreed on, each on a thread of its
 * machine.
 *
 * <p>Threading: owned by the scheduler's thread, on which all threads take turns.
 */
final class LogDriver {
  private final AgreedLog log;
  private final long trimEntries;

  LogDriver(AgreedLog log, long trimEntries) {
    this.log = log;
    this.trimEntries = trimEntries;
  }

  void applyAll(LogMember member) {
    long keptAt = member.applied;
    while (member.open && !member.failed) {
      if (member.fetches || member.applied >= member.committed) {
        LockSupport.park();
        continue;
      }
      long index = member.applied + 1;
      LogEntry entry = member.at(index);
      try {
        apply(member, index, entry);
        if (member.applied - keptAt >= trimEntries) {
          keep(member);
          keptAt = member.applied;
        }
      } catch (Exception failed) {
        member.failed = true;
        if (member.leads) {
          log.stepDown(member);
        }
      }
    }
  }

  private void apply(LogMember member, long index, LogEntry entry) throws Exception {
    RaftStateMachine drives = Objects.requireNonNull(member.drives);
    byte[] bytes = entry.bytes();
    if (bytes == null) {
      drives.pass(entry.term(), index);
    } else {
      drives.apply(new RaftEntry(entry.term(), index, ByteBuffer.wrap(bytes).asReadOnlyBuffer()));
    }
    member.applied = index;
    if (bytes == null && member.leads && entry.term() == member.term) {
      drives.lead(entry.term());
      member.ready = true;
    }
    CompletableFuture<Void> done = member.pending.remove(index);
    if (done != null) {
      done.complete(null);
    }
  }

  private void keep(LogMember member) {
    long index = member.applied;
    long term = member.termAt(index).orElse(member.term);
    try {
      byte[] bytes = Objects.requireNonNull(member.drives).keep();
      member.kept = new LogMember.Kept(bytes, term, index);
      long needed = log.members().stream().mapToLong(LogMember::last).min().orElse(0);
      member.trim(Math.min(index, needed));
    } catch (IOException notKept) {
      // The log stays as it is until the next time.
    }
  }

  void fetch(LogMember member, LogMember from) {
    RaftStateMachine drives = member.drives;
    if (member.fetches || !member.isHere() || drives == null) {
      return;
    }
    if (from.first <= member.applied + 1) {
      // It is asked although it gets along with the log: its answers were lost.
      log.answer(member, from, from.term, -1, from.first);
      return;
    }
    member.fetches = true;
    member
        .machine
        .threads()
        .start(
            "raft/fetch-" + log.number(),
            () -> {
              try {
                RaftStateMachine.Fetched fetched = drives.fetch(from.name());
                member.restart(new LogMember.Kept(fetched.kept(), fetched.term(), fetched.index()));
                drives.start(fetched.kept(), fetched.term(), fetched.index());
                member.applied = fetched.index();
                member.committed = Math.max(member.committed, fetched.index());
                log.answer(member, from, from.term, fetched.index(), fetched.index() + 1);
              } catch (IOException | RuntimeException failed) {
                // Asked again with the next beat of a leader.
              } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
              } finally {
                member.fetches = false;
                LockSupport.unpark(member.applier);
              }
            });
  }
}
