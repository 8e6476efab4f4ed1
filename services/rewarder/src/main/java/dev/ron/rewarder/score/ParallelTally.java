package dev.ron.rewarder.score;

import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderFaultException;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.core.score.ScoreParts;
import dev.ron.rewarder.core.score.ScoreTable;
import dev.ron.rewarder.core.score.SortedScores;
import dev.ron.rewarder.core.score.Tally;
import dev.ron.rewarder.input.LineBlocks;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One accounting input while several workers add it up.
 *
 * <p>The worker that leads cuts the input into pieces and offers each to the idle workers; what
 * none of them takes it counts itself. Each piece goes to some tally and all tallies are added up
 * in the end, so nothing depends on which worker counted what. At the end the leader counts the
 * pieces that are left and waits only for those that a worker has begun, so that full pools cannot
 * deadlock.
 *
 * <p>A sum that lacks a piece looks like any other, and the calculus would share the pool out by
 * it. So nothing is summed up before the counts agree: every piece handed out was counted, every
 * tally is back, and the tallies have as many lines as the pieces.
 *
 * <p>Threading: thread-safe; {@code lock} guards the tallies and what is known of pieces.
 */
public final class ParallelTally {
  private final Channel<TallyPiece> offers;
  private final SpilledScores spilled;
  private final Policy policy;
  private final long tableBytesMax;
  private final AtomicLong progress;
  private final BooleanSupplier wanted;
  private final Time time;
  private volatile Gate counted;
  private volatile boolean passesUnknown;
  private final AtomicInteger open = new AtomicInteger(1);
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Tally> idle = new ArrayDeque<>();
  private final List<SpilledScores.Spill> spills = new ArrayList<>();
  private final ArrayDeque<byte[]> spare = new ArrayDeque<>();
  private final TreeMap<Integer, Long> linesByPiece = new TreeMap<>();
  private int pieces;
  private int tallies;
  private long lines;
  private int spillNumber;
  private volatile int stopAfter = Integer.MAX_VALUE;
  private @Nullable LineFault fault;
  private @Nullable Throwable failure;

  /** A piece with its place in the input. */
  public record TallyPiece(ParallelTally reading, int number, AccountingPiece piece) {
    public void count() {
      reading.count(this);
    }

    /** No worker will get it: a shutdown has emptied the queue. */
    public void drop() {
      reading.failed(number, new IOException("the rewarder is shutting down"));
      reading.ended();
    }
  }

  /**
   * @param tableBytesMax a worker's table that is larger is spilled
   * @param progress counts lines, for status requests
   * @param wanted false once no request waits for the result: then no more pieces are needed
   */
  public ParallelTally(
      Policy policy,
      SpilledScores spilled,
      long tableBytesMax,
      Channel<TallyPiece> offers,
      AtomicLong progress,
      BooleanSupplier wanted,
      Time time) {
    this.policy = policy;
    this.spilled = spilled;
    this.tableBytesMax = tableBytesMax;
    this.offers = offers;
    this.progress = progress;
    this.wanted = wanted;
    this.time = time;
    this.counted = new Gate(time);
  }

  /**
   * What follows is what a node counted: it counts more than a policy weighs, and what has no
   * weight counts nothing. To be said before the first piece.
   */
  void countedByNodes() {
    passesUnknown = true;
  }

  /** A new input whose lines are added to the others. */
  void begin() {
    linesByPiece.clear();
    pieces = 0;
    open.set(1);
    counted = new Gate(time);
  }

  /** Hands a piece on or counts it; false if there is no use in more. */
  boolean offer(AccountingPiece piece) throws IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("cancelled while reading");
    }
    if (!wanted.getAsBoolean()) {
      throw new RewarderFaultException(
          new RewarderFault.Unavailable("nobody waits for the result any more"));
    }
    var offered = new TallyPiece(this, pieces++, piece);
    open.incrementAndGet();
    if (!(offers.trySend(offered) instanceof SendResult.Sent)) {
      offered.count();
    }
    return stopAfter == Integer.MAX_VALUE;
  }

  private void count(TallyPiece offered) {
    try {
      if (offered.number() < stopAfter) {
        Tally tally = take();
        long before = tally.lines();
        LineFault wrong = offered.piece().count(tally);
        long counts = tally.lines() - before;
        progress.addAndGet(counts);
        if (tally.bytes() > tableBytesMax) {
          spill(tally.scores());
        }
        done(offered.number(), tally, counts, wrong);
      }
    } catch (IOException | RuntimeException broken) {
      failed(offered.number(), broken);
    } catch (Error broken) {
      // The run fails with it, and so does this worker: its supervisor starts it anew.
      failed(offered.number(), broken);
      throw broken;
    } finally {
      ended();
    }
  }

  private void ended() {
    if (open.decrementAndGet() == 0) {
      counted.open();
    }
  }

  /** A block's buffer, used before if possible. */
  byte[] buffer() {
    lock.lock();
    try {
      byte[] used = spare.poll();
      return used == null ? new byte[LineBlocks.BLOCK_BYTES] : used;
    } finally {
      lock.unlock();
    }
  }

  /** There are never more than blocks under way at one time. */
  void recycle(byte[] buffer) {
    lock.lock();
    try {
      spare.push(buffer);
    } finally {
      lock.unlock();
    }
  }

  private Tally take() {
    lock.lock();
    try {
      Tally free = idle.poll();
      if (free == null) {
        free = new Tally(policy, tableBytesMax, passesUnknown);
        tallies++;
      }
      return free;
    } finally {
      lock.unlock();
    }
  }

  private void done(int number, Tally tally, long counts, @Nullable LineFault wrong) {
    lock.lock();
    try {
      idle.push(tally);
      linesByPiece.put(number, counts);
      lines += counts;
      if (wrong != null && number < stopAfter) {
        stopAfter = number;
        fault = wrong;
      }
    } finally {
      lock.unlock();
    }
  }

  private void failed(int number, Throwable broken) {
    lock.lock();
    try {
      failure = broken;
      stopAfter = Math.min(stopAfter, number);
    } finally {
      lock.unlock();
    }
  }

  private void spill(ScoreParts scores) throws IOException {
    int number;
    lock.lock();
    try {
      number = spillNumber++;
    } finally {
      lock.unlock();
    }
    SpilledScores.Spill spill = spilled.spill(scores, number);
    scores.clear();
    lock.lock();
    try {
      spills.add(spill);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for all pieces; the fault of the first wrong line, by its number in the whole input. */
  Optional<LineFault> end(long linesBefore) throws IOException, InterruptedException {
    for (TallyPiece left = offers.tryReceive(); left != null; left = offers.tryReceive()) {
      left.count();
    }
    ended();
    counted.await(Deadline.NEVER);
    switch (failure) {
      case null -> {}
      case IOException broken -> throw broken;
      case RuntimeException broken -> throw broken;
      default -> throw new IOException("a piece of the accounting was not counted", failure);
    }
    int whole = Math.min(pieces, stopAfter);
    int seen = linesByPiece.headMap(whole).size();
    if (seen != whole) {
      throw new IllegalStateException("%d of %d pieces were counted".formatted(seen, whole));
    }
    LineFault wrong = fault;
    if (wrong == null) {
      return Optional.empty();
    }
    long before = linesByPiece.headMap(stopAfter).values().stream().mapToLong(n -> n).sum();
    return Optional.of(wrong.after(linesBefore + before));
  }

  /** The scores of all that was counted. */
  public ScoreCursor.Source scores() throws IOException {
    long told = idle.stream().mapToLong(Tally::lines).sum();
    if (idle.size() != tallies || told != lines) {
      throw new IllegalStateException(
          "%d of %d tallies have %d of %d lines".formatted(idle.size(), tallies, told, lines));
    }
    var tallied = new ArrayList<ScoreParts>();
    idle.forEach(tally -> tallied.add(tally.scores()));
    if (!spills.isEmpty()) {
      boolean overflowed = false;
      for (ScoreParts scores : tallied) {
        spill(scores);
        overflowed |= scores.overflowed();
      }
      idle.clear();
      return spilled.merge(spills, overflowed);
    }
    if (tallied.isEmpty()) {
      return new SortedScores(new ScoreTable(policy.pools().size()));
    }
    tallied.sort(Comparator.comparingLong(ScoreParts::size).reversed());
    ScoreParts all = tallied.removeFirst();
    tallied.forEach(all::addAll);
    return new SortedScores(all);
  }
}
