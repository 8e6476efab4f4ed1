package dev.ron.storage.s3.cluster;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Reply;
import dev.ron.raft.RaftGroup;
import dev.ron.raft.RaftGroupStatus;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.NameRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the changes that this machine is asked for into the log, by whichever machine leads, and
 * answers them when this machine has applied them.
 *
 * <p>Readers wait for a batch too, which has no changes if none are asked for.
 *
 * <p>One batch at a time, with everything that has gathered meanwhile. A batch whose fate is not
 * known is sent again, as often as its requests have time, and at once to another leader: one that
 * was stopped or handed over may never answer. It counts once.
 *
 * <p>Threading: steps from one thread at a time.
 */
final class NameProposer implements Task {
  /** An entry takes more only for one command that is larger. */
  private static final int BATCH_BYTES_MAX = 2 << 20;

  /** Behind which a request was told that nothing is known; {@code Names} waits as long. */
  private static final Duration GIVE_UP = Duration.ofSeconds(30);

  /** Longer than an election takes; what was never sent is refused then. */
  private static final Duration NO_LEADER = Duration.ofSeconds(10);

  private static final Duration REST = Duration.ofMillis(50);
  private static final Duration SILENCE = Duration.ofSeconds(5);

  /** How soon another leader is seen, while the one that was asked says nothing. */
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Scope scope;
  private final Channel<NameRequest> inbox;
  private final NameBarrier barrier;
  private final NameReplica replica;
  private final Supplier<RaftGroup> group;
  private final Watch<Long> failures;
  private final long nonce;
  private final ArrayDeque<Encoded> waiting = new ArrayDeque<>();
  private @Nullable Sent sent;
  private long number;

  private record Encoded(NameRequest request, NameBatch.Item item) {}

  /** Which machine leads, and since when. */
  private record Leadership(String leader, long term) {
    static Optional<Leadership> of(RaftGroupStatus status) {
      return status.quorum()
          ? status.leader().map(leader -> new Leadership(leader, status.term()))
          : Optional.empty();
    }
  }

  /** The batch that is on its way. */
  private static final class Sent {
    private final List<Encoded> items;
    private final @Nullable Reply<Boolean> readers;
    private final NameReplica.Pending pending;
    private final Instant begun;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicBoolean told = new AtomicBoolean();
    private boolean left;
    private Optional<Leadership> to = Optional.empty();
    private Instant again;
    private Instant look;

    private Sent(
        List<Encoded> items,
        @Nullable Reply<Boolean> readers,
        NameReplica.Pending pending,
        Instant begun) {
      this.items = items;
      this.readers = readers;
      this.pending = pending;
      this.begun = begun;
      this.again = begun;
      this.look = begun.plus(LOOK);
    }

    private boolean end(boolean passed) {
      if (readers != null) {
        readers.answer(passed);
      }
      return true;
    }
  }

  NameProposer(
      Scope scope,
      Channel<NameRequest> inbox,
      NameBarrier barrier,
      NameReplica replica,
      Supplier<RaftGroup> group,
      Watch<Long> failures) {
    this.scope = scope;
    this.inbox = inbox;
    this.barrier = barrier;
    this.replica = replica;
    this.group = group;
    this.failures = failures;
    this.nonce = scope.secrets().nextLong();
  }

  @Override
  public Next run(Instant now) throws IOException {
    Watch.Version<Long> applied = replica.changes().latest();
    Watch.Version<Long> failure = failures.latest();
    Watch.Version<Long> wanted = barrier.wanted().latest();
    if (sent == null && !begin(now)) {
      return Next.await(inbox, barrier.wanted().after(wanted));
    }
    Sent batch = sent;
    if (batch == null || settled(batch, now)) {
      sent = null;
      replica.expect(null);
      return Next.again();
    }
    if (batch.failed.compareAndSet(true, false)) {
      batch.again = now.plus(REST);
    }
    if (!now.isBefore(batch.again) || hasAnotherLeader(batch, now)) {
      send(batch, now);
    }
    return new Next.Await(
        List.of(replica.changes().after(applied), failures.after(failure)),
        batch.look.isBefore(batch.again) ? batch.look : batch.again);
  }

  private boolean hasAnotherLeader(Sent batch, Instant now) {
    if (now.isBefore(batch.look)) {
      return false;
    }
    batch.look = now.plus(LOOK);
    Optional<Leadership> leader = Leadership.of(group.get().status());
    return batch.left && leader.isPresent() && !leader.equals(batch.to);
  }

  /** False if nothing is asked for. */
  private boolean begin(Instant now) {
    if (waiting.isEmpty()) {
      for (NameRequest request : inbox.receiveBatch(NameReplica.ITEMS_MAX)) {
        request.reply().begin();
        waiting.add(new Encoded(request, NameBatch.Item.of(request)));
      }
    }
    Reply<Boolean> readers = barrier.take();
    if (waiting.isEmpty() && readers == null) {
      return false;
    }
    var items = new ArrayList<Encoded>();
    long bytes = 0;
    while (!waiting.isEmpty()
        && (items.isEmpty() || bytes + size(waiting.peek()) <= BATCH_BYTES_MAX)) {
      Encoded next = waiting.remove();
      bytes += size(next);
      items.add(next);
    }
    number++;
    sent = new Sent(items, readers, new NameReplica.Pending(nonce, number), now);
    replica.expect(sent.pending);
    return true;
  }

  private static long size(@Nullable Encoded item) {
    return item == null ? 0 : item.item().command().length;
  }

  /** Whether its requests were answered. */
  private boolean settled(Sent batch, Instant now) {
    List<NameOutcome> outcomes = batch.pending.outcomes().get();
    if (outcomes != null) {
      for (int i = 0; i < outcomes.size(); i++) {
        batch.items.get(i).request().answer(outcomes.get(i));
      }
      return batch.end(true);
    }
    boolean late = !now.isBefore(batch.begun.plus(NO_LEADER));
    if (!batch.left && (late || barrier.isLeaderless())) {
      batch.items.forEach(
          each ->
              each.request()
                  .refuse(new S3Fault.SlowDown("no machine leads just now", S3Fault.REST)));
      return batch.end(false);
    }
    if (!now.isBefore(batch.begun.plus(GIVE_UP))) {
      batch.items.forEach(each -> each.request().lose());
      return batch.end(false);
    }
    return false;
  }

  private void send(Sent batch, Instant now) throws IOException {
    Optional<NameBatch.Sender> last = replica.sender();
    long run =
        last.isEmpty() ? 1 : last.get().nonce() == nonce ? last.get().run() : last.get().run() + 1;
    var entry =
        new NameBatch(
            replica.machine(),
            run,
            nonce,
            batch.pending.number(),
            batch.items.stream().map(Encoded::item).toList());
    batch.again = now.plus(SILENCE);
    batch.look = now.plus(LOOK);
    batch.to = Leadership.of(group.get().status());
    try {
      var _ =
          group
              .get()
              .proposeToLeader(entry.encode())
              .whenComplete((_, failed) -> ended(batch, failed));
      batch.left = true;
    } catch (IOException | RuntimeException failed) {
      batch.again = now.plus(REST);
    }
  }

  /** Told once for a batch: until another machine leads it fails twenty times a second. */
  private void ended(Sent batch, @Nullable Throwable failed) {
    if (failed != null) {
      if (batch.told.compareAndSet(false, true)) {
        scope.log().warn("proposal-failed", "why", failed.toString());
      }
      batch.failed.set(true);
      failures.set(batch.pending.number());
    }
  }
}
