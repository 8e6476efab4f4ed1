package dev.ron.storage.cluster.reference;

import dev.ron.blake3.Address;
import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.node.Fanout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the owners of objects, by what enough machines say.
 *
 * <p>Threading: thread-safe; the counter of ballots is atomic.
 */
final class ReferenceQuorum {
  private static final int TRIES_MAX = 24;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long REST_MILLIS = 8;

  /** A machine that starts becomes level within moments, if the others answer. */
  private static final Duration LEVEL_PATIENCE = Duration.ofSeconds(3);

  private final String node;
  private final ReferenceGroup group;
  private final Fanout fanout;
  private final Time time;
  private final RandomGenerator random;
  private final AtomicLong counter = new AtomicLong(Ballot.FOUNDING);

  ReferenceQuorum(String node, ReferenceGroup group, Scope scope) {
    this.node = node;
    this.group = group;
    this.fanout = new Fanout(scope.world().threads(), scope.time(), Fanout.LIMIT);
    this.time = scope.time();
    this.random = scope.secrets();
  }

  /** What the owners are to be. */
  @FunctionalInterface
  interface Change {
    /**
     * Asked once no earlier proposal can be decided any more; again, if this one came to nothing.
     *
     * @return a fault to leave everything as it is
     */
    Next from(Owners now) throws InterruptedException;
  }

  /** What a change leads to, or why it must not be. */
  record Next(@Nullable Owners owners, @Nullable StorageFault fault) {
    static Next of(Owners owners) {
      return new Next(owners, null);
    }

    static Next refused(StorageFault fault) {
      return new Next(null, fault);
    }
  }

  /**
   * What was decided.
   *
   * @param fault why nothing was, as far as is known; the rest says nothing then
   */
  record Decision(Owners before, Owners after, @Nullable StorageFault fault) {
    private static Decision failed(StorageFault fault) {
      return new Decision(Owners.ABSENT, Owners.ABSENT, fault);
    }
  }

  /**
   * The owners of objects; those of which nothing is recorded are not among them.
   *
   * @param pages what each machine said, of which the latest counts
   */
  record Answer(
      Map<Address, Owners> owners, List<ReferenceNode.Page> pages, @Nullable StorageFault fault) {
    Owners of(Address address) {
      return owners.getOrDefault(address, Owners.ABSENT);
    }

    /** Whether all machines that answered have the same record of it, or none. */
    boolean isAgreed(Address address) {
      return pages.stream()
              .map(page -> page.records().stream().filter(each -> each.address().equals(address)))
              .map(Stream::findFirst)
              .distinct()
              .count()
          == 1;
    }
  }

  /** What was decided before this began is in it. */
  Answer read(List<Address> addresses) throws InterruptedException {
    Instant patience = time.now().plus(LEVEL_PATIENCE);
    while (true) {
      ReferenceGroup.Roster now = group.now();
      int enough = Proposal.readers(now.size());
      var answers =
          fanout.until(
              now.here(),
              each -> each.read(addresses),
              all -> all.stream().filter(ReferenceQuorum::isLevel).count() >= enough);
      var latest = new HashMap<Address, OwnerRecord>();
      var pages = new ArrayList<ReferenceNode.Page>();
      int silent = 0;
      for (var answer : answers) {
        ReferenceNode.Page page = answer.value();
        if (isLevel(answer) && page != null) {
          pages.add(page);
          page.records().forEach(each -> latest.merge(each.address(), each, Proposal::later));
        } else if (page == null) {
          silent++;
        }
      }
      int level = pages.size();
      if (level >= enough && group.unknown().isEmpty()) {
        var owners = new HashMap<Address, Owners>();
        latest.forEach((address, record) -> owners.put(address, record.owners()));
        return new Answer(owners, pages, null);
      }
      if (level + silent >= now.here().size() || !rest(patience, 1)) {
        return new Answer(Map.of(), List.of(), unsure(level, enough, now));
      }
    }
  }

  private static boolean isLevel(Fanout.Answer<ReferenceNode, ReferenceNode.Page> answer) {
    ReferenceNode.Page page = answer.value();
    return page != null && page.level();
  }

  private StorageFault unsure(int level, int enough, ReferenceGroup.Roster now) {
    return new StorageFault.Unavailable(
        group
            .unknown()
            .orElse(
                "whose objects are is known by %d of %d machines, and %d are needed; away: %s"
                    .formatted(level, now.size(), enough, now.away())));
  }

  Decision read(Address address) throws InterruptedException {
    Answer answer = read(List.of(address));
    Owners owners = answer.of(address);
    return new Decision(owners, owners, answer.fault());
  }

  /**
   * The owners as every later change finds them: what is under way below is not decided any more,
   * and what a proposal that came to nothing has left on some machines is decided or outweighed.
   *
   * <p>Nothing is written if all machines say the same. Where one is away, or has something else,
   * what follows from their records is decided.
   *
   * @param otherwise what is to be decided then; absent owners are not recorded
   */
  Decision settle(Address address, Change otherwise) throws InterruptedException {
    return propose(address, otherwise, true);
  }

  Decision change(Address address, Change change) throws InterruptedException {
    return propose(address, change, false);
  }

  /**
   * @param settles whether nothing is to be decided where all machines say the same
   */
  private Decision propose(Address address, Change change, boolean settles)
      throws InterruptedException {
    Instant until = Deadline.in(PATIENCE, time).earlier(Deadline.current()).at();
    StorageFault fault = new StorageFault.Unavailable("references cannot be changed now");
    @Nullable Owners first = null;
    for (int tries = 1; tries <= TRIES_MAX; tries++) {
      ReferenceGroup.Roster now = group.now();
      var proposal = new Proposal(address, ballot(), now.size());
      if (promises(proposal, now, settles)) {
        Owners before = proposal.current();
        if (settles && proposal.isSettled()) {
          return new Decision(before, before, null);
        }
        Next next = change.from(before);
        Owners after = next.owners();
        if (after == null) {
          return Decision.failed(
              next.fault() == null ? new StorageFault.Unavailable("refused") : next.fault());
        }
        // What a try of this change left on some machines is not what it began from.
        first = first == null ? before : first;
        if (after.isAbsent() || accepted(proposal, proposal.next(after), now)) {
          return new Decision(first, after, null);
        }
        fault =
            new StorageFault.Unavailable(
                "it is not known whether the references of %s were changed".formatted(address));
      } else if (first == null) {
        fault = unsure(0, proposal.majority(), now);
      }
      counter.accumulateAndGet(proposal.highest(), Math::max);
      if (now.here().size() < proposal.majority() || !rest(until, tries)) {
        break;
      }
    }
    return Decision.failed(fault);
  }

  private boolean promises(Proposal proposal, ReferenceGroup.Roster now, boolean ofAll)
      throws InterruptedException {
    if (group.unknown().isPresent() || now.here().size() < proposal.majority()) {
      return false;
    }
    var answers =
        fanout.until(
            now.here(),
            each -> each.prepare(proposal.address(), proposal.ballot()),
            all -> granted(all) >= proposal.majority() && !(ofAll && maySettle(all, now)));
    answers.forEach(
        answer ->
            Optional.ofNullable(answer.value())
                .ifPresent(vote -> proposal.promised(answer.node().name(), vote)));
    return proposal.isPromised();
  }

  /** Whether all machines may still turn out to say the same. */
  private static boolean maySettle(
      List<Fanout.Answer<ReferenceNode, Vote>> come, ReferenceGroup.Roster now) {
    return now.here().size() == now.size()
        && granted(come) == come.size()
        && come.stream().map(each -> record(each.value())).distinct().count() == 1;
  }

  private static Optional<OwnerRecord> record(@Nullable Vote vote) {
    return Optional.ofNullable(vote).map(Vote::record);
  }

  private boolean accepted(Proposal proposal, OwnerRecord record, ReferenceGroup.Roster now)
      throws InterruptedException {
    var answers =
        fanout.until(
            now.here(), each -> each.accept(record), all -> granted(all) >= proposal.majority());
    answers.forEach(
        answer ->
            Optional.ofNullable(answer.value())
                .ifPresent(vote -> proposal.accepted(answer.node().name(), vote)));
    return proposal.isChosen();
  }

  private static long granted(List<Fanout.Answer<ReferenceNode, Vote>> all) {
    return all.stream()
        .filter(
            answer -> {
              Vote vote = answer.value();
              return vote != null && vote.granted();
            })
        .count();
  }

  private Ballot ballot() {
    long clock = time.wall().toEpochMilli();
    return new Ballot(counter.updateAndGet(last -> Math.max(last + 1, clock)), node);
  }

  /** Longer with each try, and of no fixed length: two that disturb each other drift apart. */
  private boolean rest(Instant until, int tries) throws InterruptedException {
    long millis = 1 + random.nextLong(REST_MILLIS * Math.min(tries, 8));
    Instant at = time.now().plusMillis(millis);
    if (at.isAfter(until)) {
      return false;
    }
    time.sleepUntil(at);
    return true;
  }
}
