package dev.ron.storage.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class CopyPromisesTest {
  private final Address a = new Address(Blake3.hash(new byte[] {1}));
  private final Address b = new Address(Blake3.hash(new byte[] {2}));
  private final Instant now = Instant.EPOCH;

  @Test
  void whoHasPromisedDoesNotGiveUpBeforeItsEnd() {
    var promises = new CopyPromises(10);
    assertThat(promises.promise(a, now)).isTrue();
    assertThat(promises.beginGivingUp(a, now.plus(CopyPromises.LENGTH).minusNanos(1))).isFalse();
    assertThat(promises.beginGivingUp(a, now.plus(CopyPromises.LENGTH))).isTrue();
  }

  @Test
  void whoGivesUpDoesNotPromise() {
    var promises = new CopyPromises(10);
    assertThat(promises.beginGivingUp(a, now)).isTrue();
    assertThat(promises.beginGivingUp(a, now)).as("twice").isFalse();
    assertThat(promises.promise(a, now)).isFalse();
    assertThat(promises.promise(b, now)).isTrue();
    promises.endGivingUp(a);
    assertThat(promises.promise(a, now)).isTrue();
  }

  @Test
  void aPromiseThatIsGivenAgainLastsLonger() {
    var promises = new CopyPromises(10);
    promises.promise(a, now);
    promises.promise(b, now);
    Instant later = now.plus(Duration.ofSeconds(30));
    promises.promise(a, later);
    Instant end = now.plus(CopyPromises.LENGTH);
    assertThat(promises.beginGivingUp(a, end)).isFalse();
    assertThat(promises.beginGivingUp(b, end)).isTrue();
  }

  @Test
  void atTheLimitNothingMoreIsPromised() {
    var promises = new CopyPromises(1);
    assertThat(promises.promise(a, now)).isTrue();
    assertThat(promises.promise(b, now)).isFalse();
    assertThat(promises.promise(a, now)).isTrue();
    assertThat(promises.promise(b, now.plus(CopyPromises.LENGTH))).isTrue();
  }
}
