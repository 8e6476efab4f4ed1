package dev.ron.mailbox.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GroupFairnessTest {
  private final GroupFairness fairness = new GroupFairness();
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
    assertThat(fairness.first()).isNull();
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
    Message old = message("g", 10);
    Message young = message("g", 10);
    fairness.offer(young);
    fairness.offer(old);
    assertThat(fairness.first()).isEqualTo(old.id());
    fairness.remove(old);
    assertThat(fairness.first()).isEqualTo(young.id());
    fairness.offer(old);
    assertThat(fairness.first()).isEqualTo(old.id());
  }

  private final Map<Ulid, Message> messages = new java.util.HashMap<>();

  private void offer(String group, int count, int bytes) {
    for (int i = 0; i < count; i++) {
      fairness.offer(message(group, bytes));
    }
  }

  private Message message(String group, int bytes) {
    var message =
        new Message(
            new Ulid(1, made++), "t", group, 0, "k", Blake3.hash(new byte[0]), bytes, Map.of(), "");
    messages.put(message.id(), message);
    return message;
  }

  private List<String> take(int count) {
    var taken = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      Message message = messages.get(fairness.first());
      fairness.remove(message);
      taken.add(message.group());
    }
    return taken;
  }
}
