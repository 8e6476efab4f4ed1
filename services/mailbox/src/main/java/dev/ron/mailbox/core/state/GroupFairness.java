package dev.ron.mailbox.core.state;

import java.util.ArrayDeque;
import java.util.OptionalLong;

/**
 * The ready messages of one topic, shared out between their groups by deficit round robin.
 *
 * <p>In each turn a group gains one unit and sends as long as it can pay; a message costs one unit
 * and one more for each 16 KiB. So small messages alternate between groups, large ones are paid for
 * over several turns, and a quiet group's first message waits for one message of each other group.
 * A group that has nothing left loses what it saved, or it could hoard and burst later.
 *
 * <p>Between calls the group whose turn it is can always pay for its first message: looking is then
 * free of side effects, and only the calls that change something turn the wheel.
 *
 * <p>Within a group the oldest message goes first, one that came back included.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class GroupFairness implements ReadyTopics.Order {
  private static final int UNIT_BYTES = 16 * 1024;

  private final MessageIndex index;
  private final ArrayDeque<MessageGroup> turns = new ArrayDeque<>(2);

  GroupFairness(MessageIndex index) {
    this.index = index;
  }

  private int price(long number) {
    return 1 + index.payloadBytes(number) / UNIT_BYTES;
  }

  private boolean canPay(MessageGroup lane) {
    return lane.saved >= price(lane.ready().first());
  }

  @Override
  public void offer(MessageGroup lane, long number) {
    if (lane.ready().isEmpty()) {
      lane.saved = 0;
      turns.add(lane);
    }
    lane.ready().put(number);
    turn();
  }

  @Override
  public void admit(MessageGroup lane) {
    turns.add(lane);
    turn();
  }

  @Override
  public OptionalLong first() {
    MessageGroup lane = turns.peek();
    return lane == null ? OptionalLong.empty() : OptionalLong.of(lane.ready().first());
  }

  @Override
  public boolean pays(MessageGroup lane, long number) {
    OptionalLong first = first();
    boolean itsTurn = first.isPresent() && first.getAsLong() == number;
    if (itsTurn) {
      lane.saved -= price(number);
    }
    return itsTurn;
  }

  @Override
  public void left(MessageGroup lane, boolean itsTurn) {
    lane.ready().left();
    if (lane.ready().isEmpty()) {
      turns.remove(lane);
    } else if (itsTurn && !canPay(lane)) {
      turns.add(turns.remove());
    }
    turn();
  }

  /** Turns the wheel until the group in front can pay; each turn brings each group nearer. */
  private void turn() {
    for (MessageGroup lane = turns.peek(); lane != null && !canPay(lane); lane = turns.peek()) {
      lane.saved++;
      if (!canPay(lane)) {
        turns.add(turns.remove());
      }
    }
  }

  @Override
  public void review(MessageGroup lane) {
    // A message in flight blocks no other.
  }

  @Override
  public boolean isEmpty() {
    return turns.isEmpty();
  }

  @Override
  public OptionalLong oldest() {
    return turns.stream().mapToLong(lane -> lane.ready().first()).min();
  }
}
