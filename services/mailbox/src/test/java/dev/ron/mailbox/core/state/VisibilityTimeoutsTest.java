package dev.ron.mailbox.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.mailbox.core.MailboxScript;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A message in flight is seen by one consumer, until its time is up. */
final class VisibilityTimeoutsTest {
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
  void theEarliestDeadlineIsKnownAndEndsFirst() {
    var timeouts = new VisibilityTimeouts();
    var first = new Ulid(1, 1);
    var second = new Ulid(1, 2);
    timeouts.add(new Fact.Leased(first, new Receipt(7), 300));
    timeouts.add(new Fact.Leased(second, new Receipt(8), 200));
    assertThat(timeouts.nextMillis()).isEqualTo(200);
    assertThat(timeouts.expired(199, 10)).isEmpty();
    assertThat(timeouts.expired(200, 10)).containsExactly(second);
    timeouts.extend(second, 400);
    assertThat(timeouts.nextMillis()).isEqualTo(300);
    assertThat(timeouts.expired(400, 10)).containsExactly(first, second);
    assertThat(timeouts.expired(400, 1)).containsExactly(first);
    assertThat(timeouts.holds(second, new Receipt(8))).isTrue();
    assertThat(timeouts.holds(second, new Receipt(7))).isFalse();
    timeouts.remove(first);
    assertThat(timeouts.nextMillis()).isEqualTo(400);
    assertThat(timeouts.holds(first, null)).isFalse();
    assertThat(timeouts.size()).isEqualTo(1);
  }
}
