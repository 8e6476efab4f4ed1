package dev.ron.mailbox.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Blake3;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.QueueFact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueSettings;
import dev.ron.mailbox.core.queue.RedriveAllowance;
import dev.ron.mailbox.core.queue.RedriveTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class FactCodecTest {
  private static final Ulid ID = new Ulid(0x0123456789abcdefL, 0xfedcba9876543210L);
  private static final byte[] BODY = {1, 2, 3};
  private static final Message MESSAGE =
      new Message(
          ID,
          "orders.eu",
          "grün",
          1_700_000_000_000L,
          "key-1",
          Blake3.hash(BODY),
          BODY.length,
          Map.of("a", "1", "b", "zwei"),
          "corr");

  private static final QueueRecord QUEUE =
      QueueRecord.wanted(
              "sqs/1/q",
              new QueueSettings(
                  1,
                  2048,
                  60,
                  3,
                  4,
                  new RedriveTarget("sqs/1/d", 5),
                  new RedriveAllowance(
                      RedriveAllowance.Permission.BY_QUEUE, List.of("sqs/1/a", "sqs/1/b")),
                  true,
                  false,
                  true),
              Map.of("Policy", "{}"),
              Map.of("tag", "värde"))
          .made(3, 1234);

  static List<Fact> facts() {
    return List.of(
        new Fact.Sent(MESSAGE, BODY, 7, 8),
        new Fact.Carried(MESSAGE, BODY),
        new Fact.Returned(ID, 2, 1234, "no"),
        new Fact.Acked(ID, 77),
        new Fact.Died(ID, 5, DeadLetterReason.INTEGRITY, "bits", 55),
        new Fact.Revived(ID, 3, 4),
        new Fact.Dropped(ID),
        new Fact.Leased(ID, new Receipt(-7), 99),
        new Fact.Extended(ID, 98),
        new Fact.Returned(ID, 2, 1234, "no", 55),
        new Fact.Leased(ID, new Receipt(-7), 99, 44, true),
        new Fact.Extended(ID, 98, true),
        new QueueFact.Kept(QUEUE),
        new QueueFact.Gone(QueueFact.ofShard(3), "sqs/1/q", 5),
        new QueueFact.Purged(QueueFact.ofShard(3), "sqs/1/q", 6),
        new QueueFact.MoveKept(
            QueueFact.ofShard(3),
            new MoveTask("id", "sqs/1/d", "", 7, 8, MoveTask.Status.RUNNING, 9, 10, "why")),
        new QueueFact.Moved(ID, "sqs/1/d", "sqs/1/q", 4, 5, 6),
        new QueueFact.Expired(ID));
  }

  @ParameterizedTest
  @MethodSource("facts")
  void whatIsWrittenIsRead(Fact fact) throws IOException {
    assertThat(FactReader.decode(FactWriter.encode(fact)))
        .usingRecursiveComparison()
        .isEqualTo(fact);
  }

  @ParameterizedTest
  @MethodSource("facts")
  void aFactThatIsCutOrTooLongIsRefused(Fact fact) {
    ByteBuffer whole = FactWriter.encode(fact);
    for (int length = 0; length < whole.remaining(); length++) {
      ByteBuffer cut = whole.slice(0, length);
      assertThatThrownBy(() -> FactReader.decode(cut)).isInstanceOf(IOException.class);
    }
    ByteBuffer longer = ByteBuffer.allocate(whole.remaining() + 1).put(whole.duplicate()).rewind();
    assertThatThrownBy(() -> FactReader.decode(longer)).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @MethodSource("facts")
  void anyByteChangedGivesAnErrorOrAnotherFactButNeverABug(Fact fact) {
    ByteBuffer whole = FactWriter.encode(fact);
    for (int at = 0; at < whole.remaining(); at++) {
      for (int bit = 0; bit < 8; bit++) {
        ByteBuffer changed = ByteBuffer.allocate(whole.remaining()).put(whole.duplicate()).flip();
        changed.put(at, (byte) (changed.get(at) ^ 1 << bit));
        try {
          FactReader.decode(changed);
        } catch (IOException refused) {
          assertThat(refused).hasMessageMatching(".+");
        }
      }
    }
  }

  @Test
  void theBytesAreThoseOfTheFirstRelease() {
    assertThat(hex(new Fact.Acked(ID, 77)))
        .isEqualTo("02060123456789abcdeffedcba9876543210000000000000004d");
    assertThat(hex(new Fact.Returned(ID, 2, 1234, "no")))
        .isEqualTo("02050123456789abcdeffedcba98765432100000000200000000000004d2000000026e6f");
    assertThat(hex(new Fact.Leased(ID, new Receipt(7), 99)))
        .isEqualTo("02140123456789abcdeffedcba987654321000000000000000070000000000000063");
    assertThat(hex(new Fact.Dropped(ID))).isEqualTo("02090123456789abcdeffedcba9876543210");
  }

  @Test
  void leasesAreNeverWritten() {
    assertThatThrownBy(() -> FactWriter.encode(new Fact.Woken(ID)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String hex(Fact fact) {
    ByteBuffer bytes = FactWriter.encode(fact);
    var copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return HexFormat.of().formatHex(copy);
  }
}
