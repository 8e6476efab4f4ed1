package dev.ron.mailbox.sqs.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class ReceiptHandlesTest {
  private static final String TOPIC = "sqs/000000000000/q";
  private static final Ulid ID = new Ulid(0x1234_5678_9abc_0001L, 77L << 16);
  private static final Receipt RECEIPT = new Receipt(-5);

  private final AtomicReference<KeyRing> ring =
      new AtomicReference<>(KeyRing.generate(new SplittableRandom(1)));
  private final ReceiptHandles handles = new ReceiptHandles(ring::get);

  @Test
  void isReadBackInItsOwnQueueAlone() {
    String handle = handles.write(TOPIC, ID, RECEIPT);
    assertThat(handles.read(TOPIC, handle)).hasValue(new ReceiptHandles.Handle(ID, RECEIPT));
    assertThat(handles.read(TOPIC + "2", handle)).isEmpty();
    assertThat(new ReceiptHandles(ring::get).read(TOPIC, handle)).as("elsewhere").isPresent();
  }

  @Test
  void noCharacterOfItCanBeChanged() {
    String handle = handles.write(TOPIC, ID, RECEIPT);
    for (int i = 0; i < handle.length(); i++) {
      char other = handle.charAt(i) == 'A' ? 'B' : 'A';
      String forged = handle.substring(0, i) + other + handle.substring(i + 1);
      assertThat(handles.read(TOPIC, forged)).as("at %d", i).isEmpty();
    }
    for (String garbage : new String[] {"", "x", "!", handle + "A", handle.substring(1)}) {
      assertThat(handles.read(TOPIC, garbage)).isEmpty();
    }
  }

  @Test
  void outlivesARotationAndNotTheEndOfItsKey() {
    String handle = handles.write(TOPIC, ID, RECEIPT);
    KeyRing first = ring.get();
    ring.set(first.rotate(new SplittableRandom(2), Instant.EPOCH, Duration.ofHours(1)));
    assertThat(handles.read(TOPIC, handle)).isPresent();
    ring.set(KeyRing.generate(new SplittableRandom(3)));
    assertThat(handles.read(TOPIC, handle)).isEmpty();
  }
}
