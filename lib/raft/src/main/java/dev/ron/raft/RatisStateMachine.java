package dev.ron.raft;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;

/**
 * Drives a {@link RaftStateMachine} by what Ratis says.
 *
 * <p>A snapshot of Ratis is a few bytes here: the machine keeps its state by itself and tells where
 * it is.
 *
 * <p>Threading: as {@link RaftStateMachine} says; Ratis applies from one thread of its own.
 */
final class RatisStateMachine extends BaseStateMachine {
  private final RaftStateMachine machine;
  private final FetchThreads threads;
  private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
  private volatile long term;

  /** Where a fetch runs. */
  interface FetchThreads {
    void start(Runnable body);
  }

  RatisStateMachine(RaftStateMachine machine, FetchThreads threads) {
    this.machine = machine;
    this.threads = threads;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage)
      throws IOException {
    getLifeCycle()
        .startAndTransition(
            () -> {
              super.initialize(server, group, raftStorage);
              storage.init(raftStorage);
              load();
            });
  }

  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
  }

  @Override
  public void reinitialize() throws IOException {
    load();
    if (getLifeCycleState() == LifeCycle.State.PAUSED) {
      getLifeCycle().transition(LifeCycle.State.STARTING);
      getLifeCycle().transition(LifeCycle.State.RUNNING);
    }
  }

  private void load() throws IOException {
    SingleFileSnapshotInfo latest = storage.loadLatestSnapshot();
    if (latest == null) {
      Optional<RaftStateMachine.Fetched> founded = machine.founded();
      if (founded.isPresent()) {
        save(TermIndex.valueOf(founded.get().term(), founded.get().index()), founded.get().kept());
        latest = storage.loadLatestSnapshot();
      }
    }
    if (latest == null) {
      machine.start(new byte[0], 0, -1);
      return;
    }
    machine.start(
        Files.readAllBytes(latest.getFile().getPath()), latest.getTerm(), latest.getIndex());
    setLastAppliedTermIndex(latest.getTermIndex());
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext context) {
    LogEntryProto entry = context.getLogEntry();
    ByteBuffer bytes = entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer();
    try {
      machine.apply(new RaftEntry(entry.getTerm(), entry.getIndex(), bytes));
    } catch (Exception failed) {
      // Thrown, not answered: Ratis would log it and go on with the next entry.
      throw new IllegalStateException("entry " + entry.getIndex() + " cannot be applied", failed);
    }
    updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    return CompletableFuture.completedFuture(Message.EMPTY);
  }

  /** Ratis says that a leader is ready from the thread that applies, behind its first entry. */
  @Override
  public void notifyLeaderReady() {
    machine.lead(term);
  }

  /** A leader's first entry is one of these; it comes just before {@link #notifyLeaderReady}. */
  @Override
  public void notifyConfigurationChanged(long newTerm, long index, RaftConfigurationProto now) {
    term = newTerm;
  }

  @Override
  public void notifyTermIndexUpdated(long newTerm, long index) {
    super.notifyTermIndexUpdated(newTerm, index);
    machine.pass(newTerm, index);
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    machine.follow();
  }

  @Override
  public CompletableFuture<Message> query(Message request) {
    return machine
        .answer(request.getContent().asReadOnlyByteBuffer())
        .thenApply(answer -> Message.valueOf(UnsafeByteOperations.unsafeWrap(answer)));
  }

  @Override
  public long takeSnapshot() throws IOException {
    TermIndex last = getLastAppliedTermIndex();
    if (last.getIndex() < 0) {
      return last.getIndex();
    }
    save(last, machine.keep());
    return last.getIndex();
  }

  /** Under another name first, so that a crash leaves all of it or nothing. */
  private void save(TermIndex at, byte[] kept) throws IOException {
    File file = storage.getSnapshotFile(at.getTerm(), at.getIndex());
    File draft = new File(file.getPath() + ".new");
    try (FileChannel out =
        FileChannel.open(
            draft.toPath(),
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      var bytes = ByteBuffer.wrap(kept);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(draft.toPath(), file.toPath(), StandardCopyOption.ATOMIC_MOVE);
    MD5Hash hash = MD5FileUtil.computeAndSaveMd5ForFile(file);
    storage.updateLatestSnapshot(
        new SingleFileSnapshotInfo(new FileInfo(file.toPath(), hash), at.getTerm(), at.getIndex()));
  }

  /** On a thread of its own, because it takes as long as the state is large. */
  @Override
  @SuppressWarnings("NullAway") // Ratis takes null for: nothing was installed
  public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
      RoleInfoProto role, TermIndex firstInLog) {
    if (firstInLog.getIndex() <= getLastAppliedTermIndex().getIndex() + 1) {
      // A machine that joins is always told; this one gets along with the log.
      return CompletableFuture.completedFuture(null);
    }
    String leader = role.getFollowerInfo().getLeaderInfo().getId().getId().toStringUtf8();
    var done = new CompletableFuture<TermIndex>();
    threads.start(
        () -> {
          try {
            RaftStateMachine.Fetched fetched = machine.fetch(leader);
            TermIndex at = TermIndex.valueOf(fetched.term(), fetched.index());
            save(at, fetched.kept());
            done.complete(at);
          } catch (IOException | RuntimeException failed) {
            done.completeExceptionally(failed);
          } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            done.completeExceptionally(stop);
          } catch (Error broken) {
            // Ratis waits for an answer, and asks for no other fetch before it has one.
            done.completeExceptionally(broken);
            throw broken;
          }
        });
    return done;
  }

  @Override
  public StateMachineStorage getStateMachineStorage() {
    return storage;
  }
}
