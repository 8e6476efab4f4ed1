package dev.ron.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One log that several machines keep, as this machine takes part in it.
 *
 * <p>Threading: thread-safe; proposals of one term must come from one thread to be in its order.
 */
public interface RaftGroup {
  int number();

  /**
   * Puts an entry behind all that were proposed before; on the leader only.
   *
   * <p>Returns when it has its place in this machine's log. The future ends when it is applied
   * here; if that fails, whether it will be applied is not known.
   */
  CompletableFuture<Void> propose(ByteBuffer bytes) throws IOException;

  /**
   * Has the machine that leads propose an entry; fails at once if none is known. The future ends
   * when it is applied there; if that fails, whether it will be applied is not known.
   */
  CompletableFuture<Void> proposeToLeader(ByteBuffer bytes) throws IOException;

  /**
   * Tells the others how far the log is agreed on, now and not with the next heartbeat; on the
   * leader, in groups that are {@code prompt}. The state machine is asked an empty question by it.
   */
  void tellFollowers() throws IOException;

  /** Asks the machine that leads; fails at once if none is known. */
  CompletableFuture<byte[]> ask(byte[] question);

  /** Asks one machine, which answers only if it leads. */
  CompletableFuture<byte[]> ask(String peer, byte[] question);

  /**
   * The machine that leads and was heard of lately; every request asks, so the answer may be a few
   * milliseconds old.
   */
  Optional<String> leader();

  RaftGroupStatus status();

  /**
   * Makes another machine lead, at the first try or not at all: a leader refuses what comes while
   * it hands over, so one that cannot must not go on trying.
   */
  void transfer(String to, Duration limit) throws IOException;

  /** Makes room for an election; on the leader. */
  void stepDown() throws IOException;

  /** Whether it leads and takes no change. */
  boolean refuses() throws IOException;

  /**
   * Replaces the machines of the group; a new one is brought up to date before it counts. Waits
   * while the leader hands over, because it takes no change meanwhile.
   */
  void change(Map<String, String> peers) throws IOException, InterruptedException;
}
