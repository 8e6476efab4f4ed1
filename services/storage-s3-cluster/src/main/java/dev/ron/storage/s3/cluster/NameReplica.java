package dev.ron.storage.s3.cluster;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.raft.RaftEntry;
import dev.ron.raft.RaftStateMachine;
import dev.ron.storage.s3.names.NameApplier;
import dev.ron.storage.s3.names.NameCommandCodec;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.RowKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All names on this machine, brought along by the log that the machines agree on.
 *
 * <p>Every machine decides every change, each the same. So a machine that had one proposed by
 * another learns what came of it from its own rows, when they have it.
 *
 * <p>A position of the rows is the index of an entry and the place of a command in it, so that an
 * entry of which a part is in the rows goes on behind that part.
 *
 * <p>Threading: as {@link RaftStateMachine} says; {@code applier} is owned by the log's thread.
 */
public final class NameReplica implements RaftStateMachine {
  /** The bits of a position that are the place in an entry; the last place is the entry's end. */
  private static final int PLACE_BITS = 16;

  private static final long END = (1L << PLACE_BITS) - 1;
  static final int ITEMS_MAX = 512;
  private static final int ANSWERS_MAX = 4;

  private final Scope scope;
  private final String machine;
  private final ReplicatedRows rows;
  private final RowTransfer transfer;
  private final AloneRows alone;
  private final Semaphore answers = new Semaphore(ANSWERS_MAX);
  private final Watch<Long> changes;
  private final AtomicReference<@Nullable Pending> pending = new AtomicReference<>();
  private volatile PeerCall peerCall =
      (_, _) -> {
        throw new IOException("not open yet");
      };
  private volatile Runnable tellFollowers = () -> {};
  private volatile Position applied = new Position(0, -1);
  private volatile boolean leads;
  private final Supplier<NameApplier> appliers;
  private NameApplier applier;

  /** An entry of the log. */
  record Position(long term, long index) {}

  /**
   * A batch of this machine that is on its way.
   *
   * @param outcomes empty until it is applied here
   */
  record Pending(long nonce, long number, AtomicReference<@Nullable List<NameOutcome>> outcomes) {
    Pending(long nonce, long number) {
      this(nonce, number, new AtomicReference<>());
    }
  }

  /** Asks one machine of the group; set when there are machines to ask. */
  @FunctionalInterface
  interface PeerCall {
    byte[] ask(String machine, byte[] question) throws IOException, InterruptedException;
  }

  /**
   * @param appliers makes what brings the log into the rows, anew after they were replaced
   */
  NameReplica(
      Scope scope,
      String machine,
      ReplicatedRows rows,
      AloneRows alone,
      Supplier<NameApplier> appliers) {
    this.scope = scope;
    this.machine = machine;
    this.rows = rows;
    this.alone = alone;
    this.transfer = new RowTransfer(scope.disk(), rows);
    this.changes = Watch.of(scope, "names-applied", 0L);
    this.appliers = appliers;
    this.applier = appliers.get();
  }

  /**
   * @param ask asks one machine
   * @param tell lets the others know at once what this machine, which leads, has applied
   */
  void open(PeerCall ask, Runnable tell) {
    peerCall = ask;
    tellFollowers = tell;
  }

  String machine() {
    return machine;
  }

  /** Whether this machine leads, as far as it knows. */
  boolean leads() {
    return leads;
  }

  /** Changes when a batch of this machine was applied. */
  Watch<Long> changes() {
    return changes;
  }

  /** Has the outcomes of a batch put there when it is applied. */
  void expect(@Nullable Pending batch) {
    pending.set(batch);
  }

  /** The last batch of this machine that counted. */
  Optional<NameBatch.Sender> sender() throws IOException {
    return rows.row(RowKeys.sender(machine)).map(NameBatch.Sender::of);
  }

  // ---- what Raft says

  @Override
  public void start(byte[] kept, long term, long index) throws IOException {
    if (rows.install()) {
      scope.log().info("rows-installed", "applied", rows.appliedIndex() >> PLACE_BITS);
    }
    applier = appliers.get();
    applied = new Position(term, index);
    long known = kept.length == 0 ? -1 : ByteBuffer.wrap(kept).getLong();
    if (rows.appliedIndex() < known) {
      throw new IOException(
          "the rows of all names end before the log begins: empty the folder of names and join"
              + " again");
    }
    if (kept.length > 0) {
      alone.remove();
    }
  }

  /** Rows of a machine alone come before the first entry, whose positions are behind theirs. */
  @Override
  public Optional<Fetched> founded() throws IOException {
    if (!alone.isAdopted()) {
      return Optional.empty();
    }
    long last = (rows.appliedIndex() >> PLACE_BITS) + 1;
    return Optional.of(new Fetched(1, last, ByteBuffer.allocate(Long.BYTES).putLong(-1).array()));
  }

  @Override
  public void apply(RaftEntry entry) {
    long first = entry.index() << PLACE_BITS;
    if (applier.decided() < first + END) {
      NameBatch batch = NameBatch.decode(entry.bytes());
      take(batch, first);
      if (leads && !batch.machine().equals(machine)) {
        tellFollowers.run();
      }
    }
    applied = new Position(entry.term(), entry.index());
  }

  private void take(NameBatch batch, long first) {
    byte[] row = RowKeys.sender(batch.machine());
    if (!batch.counts(applier.row(row).map(NameBatch.Sender::of))) {
      return;
    }
    long decided = applier.decided();
    var outcomes = new ArrayList<NameOutcome>(batch.items().size());
    for (int i = 0; i < batch.items().size(); i++) {
      long position = first + i + 1;
      NameBatch.Item item = batch.items().get(i);
      if (position > decided) {
        outcomes.add(
            applier.decide(NameCommandCodec.command(item.command()), item.since(), position));
      }
    }
    applier.note(row, batch.sender().bytes(), first + END);
    applier.bringIn();
    answer(batch, outcomes);
  }

  private void answer(NameBatch batch, List<NameOutcome> outcomes) {
    Pending waits = pending.get();
    if (waits != null
        && waits.nonce() == batch.nonce()
        && waits.number() == batch.number()
        && outcomes.size() == batch.items().size()) {
      waits.outcomes().set(outcomes);
      changes.set(batch.number());
    }
  }

  @Override
  public void pass(long term, long index) {
    applied = new Position(term, index);
  }

  @Override
  public void lead(long term) {
    leads = true;
  }

  @Override
  public void follow() {
    leads = false;
  }

  @Override
  public byte[] keep() throws IOException {
    rows.flush();
    return ByteBuffer.allocate(Long.BYTES).putLong(rows.durableIndex()).array();
  }

  @Override
  public CompletableFuture<byte[]> answer(ByteBuffer question) {
    if (!question.hasRemaining()) {
      return CompletableFuture.completedFuture(new byte[0]);
    }
    if (!answers.tryAcquire()) {
      return CompletableFuture.failedFuture(new IOException("too many machines ask for rows"));
    }
    byte[] bytes = new byte[question.remaining()];
    question.get(bytes);
    var done = new CompletableFuture<byte[]>();
    scope.world().threads().start(scope.service() + "/rows", () -> answer(bytes, done));
    return done;
  }

  private void answer(byte[] question, CompletableFuture<byte[]> done) {
    try {
      done.complete(transfer.answer(question, applied));
    } catch (IOException | RuntimeException failed) {
      done.completeExceptionally(failed);
    } finally {
      answers.release();
    }
  }

  @Override
  public Fetched fetch(String leader) throws IOException, InterruptedException {
    Position at = transfer.copy(question -> peerCall.ask(leader, question));
    scope.log().info("rows-fetched", "from", leader, "index", at.index());
    return new Fetched(at.term(), at.index(), ByteBuffer.allocate(Long.BYTES).putLong(-1).array());
  }
}
