package dev.ron.sparkepoch;

import java.io.Serializable;
import java.util.Arrays;

/**
 * An actor's name as Spark sees it: in the unsigned order of its bytes, which is the order of
 * lines.
 *
 * <p>Threading: immutable.
 */
final class ActorKey implements Serializable, Comparable<ActorKey> {
  private static final long serialVersionUID = 1;

  private final byte[] name;

  ActorKey(byte[] buffer, int from, int length) {
    this.name = Arrays.copyOfRange(buffer, from, from + length);
  }

  /** Not to be written to. */
  byte[] name() {
    return name;
  }

  @Override
  public int compareTo(ActorKey other) {
    return Arrays.compareUnsigned(name, other.name);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ActorKey key && Arrays.equals(name, key.name);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(name);
  }
}
