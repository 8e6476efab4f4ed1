package dev.ron.node.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AnomalyTest {
  /** A restore without keys passes over what is said of keys, and over nothing else. */
  @Test
  void anObjectThatIsCalledAsAKeyIsIsAnObject() {
    assertThat(Anomaly.lost(KeysCheck.STORE, "attest.ed25519 is gone").isAboutKeys()).isTrue();
    assertThat(Anomaly.lost(RewarderCheck.KEYS, "attest.ed25519 is gone").isAboutKeys()).isTrue();
    assertThat(Anomaly.lost("s3", "photos/attest.pdf, for block b3:0 is gone").isAboutKeys())
        .isFalse();
  }
}
