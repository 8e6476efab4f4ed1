package dev.ron.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What is kept in step on all machines of a group.
 *
 * <p>Whatever {@link #apply} does must follow from the entries before it alone, so that all
 * machines get to the same state.
 *
 * <p>Threading: {@code start}, {@code apply}, {@code lead} and {@code keep} come one at a time and
 * in order; {@code follow} and {@code answer} from any thread.
 */
public interface RaftStateMachine {
  /**
   * Before anything else, and after {@link #fetch}.
   *
   * @param kept what {@link #keep} last answered, empty for the first start
   * @param term of the last entry that is in it
   * @param index of that entry, -1 for the first start
   */
  void start(byte[] kept, long term, long index) throws IOException;

  /**
   * What this machine had before the group was founded, if the group is to begin with it: asked by
   * the founder before the first {@link #start}, which is then given it. The others fetch it.
   */
  default Optional<Fetched> founded() throws IOException {
    return Optional.empty();
  }

  /**
   * An entry that a majority has; each once since {@link #start}, in the order of the log.
   *
   * @throws Exception if this machine cannot go on; it takes no part in the group from then on
   */
  void apply(RaftEntry entry) throws Exception;

  /** An entry that concerns the group and not the machine; in order with the others. */
  default void pass(long term, long index) {}

  /** This machine leads from now on; every entry of earlier terms has been applied. */
  void lead(long term);

  /** This machine does not lead, or not any more. */
  void follow();

  /**
   * Makes durable whatever was applied, so that the log before it can go.
   *
   * @return what {@link #start} needs to go on behind the last applied entry
   */
  byte[] keep() throws IOException;

  /** Answers another machine's question; asked of the leader only. */
  CompletableFuture<byte[]> answer(ByteBuffer question);

  /**
   * This machine is so far behind that the log it needs is gone: gets the leader's state.
   *
   * @return where that state is and what {@link #start} is to be given
   */
  Fetched fetch(String leader) throws IOException, InterruptedException;

  /**
   * A state that was taken over.
   *
   * @param term of its last entry
   * @param index of its last entry
   */
  @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
  record Fetched(long term, long index, byte[] kept) {}
}
