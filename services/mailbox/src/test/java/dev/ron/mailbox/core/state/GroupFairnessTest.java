package dev.ron.mailbox.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.mailbox.core.message.Ulid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GroupFairnessTest {
  private final MessageIndex index = new MessageIndex(0);
  private final MessageGroups lanes = new MessageGroups(index);
  private final GroupFairness fairness = new GroupFairness(index);
  private long made;

  @Test
  void theQuietGroupsFirstMessageIsAmongTheFirstThree() {
    offer("loud", 1000, 100);
    offer("quiet", 10, 100);
    assertThat(take(3)).contains("quiet");
  }

  @Test
  void equalGroupsAlternateUntilOneIsEmpty() {
    offer("a", 5, 10);
    offer("b", 3, 10);
    assertThat(take(8)).containsExactly("a", "b", "a", "b", "a", "b", "a", "a");
    assertThat(fairness.first()).isEmpty();
  }

  @Test
  void largeMessagesArePaidForOverSeveralTurns() {
    offer("large", 100, 16 * 1024 * 9);
    offer("small", 1000, 10);
    List<String> taken = take(220);
    long large = taken.stream().filter("large"::equals).count();
    assertThat(large).as("ten units against one").isBetween(19L, 21L);
  }

  @Test
  void whoHasNothingSavesNothing() {
    offer("idle", 1, 10);
    offer("busy", 100, 10);
    take(50);
    offer("idle", 10, 10);
    assertThat(take(4)).containsExactlyInAnyOrder("idle", "busy", "idle", "busy");
  }

  @Test
  void withinAGroupTheOldestGoesFirstAlsoAfterItCameBack() {
    long old = message("g", 10);
    long young = message("g", 10);
    offer(young);
    offer(old);
    assertThat(fairness.first()).hasValue(old);
    remove(old);
    assertThat(fairness.first()).hasValue(young);
    offer(old);
    assertThat(fairness.first()).hasValue(old);
  }

  private void offer(String group, int count, int bytes) {
    for (int i = 0; i < count; i++) {
      offer(message(group, bytes));
    }
  }

  private long message(String group, int bytes) {
    MessageGroup lane = lanes.enter("t", group);
    long number = ++made;
    index.add(new Ulid(1, number << 16), 1, bytes, lane.number());
    return number;
  }

  private void offer(long number) {
    index.state(number, IndexedMessage.State.READY);
    fairness.offer(lanes.of(index.lane(number)), number);
  }

  private void remove(long number) {
    MessageGroup lane = lanes.of(index.lane(number));
    boolean itsTurn = fairness.pays(lane, number);
    index.state(number, IndexedMessage.State.LIFTED);
    fairness.left(lane, itsTurn);
  }

  private List<String> take(int count) {
    var taken = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      long number = fairness.first().orElseThrow();
      remove(number);
      taken.add(lanes.of(index.lane(number)).group());
    }
    return taken;
  }
}
