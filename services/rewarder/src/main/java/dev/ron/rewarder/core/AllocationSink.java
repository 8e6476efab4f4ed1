package dev.ron.rewarder.core;

/** Takes what the calculus gives, in the order of actors. */
public interface AllocationSink {
  /** The actor at the cursor gets {@code amount}, which may be zero. */
  void allocate(ScoreCursor at, Wide amount);

  /** The actor at the cursor would get {@code amount}, which is held. */
  void hold(ScoreCursor at, Wide amount);
}
