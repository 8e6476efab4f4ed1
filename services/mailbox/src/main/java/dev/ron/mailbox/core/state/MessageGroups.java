package dev.ron.mailbox.core.state;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a shard by number, so that a message names its topic and group in four bytes.
 *
 * <p>Numbers of lanes that ended are used again.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class MessageGroups {
  private final MessageIndex index;
  private final Map<MessageGroupName, MessageGroup> byName = new HashMap<>();
  private final List<@Nullable MessageGroup> byNumber = new ArrayList<>();
  private final ArrayDeque<Integer> free = new ArrayDeque<>();

  /** The last topic that a lane was made for: groups of one share its text. */
  private String lastTopic = "";

  private long handedOutBytes;

  MessageGroups(MessageIndex index) {
    this.index = index;
  }

  /** One with the lanes of a snapshot, each under its number; null where there was none. */
  MessageGroups(MessageIndex index, List<@Nullable MessageGroupName> names) {
    this(index);
    for (int i = 0; i < names.size(); i++) {
      MessageGroupName name = names.get(i);
      if (name == null) {
        byNumber.add(null);
        free.add(i);
      } else {
        put(i, name);
      }
    }
  }

  private MessageGroup put(int number, MessageGroupName name) {
    lastTopic = name.topic().equals(lastTopic) ? lastTopic : name.topic();
    var shared = new MessageGroupName(lastTopic, name.group());
    var lane = new MessageGroup(number, shared, index);
    if (number == byNumber.size()) {
      byNumber.add(lane);
    } else {
      byNumber.set(number, lane);
    }
    byName.put(shared, lane);
    return lane;
  }

  /** The lane of a message that comes in; counts it. */
  MessageGroup enter(String topic, String group) {
    var name = new MessageGroupName(topic, group);
    MessageGroup lane = byName.get(name);
    if (lane == null) {
      Integer used = free.poll();
      lane = put(used == null ? byNumber.size() : used, name);
    }
    lane.messages++;
    return lane;
  }

  /** A message of the lane is gone. */
  void leave(MessageGroup lane) {
    if (--lane.messages == 0) {
      handedOutBytes -= lane.reorderDepth.bytes();
      byName.remove(lane.name());
      byNumber.set(lane.number(), null);
      free.add(lane.number());
    }
  }

  void handedOut(MessageGroup lane, long number) {
    int before = lane.reorderDepth.bytes();
    lane.reorderDepth.handedOut(number);
    handedOutBytes += lane.reorderDepth.bytes() - before;
  }

  MessageGroup of(int number) {
    return Objects.requireNonNull(byNumber.get(number), "a lane with messages");
  }

  void forEach(Consumer<MessageGroup> each) {
    byName.values().forEach(each);
  }

  List<@Nullable MessageGroupName> names() {
    var names = new ArrayList<@Nullable MessageGroupName>(byNumber.size());
    for (MessageGroup lane : byNumber) {
      names.add(lane == null ? null : lane.name());
    }
    return names;
  }

  long bytes() {
    return (long) byName.size() * MessageGroup.BYTES + handedOutBytes;
  }
}
