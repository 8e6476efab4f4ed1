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
  void aMessageComesBackWhenItsVisibilityTimeoutPasses() throws IOException {
    MailboxScript.play(
        """
        0      send    m1          -> m1
        0      receive r1  30000   -> m1
        29999  receive r2  30000   -> empty
        30000  receive r3  30000   -> m1 #2
        30000  ack     r1          -> receipt-expired
        30000  ack     r3          -> done
        90000  receive r4  30000   -> empty
        """);
  }

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
  void anExtensionMovesTheDeadlineAndOnlyTheHolderGetsIt() throws IOException {
    MailboxScript.play(
        """
        0      send    m1          -> m1
        0      receive r1  1000    -> m1
        900    extend  r1  1000    -> done
        1899   receive r2  1000    -> empty
        1900   receive r2  1000    -> m1 #2
        1901   extend  r1  1000    -> receipt-expired
        2800   extend  r2  5000    -> done
        7799   receive r3  1000    -> empty
        7800   receive r3  1000    -> m1 #3
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

  @Test
  void afterFiveFailedAttemptsAMessageIsDeadWithItsReason() throws IOException {
    MailboxScript.play(
        """
        0      send    m1            -> m1
        0      receive r1  1000      -> m1
        1000   receive r2  1000      -> m1 #2
        2000   receive r3  1000      -> m1 #3
        3000   receive r4  1000      -> m1 #4
        3001   nack    r4 delay=0    -> done
        3001   dead                  -> none
        3001   receive r5  1000      -> m1 #5
        3002   nack    r5 reason=bad -> done
        3002   dead                  -> m1:max-attempts:5:bad
        3002   receive r6  1000      -> empty
        3003   ack     r5            -> receipt-expired
        3003   ack     m1            -> receipt-expired
        3004   reprocess             -> 1
        3004   dead                  -> none
        3004   receive r7  1000      -> m1
        """);
  }

  @Test
  void whatDoesNotFitBesideTheLivingStaysDead() throws IOException {
    MailboxScript.play(
        new ShardLimits(
            2, 10, 1000, 10, 10, new Attempts(1, MailboxScript.LIMITS.attempts().backoff())),
        """
        0      send    m1            -> m1
        0      send    m2            -> m2
        0      receive r1  1000      -> m1
        0      nack    r1            -> done
        0      receive r2  1000      -> m2
        0      nack    r2            -> done
        0      send    m3            -> m3
        0      reprocess             -> 1 and 1 saturated
        0      dead                  -> m2:max-attempts:1:no
        0      send    m4            -> saturated
        0      reprocess             -> 0 and 1 saturated
        0      crash                 ->
        0      reprocess             -> 0 and 1 saturated
        0      ack     m3            -> done
        0      reprocess             -> 1
        0      dead                  -> none
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
  void theLastAttemptMayAlsoEndByTheClock() throws IOException {
    MailboxScript.play(
        new ShardLimits(
            10, 10, 1000, 10, 10, new Attempts(1, MailboxScript.LIMITS.attempts().backoff())),
        """
        0      send    m1            -> m1
        0      receive r1  1000      -> m1
        999    dead                  -> none
        1000   dead                  -> m1:max-attempts:1:visibility-timeout
        1001   drop                  -> 1
        1001   dead                  -> none
        1002   ack     m1            -> unknown-message
        """);
  }

  @Test
  void aRepeatedKeyIsTheFirstMessageUntilTheReplayTimeIsOver() throws IOException {
    MailboxScript.play(
        """
        0       send    m1 key=k body=b  -> m1
        1       send    m2 key=k body=b  -> duplicate-of m1
        1       send    m3 key=k body=c  -> idem-mismatch
        1       send    m4 key=k topic=u -> m4
        2       receive r1 1000          -> m1
        3       ack     r1               -> done
        4       crash                    ->
        299999  send    m5 key=k body=b  -> duplicate-of m1
        300000  send    m6 key=k body=c  -> m6
        """);
  }

  @Test
  void fullShardsAndFullTablesRefuseInsteadOfForgetting() throws IOException {
    MailboxScript.play(
        new ShardLimits(2, 10, 1000, 3, 10, MailboxScript.LIMITS.attempts()),
        """
        0       send    m1    -> m1
        10      send    m2    -> m2
        20      send    m3    -> saturated
        20      send    m1    -> duplicate-of m1
        20      ack     m1    -> done
        20      send    m3    -> m3
        30      ack     m2    -> done
        30      send    m4    -> saturated
        999     send    m4    -> saturated
        1000    send    m4    -> m4
        """);
  }

  @Test
  void aCrashEndsEveryLeaseAndKeepsEverythingElse() throws IOException {
    MailboxScript.play(
        """
        0       send    m1             -> m1
        0       send    m2             -> m2
        0       send    m3 delay=1000  -> m3
        1       receive r1 60000       -> m1
        1       receive r2 60000       -> m2
        2       ack     r2             -> done
        3       crash                  ->
        4       ack     r1             -> receipt-expired
        4       receive r3 60000       -> m1
        5       ack     r2             -> done
        5       receive r4 60000       -> empty
        1000    receive r4 60000       -> m3
        """);
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
  void ageTurnsReadyMessagesIntoDeadLettersAndThenLetsThemGo() throws IOException {
    MailboxScript.play(
        """
        0            send    m1            -> m1
        1            send    m2            -> m2
        604799999    retain                -> 0
        604800000    retain                -> 1
        604800000    dead                  -> m1:retention:0:
        604800000    receive r1 1000       -> m2
        1814399999   retain                -> 1
        1814400000   retain                -> 1
        1814400000   dead                  -> m2:retention:1:visibility-timeout
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
