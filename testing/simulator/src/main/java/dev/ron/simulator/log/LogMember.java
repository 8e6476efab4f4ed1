package dev.ron.simulator.log;

import dev.ron.raft.RaftStateMachine;
import dev.ron.simulator.engine.Boot;
import dev.ron.simulator.engine.Machine;
import dev.ron.simulator.engine.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One machine's part in a group: what its log has on the disk, and what it believes.
 *
 * <p>The log promises to be on the disk before it answers, so it outlives every boot.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
final class LogMember {
  final Machine machine;

  // ---- on the disk

  /** The first is at index {@code first}. */
  final List<LogEntry> entries = new ArrayList<>();

  long first;

  /** Of the entry before {@code first}. */
  long baseTerm;

  long term;
  @Nullable Kept kept;

  /** False from the time its disk is emptied until it has caught up. */
  boolean voter = true;

  // ---- of this boot

  Boot boot;
  @Nullable RaftStateMachine drives;
  boolean open;
  boolean failed;
  boolean leads;

  /** Its own first entry is applied, so it decides. */
  boolean ready;

  boolean handsOver;
  boolean fetches;
  @Nullable Thread applier;
  long committed;
  long applied;
  String leader = "";
  Instant heard = Scheduler.START;
  Instant quorumAt = Scheduler.START;

  /** While it leads: how far each machine is known to be, and what it is sent next. */
  final Map<String, Long> matched = new TreeMap<>();

  final Map<String, Long> next = new TreeMap<>();
  final Map<Long, CompletableFuture<Void>> pending = new TreeMap<>();

  /** What the state machine answered to keep, durable. */
  @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
  record Kept(byte[] bytes, long term, long index) {}

  LogMember(Machine machine) {
    this.machine = machine;
    this.boot = machine.boot();
  }

  String name() {
    return machine.name();
  }

  /** Takes part now. */
  boolean isHere() {
    return open && !boot.isOver() && !failed;
  }

  long last() {
    return first + entries.size() - 1;
  }

  long lastTerm() {
    return entries.isEmpty() ? baseTerm : entries.getLast().term();
  }

  /** Empty for an index that it does not know, or knows no more. */
  Optional<Long> termAt(long index) {
    if (index == first - 1) {
      return Optional.of(baseTerm);
    }
    return index < first || index > last()
        ? Optional.empty()
        : Optional.of(entries.get((int) (index - first)).term());
  }

  LogEntry at(long index) {
    return entries.get((int) (index - first));
  }

  /** Everything from this index on is gone. */
  void truncate(long from) {
    while (last() >= from && !entries.isEmpty()) {
      entries.removeLast();
    }
  }

  /** Lets go of what is before an index. */
  void trim(long to) {
    while (first < to && !entries.isEmpty()) {
      baseTerm = entries.removeFirst().term();
      first++;
    }
  }

  /**
   * The log begins behind a state that came from elsewhere; entries behind it that fit stay,
   * because a leader may have been told of them.
   */
  void restart(Kept state) {
    kept = state;
    if (termAt(state.index()).filter(known -> known == state.term()).isPresent()) {
      trim(state.index() + 1);
      return;
    }
    entries.clear();
    first = state.index() + 1;
    baseTerm = state.term();
  }

  /** The disk is empty. */
  void wipe() {
    entries.clear();
    first = 0;
    baseTerm = 0;
    term = 0;
    kept = null;
    voter = false;
  }
}
