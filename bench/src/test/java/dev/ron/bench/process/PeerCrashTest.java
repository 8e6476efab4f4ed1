package dev.ron.bench.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.bench.queue.ElasticMqPeer;
import dev.ron.bench.queue.MailboxTarget;
import dev.ron.bench.queue.QueueLine;
import dev.ron.bench.queue.SqsLine;
import dev.ron.kernel.time.SystemTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same load and the same SIGKILL for our mailbox and for ElasticMQ with its storage of
 * messages: how many messages that were acknowledged are gone.
 *
 * <p>Ours must lose none. What a peer loses is printed: that is its own promise, and not ours to
 * assert.
 */
@Tag("long")
@Timeout(600)
final class PeerCrashTest {
  private static final int ROUNDS = 3;
  private static final int CLIENTS = 8;
  private static final Duration LOAD = Duration.ofSeconds(2);

  @TempDir Path folder;

  /** A queue that can be killed and asked. */
  private interface Subject extends AutoCloseable {
    void send(QueueLine line, String text) throws IOException;

    @Nullable String take(QueueLine line) throws IOException;

    QueueLine line() throws IOException;

    long pid();

    @Override
    void close();
  }

  private interface Starting {
    Subject start() throws Exception;
  }

  @Test
  void oursLosesNothing() throws Exception {
    assertThat(lost("ours", () -> new Ours(MailboxTarget.start(folder)))).isZero();
  }

  @Test
  void whatElasticMqLoses() throws Exception {
    Peer peer = ElasticMqPeer.find();
    assumeTrue(peer.isPresent(), "NOT RUN: " + peer.absence());
    assertThat(lost("elasticmq", () -> new Elastic(ElasticMqPeer.start(peer, folder))))
        .as("what is lost can be counted")
        .isNotNegative();
  }

  private static int lost(String name, Starting starting) throws Exception {
    Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    for (int round = 0; round < ROUNDS; round++) {
      try (Subject subject = starting.start()) {
        loadAndKill(subject, "m" + round, acknowledged);
      }
    }
    var found = new HashSet<String>();
    try (Subject subject = starting.start();
        QueueLine line = subject.line()) {
      for (String text = subject.take(line); text != null; text = subject.take(line)) {
        found.add(text);
      }
    }
    acknowledged.removeIf(each -> !each.startsWith("m"));
    int all = acknowledged.size();
    acknowledged.removeAll(found);
    System.out.printf(
        "crash: %s lost %d of %d acknowledged messages in %d kills%n",
        name, acknowledged.size(), all, ROUNDS);
    assertThat(all).as("there was load").isGreaterThan(ROUNDS * CLIENTS);
    return acknowledged.size();
  }

  private static void loadAndKill(Subject subject, String prefix, Set<String> acknowledged)
      throws Exception {
    List<Thread> clients = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      String name = prefix + "c" + client + "n";
      clients.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (QueueLine line = subject.line()) {
                      for (int i = 0; ; i++) {
                        subject.send(line, name + i);
                        acknowledged.add(name + i);
                      }
                    } catch (IOException killed) {
                      // as it was meant to
                    }
                  }));
    }
    // The load itself is the time: the first sends of a cold process are slow.
    var time = new SystemTime();
    time.sleepUntil(time.now().plus(LOAD));
    ProcessHandle.of(subject.pid()).orElseThrow().destroyForcibly();
    for (Thread client : clients) {
      client.join();
    }
  }

  private record Ours(MailboxTarget target) implements Subject {
    @Override
    public void send(QueueLine line, String text) throws IOException {
      line.send(text.getBytes(UTF_8), text);
    }

    @Override
    public @Nullable String take(QueueLine line) throws IOException {
      var ours = (MailboxTarget.Line) line;
      String got = ours.receive("bench", 60_000, 0);
      if (!got.contains("\"msg_id\"")) {
        return null;
      }
      ours.ack(got);
      return new String(
          Base64.getDecoder().decode(MailboxTarget.Line.field(got, "payload_b64")), UTF_8);
    }

    @Override
    public QueueLine line() throws IOException {
      return target.line();
    }

    @Override
    public long pid() {
      return target.pid();
    }

    @Override
    public void close() {
      target.close();
    }
  }

  private record Elastic(ElasticMqPeer target) implements Subject {
    @Override
    public void send(QueueLine line, String text) throws IOException {
      ((SqsLine) line).sendText(text);
    }

    @Override
    public @Nullable String take(QueueLine line) throws IOException {
      return ((SqsLine) line).takeText();
    }

    @Override
    public QueueLine line() throws IOException {
      return target.line();
    }

    @Override
    public long pid() {
      return target.pid();
    }

    @Override
    public void close() {
      target.close();
    }
  }
}
