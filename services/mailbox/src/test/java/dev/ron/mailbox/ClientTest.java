package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.client.Delivery;
import dev.ron.client.MailboxClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.testkit.ChildJvm;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client of {@code lib/client} beside a mailbox in a process of its own. */
@Timeout(120)
final class ClientTest {
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final Scope scope = Scope.of("client", World.real(Log.silent()));

  @TempDir private Path folder;

  private ChildJvm start() throws Exception {
    return ChildJvm.start(KilledMain.class, folder.toString(), "8");
  }

  private MailboxClient client(ChildJvm mailbox) throws Exception {
    return new MailboxClient(scope, URI.create("http://127.0.0.1:" + mailbox.line()), "");
  }

  @Test
  void aMessageStaysWithWhoeverWorksOnItForAsLongAsThatTakes() throws Exception {
    try (ChildJvm mailbox = start();
        MailboxClient client = client(mailbox)) {
      client.send("t", "k", "work".getBytes(UTF_8));
      boolean some =
          client.handle(
              "t",
              SHORT,
              WAIT,
              delivery -> {
                assertThat(delivery.payload()).isEqualTo("work".getBytes(UTF_8));
                // Another consumer waits through three times the lease, and gets nothing.
                assertThat(client.receive("t", 1, SHORT, SHORT.multipliedBy(3))).isEmpty();
              });
      assertThat(some).isTrue();
      assertThat(client.receive("t", 1, SHORT, SHORT.multipliedBy(2))).as("gone").isEmpty();
      assertThat(client.handle("t", SHORT, Duration.ZERO, _ -> {})).isFalse();
      mailbox.kill9();
    }
  }

  @Test
  void workThatFailsIsDoneAgain() throws Exception {
    try (ChildJvm mailbox = start();
        MailboxClient client = client(mailbox)) {
      client.send("t", "k", new byte[] {1});
      assertThatThrownBy(
              () ->
                  client.handle(
                      "t",
                      WAIT,
                      WAIT,
                      _ -> {
                        throw new IllegalStateException("not today");
                      }))
          .hasMessage("not today");
      List<Delivery> again = client.receive("t", 1, WAIT, WAIT);
      assertThat(again).extracting(Delivery::attempt).containsExactly(2);
      client.ack(again.getFirst());
      mailbox.kill9();
    }
  }

  @Test
  void aLeaseFromBeforeAKillIsWorthNothingAndTheMessageComesAgain() throws Exception {
    Delivery held;
    try (ChildJvm mailbox = start();
        MailboxClient client = client(mailbox)) {
      client.send("t", "k", new byte[] {1});
      held = client.receive("t", 1, Duration.ofHours(1), WAIT).getFirst();
      mailbox.kill9();
    }
    try (ChildJvm mailbox = start();
        MailboxClient client = client(mailbox)) {
      assertThatThrownBy(() -> client.ack(held))
          .isInstanceOfSatisfying(
              ServiceRefusal.class, refused -> assertThat(refused.status()).isEqualTo(409));
      Delivery again = client.receive("t", 1, WAIT, WAIT).getFirst();
      assertThat(again.msgId()).isEqualTo(held.msgId());
      client.ack(again);
      mailbox.kill9();
    }
  }
}
