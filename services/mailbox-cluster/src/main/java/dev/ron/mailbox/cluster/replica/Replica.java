package dev.ron.mailbox.cluster.replica;

import dev.ron.journal.file.FileJournal;
import dev.ron.journal.file.FlushTask;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Watch;
import dev.ron.mailbox.cluster.protocol.FactBatch;
import dev.ron.mailbox.cluster.protocol.LeaderRequest;
import dev.ron.mailbox.journal.DiskUse;
import dev.ron.mailbox.journal.MailboxJournal;
import dev.ron.raft.RaftEntry;
import dev.ron.raft.RaftStateMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The shards of one group on this machine.
 *
 * <p>What the machines agreed on goes to this machine's own journal, at the same positions on all
 * of them, and from there to the shards. The shared log is needed only until that journal is
 * flushed; messages are read, snapshots taken and history trimmed as on a machine alone.
 *
 * <p>An entry counts only if its first fact is the next one. A leader whose proposal was refused
 * and whose later one was not leaves a gap; all machines pass over what is behind it. Nor does one
 * count that was decided in an earlier term and came to the log in a later: it would take the place
 * of what the later one decided.
 *
 * <p>Threading: as {@link RaftStateMachine} says; {@code leaderTerm} changes with a leader's term.
 */
public final class Replica implements RaftStateMachine {
  private final Scope scope;
  private final int group;
  private final List<Integer> shards;
  private final MailboxJournal journal;
  private final ReplicaJournal own;
  private final StateTransferMark mark;
  private final AloneJournal alone;
  private final LeaderTerms leaderTerms;
  private volatile Function<ByteBuffer, CompletableFuture<byte[]>> answering =
      _ -> CompletableFuture.failedFuture(new IOException("not ready"));

  /** The position after the last fact that the machines agreed on. */
  private volatile long cursor;

  private volatile PeerCall peerCall =
      (_, _) -> {
        throw new IOException("not open yet");
      };

  /** Set behind the position, so that a reader who asks for it first misses none of its facts. */
  private volatile LogPosition applied = new LogPosition(0, -1);

  /** An entry of the log. */
  record LogPosition(long term, long index) {}

  public Replica(
      Scope scope,
      int group,
      List<Integer> shards,
      FileJournal local,
      StateTransferMark mark,
      AloneJournal alone,
      int shardCount,
      DiskUse use) {
    this.scope = scope;
    this.group = group;
    this.shards = List.copyOf(shards);
    this.mark = mark;
    this.alone = alone;
    this.leaderTerms = new LeaderTerms(scope, group);
    this.journal = new MailboxJournal(local, shardCount, use, leaderTerms);
    this.own = new ReplicaJournal(scope, group, shards, local, journal);
  }

  public int group() {
    return group;
  }

  public List<Integer> shards() {
    return shards;
  }

  public MailboxJournal journal() {
    return journal;
  }

  /** Makes this machine's journal of the group durable. */
  public FlushTask flushTask() {
    return own.flushTask();
  }

  Channel<ReplayBatch> replayed(int shard) {
    return own.replayed(shard);
  }

  /** Who leads here; empty when that is another machine. */
  Watch<Optional<LeaderTerm>> leaderTerm() {
    return leaderTerms.now();
  }

  /** Everything before this was handed to the shards. */
  long cursor() {
    return cursor;
  }

  public void answering(Function<ByteBuffer, CompletableFuture<byte[]>> answers) {
    answering = answers;
  }

  // ---- what Raft says

  @Override
  public void start(byte[] kept, long lastTerm, long lastIndex) throws IOException {
    applied = new LogPosition(lastTerm, lastIndex);
    cursor = kept.length == 0 ? 0 : ByteBuffer.wrap(kept).getLong();
    if (own.next() < cursor) {
      throw new IOException(
          "the journal of group %d ends at %d and the log begins at %d: empty the folder and join again"
              .formatted(group, own.next(), cursor));
    }
    if (kept.length > 0) {
      mark.remove();
      alone.remove();
    }
  }

  /** What this machine's journal held when it was alone comes before the first entry. */
  @Override
  public Optional<Fetched> founded() throws IOException {
    return alone.isAdopted()
        ? Optional.of(new Fetched(1, 0, position(own.next())))
        : Optional.empty();
  }

  private static byte[] position(long position) {
    return ByteBuffer.allocate(Long.BYTES).putLong(position).array();
  }

  @Override
  public void apply(RaftEntry entry) throws IOException, InterruptedException {
    FactBatch form = FactBatch.decode(entry.bytes());
    LeaderTerm leaderTerm = leaderTerms.now().value().orElse(null);
    if (leaderTerm != null && entry.term() != leaderTerm.term()) {
      // Before a fact of another leader is in the journal; see SnapshotTask.
      follow();
    }
    if (form.term() != entry.term() || form.first() != cursor) {
      scope.log().warn("entry-void", "group", group, "index", entry.index(), "first", form.first());
      pass(entry.term(), entry.index());
      return;
    }
    own.take(form.first(), form.records());
    cursor = form.next();
    pass(entry.term(), entry.index());
    if (leaderTerm != null && entry.term() == leaderTerm.term()) {
      leaderTerm.committed(cursor);
    }
  }

  @Override
  public void lead(long newTerm) {
    if (own.next() > cursor) {
      throw new IllegalStateException(
          "the journal of group %d knows %d facts and the log %d"
              .formatted(group, own.next(), cursor));
    }
    leaderTerms.begin(newTerm, cursor);
  }

  @Override
  public void follow() {
    leaderTerms.end();
  }

  /** Ends a term that cannot go on, though this machine may still be Raft's leader. */
  void endTerm(LeaderTerm leaderTerm) {
    leaderTerms.end(leaderTerm);
  }

  @Override
  public byte[] keep() throws IOException {
    own.flush(own.next());
    return position(cursor);
  }

  void flush(long position) throws IOException {
    own.flush(position);
  }

  @Override
  public CompletableFuture<byte[]> answer(ByteBuffer question) {
    return answering.apply(question);
  }

  /**
   * Only into an empty journal: what is in one that is not may never have been agreed on. A copy
   * that was broken off goes on, and after a restart begins anew.
   */
  @Override
  public Fetched fetch(String leader) throws IOException, InterruptedException {
    Optional<String> copied = mark.finished();
    if (copied.isEmpty()) {
      if (own.next() != 0 && !own.copying()) {
        throw new IOException(
            "the log that group %d needs is gone: empty this machine's folder and join again"
                .formatted(group));
      }
      mark.begin();
      StateTransfer.Head head =
          own.copy(part -> peerCall.ask(leader, LeaderRequest.encode(part, "")), this);
      mark.finish(head.text());
      copied = mark.finished();
    }
    StateTransfer.Head head = StateTransfer.Head.parse(copied.orElseThrow());
    scope.log().info("fetched", "group", group, "from", leader, "records", head.next());
    return new Fetched(head.term(), head.index(), position(head.next()));
  }

  /** Asks one machine of the group; set when there are machines to ask. */
  @FunctionalInterface
  public interface PeerCall {
    byte[] ask(String machine, byte[] question) throws IOException, InterruptedException;
  }

  public void peerCall(PeerCall how) {
    peerCall = how;
  }

  @Override
  public void pass(long term, long index) {
    applied = new LogPosition(term, index);
  }

  /** The last entry whose facts were all handed to the shards. */
  LogPosition applied() {
    return applied;
  }

  /** A part of the state is on its way: no snapshot and no trim for a while. */
  void hold() {
    leaderTerms.hold();
  }

  /** Whether this machine decides for the group's shards. */
  public boolean decides() {
    return leaderTerms.decides();
  }
}
