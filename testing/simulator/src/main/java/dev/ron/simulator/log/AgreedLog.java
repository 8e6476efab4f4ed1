package dev.ron.simulator.log;

import dev.ron.raft.RaftStateMachine;
import dev.ron.simulator.engine.Boot;
import dev.ron.simulator.engine.Machine;
import dev.ron.simulator.engine.Network;
import dev.ron.simulator.engine.Scheduler;
import dev.ron.simulator.engine.SharedContent;
import dev.ron.simulator.engine.Violation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One group's log, in the place of Ratis: it keeps what {@link RaftStateMachine} and {@link
 * dev.ron.raft.RaftGroup} promise, and nothing that they do not.
 *
 * <p>Terms, votes, matching and majorities are those of Raft. Leaders change at any time; one that
 * is cut off goes on believing until it has missed its followers for a while; an entry that its
 * leader did not live to see agreed on comes to be or not; a proposal is refused, or fails though
 * it comes to be; followers hear late. After a start everything behind what was kept is applied
 * again.
 *
 * <p>Threading: owned by the scheduler's thread; state machines are driven on threads of their
 * machine.
 */
public final class AgreedLog implements SharedContent {
  private static final Duration TICK = Duration.ofMillis(300);

  /** One proposal in so many is refused, and one in so many fails and comes to be. */
  private static final int TROUBLE = 400;

  private final Scheduler scheduler;
  private final Network network;
  private final RandomGenerator order;
  private final int number;
  private final Duration election;
  private final LogDriver driver;
  private final Map<String, LogMember> members = new TreeMap<>();
  private final Map<Long, LogEntry> agreed = new TreeMap<>();
  private final Map<Long, String> leaders = new TreeMap<>();
  private boolean calm;

  public AgreedLog(
      Scheduler scheduler,
      Network network,
      int number,
      Collection<Machine> machines,
      Duration election,
      long trimEntries) {
    this.scheduler = scheduler;
    this.network = network;
    this.order = scheduler.order();
    this.number = number;
    this.election = election;
    this.driver = new LogDriver(this, trimEntries);
    machines.forEach(each -> members.put(each.name(), new LogMember(each)));
    tickLater();
  }

  int number() {
    return number;
  }

  Duration election() {
    return election;
  }

  Network network() {
    return network;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  LogMember member(String name) {
    LogMember found = members.get(name);
    if (found == null) {
      throw new IllegalArgumentException(name + " is none of " + members.keySet());
    }
    return found;
  }

  Collection<LogMember> members() {
    return members.values();
  }

  /** From now on no proposal is refused without a reason. */
  @Override
  public void calm() {
    calm = true;
  }

  /** A machine's disk was emptied: it counts again when it has caught up. */
  @Override
  public void wipe(String machine) {
    member(machine).wipe();
    for (LogMember each : members.values()) {
      each.matched.put(machine, -1L);
      each.next.put(machine, 0L);
    }
  }

  /** Whether a machine could be emptied and all that was agreed on would still be there. */
  @Override
  public boolean canSpare(String machine) {
    long others =
        members.values().stream()
            .filter(each -> each.voter && !each.name().equals(machine))
            .filter(LogMember::isHere)
            .count();
    return others >= majority() && member(machine).voter;
  }

  /** The log is kept apart from the machine's disk. */
  @Override
  public boolean bearsLoss() {
    return true;
  }

  @Override
  public void lead(String machine) {
    elect(machine);
  }

  /** Whether every machine takes part and has applied everything. */
  @Override
  public boolean isSettled() {
    long last = agreed.size() - 1L;
    return members.values().stream()
            .allMatch(each -> each.isHere() && each.voter && each.applied >= last)
        && members.values().stream().anyMatch(each -> each.leads && each.ready);
  }

  // ---- a machine's boot

  void open(LogMember member, RaftStateMachine drives) throws IOException {
    member.boot = member.machine.boot();
    member.drives = drives;
    member.failed = false;
    member.leads = false;
    member.ready = false;
    member.handsOver = false;
    member.fetches = false;
    member.leader = "";
    member.pending.clear();
    member.heard = scheduler.now();
    LogMember.Kept kept = member.kept;
    if (kept == null) {
      drives.start(new byte[0], 0, -1);
      member.applied = -1;
    } else {
      drives.start(kept.bytes(), kept.term(), kept.index());
      member.applied = kept.index();
    }
    member.committed = member.applied;
    member.open = true;
    member.applier =
        member.machine.threads().start("raft/apply-" + number, () -> driver.applyAll(member));
  }

  void close(LogMember member) {
    if (member.leads) {
      stepDown(member);
    }
    member.open = false;
    LockSupport.unpark(member.applier);
  }

  // ---- time

  private void tickLater() {
    scheduler.after(TICK.plusNanos(order.nextInt(100_000_000)), Boot.OUTSIDE, this::tick);
  }

  private void tick() {
    for (LogMember each : members.values()) {
      if (each.isHere() && each.leads) {
        beat(each);
      }
    }
    for (LogMember each : members.values()) {
      Duration silence = Duration.between(each.heard, scheduler.now());
      long patience = election.toMillis() + order.nextInt((int) election.toMillis());
      if (each.isHere() && !each.leads && each.voter && silence.toMillis() > patience) {
        elect(each, false);
      }
    }
    tickLater();
  }

  private void beat(LogMember leader) {
    int here = 1;
    for (LogMember each : members.values()) {
      if (each != leader && each.isHere() && network.connects(leader.machine, each.machine)) {
        if (each.term > leader.term) {
          leader.term = each.term;
          stepDown(leader);
          return;
        }
        hear(each, leader);
        here += each.voter ? 1 : 0;
        replicate(leader, each);
      }
    }
    if (here >= majority()) {
      leader.quorumAt = scheduler.now();
    } else if (Duration.between(leader.quorumAt, scheduler.now())
            .compareTo(election.multipliedBy(2))
        > 0) {
      stepDown(leader);
    }
  }

  private void hear(LogMember follower, LogMember leader) {
    follower.heard = scheduler.now();
    follower.term = Math.max(follower.term, leader.term);
    follower.leader = leader.name();
    if (follower.leads) {
      stepDown(follower);
    }
  }

  private int majority() {
    return (int) members.values().stream().filter(each -> each.voter).count() / 2 + 1;
  }

  // ---- leaders

  /** Makes a machine lead if the others would vote for it now, whatever leader there is. */
  public boolean elect(String machine) {
    LogMember candidate = member(machine);
    return candidate.isHere() && candidate.voter && !candidate.leads && elect(candidate, true);
  }

  /**
   * @param anyway also where a leader was heard of lately
   */
  private boolean elect(LogMember candidate, boolean anyway) {
    List<LogMember> voters = new ArrayList<>();
    for (LogMember each : members.values()) {
      boolean reached =
          each == candidate || (each.isHere() && network.connects(candidate.machine, each.machine));
      boolean content =
          each != candidate
              && Duration.between(each.heard, scheduler.now()).compareTo(election) < 0;
      if (each.voter && reached && (anyway || !content) && isBehind(each, candidate)) {
        voters.add(each);
      }
    }
    if (voters.size() < majority()) {
      return false;
    }
    long term = 1 + members.values().stream().mapToLong(each -> each.term).max().orElse(0);
    for (LogMember each : voters) {
      each.term = term;
      each.heard = scheduler.now();
      if (each.leads) {
        stepDown(each);
      }
    }
    begin(candidate);
    return true;
  }

  private static boolean isBehind(LogMember voter, LogMember candidate) {
    return voter.lastTerm() < candidate.lastTerm()
        || (voter.lastTerm() == candidate.lastTerm() && voter.last() <= candidate.last());
  }

  private void begin(LogMember leader) {
    String other = leaders.putIfAbsent(leader.term, leader.name());
    if (other != null) {
      throw new Violation("a term has one leader", other + " and " + leader.name());
    }
    leader.leads = true;
    leader.ready = false;
    leader.handsOver = false;
    leader.leader = leader.name();
    leader.quorumAt = scheduler.now();
    leader.matched.clear();
    leader.next.clear();
    for (LogMember each : members.values()) {
      leader.matched.put(each.name(), -1L);
      leader.next.put(each.name(), leader.last() + 1);
    }
    append(leader, null);
  }

  void stepDown(LogMember leader) {
    leader.leads = false;
    leader.ready = false;
    leader.handsOver = false;
    leader.leader = "";
    var failed = new ArrayList<>(leader.pending.values());
    leader.pending.clear();
    RaftStateMachine drives = leader.drives;
    leader
        .machine
        .threads()
        .start(
            "raft/follow-" + number,
            () -> {
              if (drives != null) {
                drives.follow();
              }
              failed.forEach(
                  each -> each.completeExceptionally(new IOException("another machine leads")));
            });
  }

  // ---- entries

  CompletableFuture<Void> propose(LogMember leader, ByteBuffer bytes) throws IOException {
    if (!leader.isHere() || !leader.leads || leader.handsOver) {
      throw new IOException(leader.name() + " does not lead group " + number);
    }
    var done = new CompletableFuture<Void>();
    if (!calm && order.nextInt(TROUBLE) == 0) {
      done.completeExceptionally(new IOException("refused, and not in the log"));
      return done;
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    long index = append(leader, copy);
    if (!calm && order.nextInt(TROUBLE) == 0) {
      done.completeExceptionally(new IOException("no answer, though it is in the log"));
    } else {
      leader.pending.put(index, done);
    }
    return done;
  }

  private long append(LogMember leader, byte @Nullable [] bytes) {
    leader.entries.add(new LogEntry(leader.term, bytes));
    long index = leader.last();
    // The disk takes its time, here and there.
    scheduler.after(
        network.delay(),
        leader.boot,
        () -> {
          if (leader.leads && leader.isHere()) {
            leader.matched.merge(leader.name(), index, Math::max);
            count(leader);
            members.values().forEach(each -> replicate(leader, each));
          }
        });
    return index;
  }

  private void replicate(LogMember leader, LogMember follower) {
    if (follower == leader || !follower.isHere() || follower.fetches) {
      return;
    }
    long from = leader.next.getOrDefault(follower.name(), leader.last() + 1);
    if (from < leader.first) {
      network.send(leader.machine, follower.machine, () -> driver.fetch(follower, leader));
      return;
    }
    long term = leader.term;
    long committed = leader.committed;
    long before = leader.termAt(from - 1).orElse(0L);
    List<LogEntry> some =
        List.copyOf(leader.entries.subList((int) (from - leader.first), leader.entries.size()));
    network.send(
        leader.machine,
        follower.machine,
        () -> receive(follower, leader, term, from, before, some, committed));
  }

  private void receive(
      LogMember follower,
      LogMember leader,
      long term,
      long from,
      long before,
      List<LogEntry> some,
      long committed) {
    if (!follower.isHere() || follower.fetches || follower.term > term) {
      return;
    }
    if (follower.leads) {
      stepDown(follower);
    }
    follower.term = term;
    follower.heard = scheduler.now();
    follower.leader = leader.name();
    boolean matches = follower.termAt(from - 1).map(known -> known == before).orElse(from == 0);
    long end = from + some.size() - 1;
    if (!matches) {
      // What it has trimmed was agreed on, so it is the same; else the leader goes back.
      long next =
          from - 1 < follower.first - 1 ? follower.first : Math.min(follower.last() + 1, from - 1);
      answer(follower, leader, term, -1, Math.max(0, next));
      return;
    }
    for (long i = from; i <= end; i++) {
      LogEntry entry = some.get((int) (i - from));
      if (i > follower.last()) {
        follower.entries.add(entry);
      } else if (i >= follower.first && follower.at(i).term() != entry.term()) {
        follower.truncate(i);
        follower.entries.add(entry);
      }
    }
    advance(follower, Math.min(committed, end));
    answer(follower, leader, term, end, end + 1);
  }

  void answer(LogMember follower, LogMember leader, long term, long matched, long next) {
    network.send(
        follower.machine,
        leader.machine,
        () -> {
          if (leader.leads && leader.term == term) {
            leader.matched.merge(follower.name(), matched, Math::max);
            leader.next.put(follower.name(), Math.max(next, 1 + matchedBy(leader, follower)));
            if (!follower.voter && matched >= leader.committed) {
              follower.voter = true;
            }
            count(leader);
          }
        });
  }

  private static long matchedBy(LogMember leader, LogMember follower) {
    return leader.matched.getOrDefault(follower.name(), -1L);
  }

  /** What a majority has, of this term, is agreed on. */
  private void count(LogMember leader) {
    for (long index = leader.last(); index > leader.committed; index--) {
      long at = index;
      long have =
          members.values().stream()
              .filter(each -> each.voter && matchedBy(leader, each) >= at)
              .count();
      if (have >= majority()) {
        if (leader.at(index).term() == leader.term) {
          advance(leader, index);
        }
        return;
      }
    }
  }

  private void advance(LogMember member, long committed) {
    if (committed > member.committed) {
      for (long i = Math.max(member.committed + 1, member.first); i <= committed; i++) {
        LogEntry before = agreed.putIfAbsent(i, member.at(i));
        if (before != null && before.term() != member.at(i).term()) {
          throw new Violation("the log keeps Raft's promise", "entry " + i + " of " + number);
        }
      }
      member.committed = committed;
      LockSupport.unpark(member.applier);
    }
  }

  void tellFollowers(LogMember leader) {
    members.values().forEach(each -> replicate(leader, each));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("group " + number + " agreed on " + agreed.size());
    for (LogMember each : members.values()) {
      text.append(
          ", %s%s%s%s%s term %d log %d..%d (%d..%d) applied %d of %d next %s matched %s"
              .formatted(
                  each.name(),
                  each.leads ? " leads" : "",
                  each.voter ? "" : " catches up",
                  each.isHere() ? "" : each.failed ? " failed" : " away",
                  each.fetches ? " fetches" : "",
                  each.term,
                  each.first,
                  each.last(),
                  each.baseTerm,
                  each.lastTerm(),
                  each.applied,
                  each.committed,
                  each.next,
                  each.matched));
    }
    return text.toString();
  }
}
