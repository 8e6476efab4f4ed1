package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.MailboxScript;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A key stands for the first message that was sent under it, for the whole replay time. */
final class IdempotencyKeysTest {
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
  void topicAndKeyAreTwoNamesNotOne() throws IOException {
    MailboxScript.play(
        """
        0       send    m1 topic=a  key=bc body=b  -> m1
        0       send    m2 topic=ab key=c  body=b  -> m2
        1       send    m3 topic=a  key=bc body=b  -> duplicate-of m1
        1       send    m4 topic=ab key=c  body=b  -> duplicate-of m2
        """);
  }

  @Test
  void aKeyOutlivesItsMessage() throws IOException {
    MailboxScript.play(
        """
        0       send    m1 key=k body=b -> m1
        1       ack     m1              -> done
        2       send    m2 key=k body=b -> duplicate-of m1
        2       receive r1 1000         -> empty
        3       send    m3 key=k body=c -> idem-mismatch
        """);
  }
}
