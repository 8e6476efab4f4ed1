package dev.ron.http.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How many requests a door works on at a time, and whose: by weight, and only where tenants
 * contend.
 */
final class DoorPlacesTest {
  private static final Map<String, Integer> WEIGHTS = Map.of("one", 1, "two", 2, "four", 4);
  private static final long SECOND = 1_000_000;
  private static final long QUIET_REST = 2000;

  /** As two processors have it. */
  private static final int PLACES = 16;

  private final List<String> begun = new ArrayList<>();
  private final Map<String, DoorPlaces.Place> held = new HashMap<>();

  private DoorPlaces places(int count) {
    return new DoorPlaces(count, DoorPlacesTest::weight);
  }

  private static int weight(String tenant) {
    return WEIGHTS.getOrDefault(tenant, 1);
  }

  private DoorPlaces.Place take(DoorPlaces places, String tenant, String name) {
    return places.take(
        tenant,
        place -> {
          begun.add(name);
          held.put(name, place);
        });
  }

  private void end(String name) {
    held.get(name).end();
  }

  @ParameterizedTest(name = "the tenant is known when its thread runs: {0}")
  @ValueSource(booleans = {false, true})
  void sharesAreAsTheWeights(boolean knownLate) {
    var door = new DoorModel(PLACES, knownLate, DoorPlacesTest::weight);
    for (int i = 0; i < 64; i++) {
      WEIGHTS.keySet().forEach(tenant -> door.connect(tenant, 0));
    }
    door.runFor(SECOND);
    WEIGHTS.forEach(
        (tenant, weight) ->
            assertThat(door.share(tenant) * 7 / weight).as(tenant).isCloseTo(1, within(0.1)));
  }

  @ParameterizedTest(name = "the tenant is known when its thread runs: {0}")
  @ValueSource(booleans = {false, true})
  void aQuietTenantWaitsForOneFlushMoreThanAlone(boolean knownLate) {
    var alone = new DoorModel(PLACES, knownLate, DoorPlacesTest::weight);
    alone.connect("quiet", QUIET_REST);
    alone.runFor(SECOND);
    var beside = new DoorModel(PLACES, knownLate, DoorPlacesTest::weight);
    beside.connect("quiet", QUIET_REST);
    for (int i = 0; i < 128; i++) {
      beside.connect("loud", 0);
    }
    beside.runFor(SECOND / 10); // until they are spread as they stay
    beside.runFor(SECOND);
    // Alone it never meets a flush of others. What is left is the work of those that have places.
    assertThat(beside.p99Micros("quiet")).isLessThan(3 * alone.p99Micros("quiet"));
  }

  @Test
  void aTenantAloneIsNotBounded() {
    DoorPlaces places = places(2);
    for (int i = 0; i < 100; i++) {
      take(places, "loud", "loud" + i);
    }
    assertThat(begun).hasSize(100);
  }

  @Test
  void aTenantWithoutARequestBeginsOneBesideThePlaces() {
    DoorPlaces places = contended(2);
    for (int i = 0; i < 100; i++) {
      take(places, "loud", "loud" + i);
    }
    assertThat(begun).containsExactly("loud0", "loud1");
    take(places, "quiet", "quiet");
    assertThat(begun).endsWith("quiet");
    take(places, "quiet", "its second");
    take(places, "other", "other");
    assertThat(begun).as("one beside two places").hasSize(3);
    end("loud0");
    end("loud1");
    assertThat(begun).as("by start times").hasSize(5).doesNotContain("loud3");
  }

  @Test
  void aTenantThatIsAloneAgainIsNotBoundedAfterAWhile() {
    DoorPlaces places = contended(2);
    for (int i = 0; i < 100; i++) {
      take(places, "loud", "loud" + i);
    }
    assertThat(places.needsSweep()).isTrue();
    assertThat(places.needsSweep()).as("by one caller").isFalse();
    for (int i = 0; i < 9; i++) {
      assertThat(places.sweep()).isTrue();
    }
    assertThat(begun).hasSize(2);
    assertThat(places.sweep()).isFalse();
    assertThat(begun).hasSize(100);
  }

  @Test
  void aPlaceEndsOnceAndOneThatLeftTheLineGetsNone() {
    DoorPlaces places = contended(1);
    take(places, "a", "first");
    DoorPlaces.Place gone = take(places, "a", "gone");
    take(places, "a", "second");
    take(places, "a", "third");
    gone.end();
    end("first");
    end("first");
    assertThat(begun).containsExactly("first", "second");
  }

  @Test
  void aPlaceThatIsHeldForLongIsTakenForOver() {
    DoorPlaces places = contended(1);
    take(places, "a", "stuck");
    take(places, "a", "next");
    take(places, "b", "beside");
    for (int i = 0; i < 100; i++) {
      assertThat(places.sweep()).isTrue();
    }
    assertThat(begun).containsExactly("stuck", "beside");
    places.sweep();
    assertThat(begun).containsExactly("stuck", "beside", "next");
  }

  /** Another tenant has asked just before. */
  private DoorPlaces contended(int count) {
    DoorPlaces places = places(count);
    take(places, "before", "before").end();
    begun.clear();
    return places;
  }
}
