package dev.ron.storage.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import org.junit.jupiter.api.Test;

final class WriteLedgerTest {
  private final Address a = new Address(Blake3.hash(new byte[] {1}));
  private final Address b = new Address(Blake3.hash(new byte[] {2}));
  private final WriteLedger ledger = new WriteLedger(2);

  @Test
  void aWriteTakesBackWhatItAloneMade() {
    assertThat(ledger.stored(a, "w1", true)).isTrue();
    assertThat(ledger.takeBack(a, "w1")).isTrue();
    assertThat(ledger.takeBack(a, "w1")).as("once").isFalse();
  }

  @Test
  void whatAnotherWriteReliesOnStays() {
    ledger.stored(a, "w1", true);
    ledger.stored(a, "w2", false);
    assertThat(ledger.takeBack(a, "w1")).isFalse();
    ledger.stored(b, "w3", true);
    ledger.reliedOn(b);
    assertThat(ledger.takeBack(b, "w3")).isFalse();
  }

  @Test
  void whatWasThereBeforeStays() {
    ledger.stored(a, "w1", false);
    assertThat(ledger.takeBack(a, "w1")).isFalse();
  }

  @Test
  void aWriteThatArrivesAfterItWasTakenBackGoesAgain() {
    assertThat(ledger.takeBack(a, "w1")).isFalse();
    assertThat(ledger.stored(a, "w1", true)).as("may stay").isFalse();
    assertThat(ledger.takeBack(b, "w2")).isFalse();
    assertThat(ledger.stored(b, "w2", false)).as("another's copy").isTrue();
  }

  @Test
  void aStrangerTakesNothingBack() {
    ledger.stored(a, "w1", true);
    assertThat(ledger.takeBack(a, "w2")).isFalse();
    assertThat(ledger.takeBack(a, "w1")).isTrue();
  }

  @Test
  void whatIsForgottenStays() {
    ledger.stored(a, "w1", true);
    for (int i = 10; i < 13; i++) {
      ledger.stored(new Address(Blake3.hash(new byte[] {(byte) i})), "x" + i, true);
    }
    assertThat(ledger.takeBack(a, "w1")).isFalse();
  }
}
