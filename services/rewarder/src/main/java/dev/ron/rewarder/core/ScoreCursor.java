package dev.ron.rewarder.core;

/**
 * Goes through actors in the unsigned order of their UTF-8 bytes, each once, with its scores.
 *
 * <p>Threading: owned by the thread that opened it.
 */
public interface ScoreCursor extends AutoCloseable {
  /** Moves to the next actor; false if there is none. */
  boolean next();

  /** Holds the actor from {@link #actorOffset} on, until the next move. */
  byte[] actorBuffer();

  int actorOffset();

  int actorLength();

  /** The set of the actor's {@link BadLine}s. */
  int badLines();

  /** The score in one pool. */
  Wide score(int pool);

  @Override
  void close();

  /** Opens a cursor at the first actor, as often as it is asked. */
  @FunctionalInterface
  interface Source {
    ScoreCursor open();

    /** Some score was not below 2^127, so that none of them can be trusted. */
    default boolean overflowed() {
      return false;
    }
  }
}
