package dev.ron.storage.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.storage.cluster.core.Membership.Seat;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Node a reads a registry; a node that is missed has ten seconds. */
final class MembershipTest {
  private static final Duration GRACE = Duration.ofSeconds(10);

  private Membership membership = new Membership(Map.of("a", seat("a", 1)));

  @Test
  void aNodeThatIsListedBelongs() {
    heard(0, "a", "b", "c");
    assertThat(membership.seats().keySet()).containsExactly("a", "b", "c");
  }

  @Test
  void aNodeThatIsMissedBelongsUntilTheGraceHasPassed() {
    heard(0, "a", "b", "c");
    heard(1, "a", "b");
    heard(5, "a", "b");
    assertThat(membership.seats().keySet()).containsExactly("a", "b", "c");
    heard(10, "a", "b");
    assertThat(membership.seats().keySet()).containsExactly("a", "b", "c");
    heard(11, "a", "b");
    assertThat(membership.seats().keySet()).containsExactly("a", "b");
  }

  @Test
  void aNodeThatComesBackHasAllOfItsGraceAgain() {
    heard(0, "a", "b");
    heard(1, "a");
    heard(9, "a", "b");
    heard(12, "a");
    heard(21, "a");
    assertThat(membership.seats().keySet()).containsExactly("a", "b");
    heard(22, "a");
    assertThat(membership.seats().keySet()).containsExactly("a");
  }

  @Test
  void theNodeItselfBelongsWithoutBeingListedAndAsItSaysItself() {
    membership = membership.heard(Map.of("a", seat("a", 7), "b", seat("b", 1)), "a", at(0), GRACE);
    assertThat(membership.seats().get("a").weight()).isEqualTo(1);
    heard(1, "b");
    heard(100, "b");
    assertThat(membership.seats().keySet()).containsExactly("a", "b");
  }

  @Test
  void anEmptyRegistryTakesNoNodeAwayAtOnce() {
    heard(0, "a", "b", "c");
    heard(1);
    assertThat(membership.seats().keySet()).containsExactly("a", "b", "c");
  }

  @Test
  void aNewWeightIsAChangeAndBeingMissedIsNone() {
    heard(0, "a", "b");
    Membership before = membership;
    heard(1, "a");
    assertThat(membership.sameAs(before)).isTrue();
    membership = membership.heard(Map.of("b", seat("b", 3)), "a", at(2), GRACE);
    assertThat(membership.sameAs(before)).isFalse();
    assertThat(membership.view(Set.of(), 2).members())
        .containsExactly(new Member("a", "eu", 1), new Member("b", "eu", 3));
  }

  private void heard(int second, String... names) {
    Map<String, Seat> listed = new HashMap<>();
    for (String name : names) {
      listed.put(name, seat(name, 1));
    }
    membership = membership.heard(listed, "a", at(second), GRACE);
  }

  private static Instant at(int second) {
    return Instant.EPOCH.plusSeconds(second);
  }

  private static Seat seat(String name, int weight) {
    return new Seat("http://" + name, "eu", weight);
  }
}
