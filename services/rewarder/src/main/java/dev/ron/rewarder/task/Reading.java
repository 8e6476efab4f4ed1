package dev.ron.rewarder.task;

import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import dev.ron.rewarder.core.LineFault;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.ScoreParts;
import dev.ron.rewarder.core.ScoreTable;
import dev.ron.rewarder.core.SortedScores;
import dev.ron.rewarder.core.Tally;
import dev.ron.rewarder.disk.LineBlocks;
import dev.ron.rewarder.disk.SpilledScores;
import dev.ron.rewarder.disk.Turn;
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
import org.jspecify.annotations.Nullable;

/**
 * One accounting input while several workers add it up.
 *
 * <p>The worker that leads cuts the input into pieces and offers each to whoever is idle; what
 * nobody takes it counts itself. Each piece goes to some tally and all tallies are added up in the
 * end, so nothing depends on who counted what. At the end the leader counts what still lies there
 * and waits only for pieces that somebody is at, so that full pools cannot deadlock.
 *
 * <p>Threading: thread-safe; {@code lock} guards the tallies and what is known of pieces.
 */
final class Reading {
  private final Channel<Offered> offers;
  private final SpilledScores spilled;
  private final Policy policy;
  private final long tableBytesMax;
  private final AtomicLong progress;
  private final Time time;
  private volatile Gate counted;
  private final AtomicInteger open = new AtomicInteger(1);
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Tally> idle = new ArrayDeque<>();
  private final List<SpilledScores.Spill> spills = new ArrayList<>();
  private final ArrayDeque<byte[]> spare = new ArrayDeque<>();
  private final TreeMap<Integer, Long> linesByPiece = new TreeMap<>();
  private int pieces;
  private int spillNumber;
  private volatile int stopAfter = Integer.MAX_VALUE;
  private @Nullable LineFault fault;
  private @Nullable Exception failure;

  /** A piece with its place in the input. */
  record Offered(Reading reading, int number, Piece piece) {
    void count() {
      reading.count(this);
    }
  }

  /**
   * @param tableBytesMax a worker's table that is larger is spilled
   * @param progress counts lines, for whoever looks
   */
  Reading(
      Policy policy,
      SpilledScores spilled,
      long tableBytesMax,
      Channel<Offered> offers,
      AtomicLong progress,
      Time time) {
    this.policy = policy;
    this.spilled = spilled;
    this.tableBytesMax = tableBytesMax;
    this.offers = offers;
    this.progress = progress;
    this.time = time;
    this.counted = new Gate(time);
  }

  /** A new input whose lines are added to the others. */
  void begin() {
    linesByPiece.clear();
    pieces = 0;
    open.set(1);
    counted = new Gate(time);
  }

  /** Hands a piece on or counts it; false if there is no use in more. */
  boolean offer(Piece piece) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("cancelled while reading");
    }
    var offered = new Offered(this, pieces++, piece);
    open.incrementAndGet();
    if (!(offers.trySend(offered) instanceof SendResult.Sent)) {
      offered.count();
    }
    return stopAfter == Integer.MAX_VALUE;
  }

  private void count(Offered offered) {
    try {
      if (offered.number() < stopAfter) {
        Tally tally = take();
        long before = tally.lines();
        LineFault wrong = offered.piece().count(tally);
        long lines = tally.lines() - before;
        progress.addAndGet(lines);
        if (tally.bytes() > tableBytesMax) {
          spill(tally.scores());
        }
        done(offered.number(), tally, lines, wrong);
      }
    } catch (IOException | RuntimeException broken) {
      failed(offered.number(), broken);
    } finally {
      if (open.decrementAndGet() == 0) {
        counted.open();
      }
    }
    Turn.pass();
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
      return free == null ? new Tally(policy, tableBytesMax) : free;
    } finally {
      lock.unlock();
    }
  }

  private void done(int number, Tally tally, long lines, @Nullable LineFault wrong) {
    lock.lock();
    try {
      idle.push(tally);
      linesByPiece.put(number, lines);
      if (wrong != null && number < stopAfter) {
        stopAfter = number;
        fault = wrong;
      }
    } finally {
      lock.unlock();
    }
  }

  private void failed(int number, Exception broken) {
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
    for (Offered left = offers.tryReceive(); left != null; left = offers.tryReceive()) {
      left.count();
    }
    if (open.decrementAndGet() == 0) {
      counted.open();
    }
    counted.await(Deadline.NEVER);
    switch (failure) {
      case null -> {}
      case IOException broken -> throw broken;
      case RuntimeException broken -> throw broken;
      default -> throw new IllegalStateException(failure);
    }
    LineFault wrong = fault;
    if (wrong == null) {
      return Optional.empty();
    }
    long before = linesByPiece.headMap(stopAfter).values().stream().mapToLong(n -> n).sum();
    return Optional.of(wrong.after(linesBefore + before));
  }

  /** The scores of all that was counted. */
  ScoreCursor.Source scores() throws IOException {
    var tallied = new ArrayList<ScoreParts>();
    idle.forEach(tally -> tallied.add(tally.scores()));
    if (!spills.isEmpty()) {
      boolean overflowed = false;
      for (ScoreParts scores : tallied) {
        spill(scores);
        overflowed |= scores.overflowed();
      }
      idle.clear();
      ScoreCursor.Source merged = spilled.merge(spills);
      return overflowed ? new Overflowed(merged) : merged;
    }
    if (tallied.isEmpty()) {
      return new SortedScores(new ScoreTable(policy.pools().size()));
    }
    tallied.sort(Comparator.comparingLong(ScoreParts::size).reversed());
    ScoreParts all = tallied.removeFirst();
    tallied.forEach(all::addAll);
    return new SortedScores(all);
  }

  /** A sum that overflowed before it was spilled. */
  private record Overflowed(ScoreCursor.Source source) implements ScoreCursor.Source {
    @Override
    public ScoreCursor open() {
      return source.open();
    }

    @Override
    public boolean overflowed() {
      return true;
    }
  }
}
