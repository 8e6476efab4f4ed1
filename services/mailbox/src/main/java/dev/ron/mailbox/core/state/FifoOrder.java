package dev.ron.mailbox.core.state;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The ready messages of a FIFO queue: one group after the other, and none of a group that is
 * blocked.
 *
 * <p>A group stands in line while its oldest message is ready and nothing older of it is in flight
 * or delayed. One that was served leaves the line, and comes to its end when it is open again.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class FifoOrder implements ReadyTopics.Order {
  /** Those that are open, in line. */
  private final LinkedHashSet<MessageGroup> turns = new LinkedHashSet<>();

  /** Those that have something ready, open or blocked. */
  private final Set<MessageGroup> lanes = new HashSet<>();

  @Override
  public void offer(MessageGroup lane, long number) {
    lane.ready().put(number);
    admit(lane);
  }

  @Override
  public void admit(MessageGroup lane) {
    lanes.add(lane);
    review(lane);
  }

  @Override
  public OptionalLong first() {
    return turns.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(turns.getFirst().ready().first());
  }

  @Override
  public boolean pays(MessageGroup lane, long number) {
    return false;
  }

  @Override
  public void left(MessageGroup lane, boolean itsTurn) {
    lane.ready().left();
    if (lane.ready().isEmpty()) {
      lanes.remove(lane);
    }
    review(lane);
  }

  @Override
  public void review(MessageGroup lane) {
    if (lane.ready().isEmpty() || lane.blocked()) {
      turns.remove(lane);
    } else {
      turns.add(lane);
    }
  }

  @Override
  public boolean isEmpty() {
    return lanes.isEmpty();
  }

  @Override
  public OptionalLong oldest() {
    return lanes.stream().mapToLong(lane -> lane.ready().first()).min();
  }
}
