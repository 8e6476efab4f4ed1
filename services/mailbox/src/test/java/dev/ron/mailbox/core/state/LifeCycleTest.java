package dev.ron.mailbox.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.kernel.retry.Backoff;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.KeptShard;
import dev.ron.mailbox.core.MailboxScript;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class LifeCycleTest {
  @Test
  void anAckIsFinalAndIdempotent() throws IOException {
    MailboxScript.play(
        """
        0      send    m1          -> m1
        0      receive r1  1000    -> m1
        10     ack     r1          -> done
        11     ack     r1          -> done
        12     ack     m1          -> done
        13     nack    r1          -> unknown-message
        14     extend  r1  1000    -> unknown-message
        5000   receive r2  1000    -> empty
        """);
  }

  @Test
  void anAckWithoutAReceiptSettlesInAnyState() throws IOException {
    MailboxScript.play(
        """
        0      send    m1            -> m1
        0      send    m2 delay=500  -> m2
        0      send    m3            -> m3
        1      ack     m1            -> done
        1      ack     m2            -> done
        1      receive r3  1000      -> m3
        2      ack     m3            -> done
        5000   receive r4  1000      -> empty
        """);
  }

  @Test
  void aDelayedMessageBlocksNobody() throws IOException {
    MailboxScript.play(
        """
        0      send    m1 delay=100  -> m1
        0      send    m2            -> m2
        0      receive r1  60000     -> m2
        99     receive r2  60000     -> empty
        100    receive r2  60000     -> m1
        """);
  }

  @Test
  void aNackWithItsOwnDelayComesBackThenAndKeepsItsPlace() throws IOException {
    MailboxScript.play(
        """
        0      send    m1            -> m1
        1      send    m2            -> m2
        2      receive r1  60000     -> m1
        3      nack    r1 delay=0    -> done
        3      receive r2  60000     -> m1 #2
        4      nack    r2 delay=50   -> done
        4      nack    r2 delay=50   -> receipt-expired
        53     receive r3  60000     -> m2
        53     receive r4  60000     -> empty
        54     receive r4  60000     -> m1 #3
        """);
  }

  /** As often as can be counted: the count must not reach what lies beside it. */
  @Test
  void aMessageThatFailsAsOftenAsCanBeCountedIsWhereItWas() throws IOException {
    int max = MessageIndex.ATTEMPTS_MAX;
    var shard =
        new KeptShard(
            new ShardLimits(
                10,
                10,
                1000,
                10,
                10,
                new Attempts(max, MailboxScript.LIMITS.attempts().backoff())));
    var random = new SplittableRandom(1);
    byte[] body = {1, 2, 3};
    for (String key : new String[] {"before", "m"}) {
      shard.run(
          new Command.Send(key, key, body, Blake3.hash(body), Map.of(), 0, "", "", 0, false),
          0,
          random);
    }
    long now = 0;
    for (int life = 0; life < 25; life++) { // a hundred thousand receives in all
      for (int i = 1; i <= max; i++) {
        Outcome handed = shard.run(new Command.Receive("m", 1, 100), now, random);
        assertThat(((Outcome.Delivered) handed).envelope().attempt()).isEqualTo(i);
        shard.tick(++now, random);
      }
      assertThat(shard.shard().deadLetters(DeadLetterFilter.ALL, 10))
          .singleElement()
          .satisfies(letter -> assertThat(letter.death().attempts()).isEqualTo(max));
      shard.run(new Command.Reprocess(DeadLetterFilter.ALL, 1, 0), now, random);
    }
    shard.snapshot();
    shard.crash();
    Outcome handed = shard.run(new Command.Receive("m", 1, 100), now, random);
    assertThat(((Outcome.Delivered) handed).envelope().body()).isEqualTo(body);
  }

  @Test
  void attemptsThatFailedBeforeACrashStillCount() throws IOException {
    MailboxScript.play(
        """
        0       send    m1           -> m1
        1       receive r1 1000      -> m1
        2       nack    r1 delay=0   -> done
        3       receive r2 1000      -> m1 #2
        1003    crash                ->
        1003    receive r3 1000      -> m1 #3
        """);
  }

  @Test
  void theBackoffOfARefusalIsFullJitter() {
    var attempts =
        new Attempts(100, new Backoff.FullJitter(Duration.ofMillis(200), Duration.ofSeconds(60)));
    var random = new java.util.SplittableRandom(7);
    for (int n = 1; n <= 20; n++) {
      long cap = Math.min(60_000, 200L << Math.min(n - 1, 20));
      long least = Long.MAX_VALUE;
      long most = 0;
      for (int i = 0; i < 2000; i++) {
        long rest = attempts.restMillis(n, random);
        least = Math.min(least, rest);
        most = Math.max(most, rest);
      }
      assertThat(most).as("after %d", n).isBetween(cap * 98 / 100, cap);
      assertThat(least).as("after %d", n).isBetween(0L, cap / 50);
    }
  }
}
