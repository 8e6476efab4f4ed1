package dev.ron.mailbox.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.mailbox.core.MailboxScript;
import dev.ron.mailbox.core.message.DeadLetterEntry;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Ulid;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A message that no consumer could handle is kept with its reason until it is sent again. */
final class DeadLettersTest {
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
  void lettersAreListedByIdAndAgeByDeath() {
    var letters = new DeadLetters();
    letters.add(death(3, 10));
    letters.add(death(1, 20));
    letters.add(death(2, 30));
    assertThat(letters.matching(_ -> true, 10))
        .extracting(death -> death.id().low())
        .containsExactly(1L, 2L, 3L);
    assertThat(letters.matching(death -> death.id().low() > 1, 1))
        .extracting(death -> death.id().low())
        .containsExactly(2L);
    assertThat(letters.diedUntil(9, 10)).isEmpty();
    assertThat(letters.diedUntil(20, 10)).extracting(Ulid::low).containsExactly(3L, 1L);
    assertThat(letters.diedUntil(30, 1)).extracting(Ulid::low).containsExactly(3L);
    letters.remove(new Ulid(0, 3));
    assertThat(letters.find(new Ulid(0, 3))).isNull();
    assertThat(letters.size()).isEqualTo(2);
  }

  private static DeadLetterEntry death(long id, long atMillis) {
    return new DeadLetterEntry(new Ulid(0, id), DeadLetterReason.MAX_ATTEMPTS, 5, "no", atMillis);
  }
}
