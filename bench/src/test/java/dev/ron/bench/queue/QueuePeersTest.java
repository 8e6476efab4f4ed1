package dev.ron.bench.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.bench.load.ClosedLoop;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every queue that is measured takes a message, gives it, and does not give it again. */
@Tag("long")
final class QueuePeersTest {
  @TempDir Path folder;

  @Test
  void ours() throws Exception {
    try (MailboxTarget ours = MailboxTarget.start(folder)) {
      takesAndGives(ours);
      assertThat(ours.metric("mailbox_sends_total")).isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void beanstalkd() throws Exception {
    Peer peer = BeanstalkdPeer.find(SearchPath.ofMachine());
    assumeTrue(peer.isPresent(), "NOT RUN: " + peer.absence());
    try (QueueServer theirs = BeanstalkdPeer.start(peer, folder)) {
      takesAndGives(theirs);
    }
  }

  @Test
  void nats() throws Exception {
    Peer peer = NatsPeer.find(SearchPath.ofMachine());
    assumeTrue(peer.isPresent(), "NOT RUN: " + peer.absence());
    try (QueueServer theirs = NatsPeer.start(peer, folder)) {
      takesAndGives(theirs);
    }
  }

  /** With many lines at a time, because servers in a cluster answer out of turn under load. */
  @Test
  void natsAcrossThreeServers() throws Exception {
    Peer peer = NatsPeer.find(SearchPath.ofMachine());
    assumeTrue(peer.isPresent(), "NOT RUN: " + peer.absence());
    try (QueueServer theirs = NatsClusterPeer.start(peer, folder)) {
      takesAndGives(theirs);
      assertThat(new QueueLoad(theirs, new byte[1024], 32).mixed(Duration.ofSeconds(2)).perSecond())
          .isPositive();
    }
  }

  @Test
  void rabbitmq() throws Exception {
    Peer peer = RabbitPeer.find();
    assumeTrue(peer.isPresent(), "NOT RUN: " + peer.absence());
    try (QueueServer theirs = RabbitPeer.start(peer, folder)) {
      takesAndGives(theirs);
    }
  }

  @Test
  void elasticMq() throws Exception {
    Peer peer = ElasticMqPeer.find();
    assumeTrue(peer.isPresent(), "NOT RUN: " + peer.absence());
    try (ElasticMqPeer theirs = ElasticMqPeer.start(peer, folder);
        SqsSdk sdk = new SqsSdk(theirs, theirs.port(), 8)) {
      takesAndGives(theirs);
      takesAndGives(sdk);
    }
  }

  @Test
  void oursOverGrpc() throws Exception {
    try (MailboxTarget ours = MailboxTarget.start(folder)) {
      takesAndGives(new MailboxGrpc(ours));
    }
  }

  @Test
  void oursOverSqs() throws Exception {
    try (MailboxTarget ours = MailboxTarget.start(folder)) {
      try (SqsLine line = (SqsLine) ours.sqs().line()) {
        line.create();
        line.sendBatch("x");
        assertThat(line.handleBatch()).isEqualTo(SqsLine.BATCH);
      }
      takesAndGives(ours.sqs());
      try (SqsSdk sdk = new SqsSdk(ours.sqs(), ours.sqsPort(), 8)) {
        takesAndGives(sdk);
      }
    }
  }

  @Test
  void aVersionOfNatsThatCannotFlushIsKnown() {
    assertThat(NatsPeer.flushes("nats-server: v2.9.10")).isFalse();
    assertThat(NatsPeer.flushes("nats-server: v2.10.1")).isTrue();
  }

  private static void takesAndGives(QueueServer server) throws Exception {
    try (QueueLine line = server.line()) {
      for (int i = 0; i < 3; i++) {
        line.send(new byte[1024], "k" + i);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(line.handleOne()).isTrue();
      }
      assertThat(line.handleOne()).isFalse();
    }
    var load = new QueueLoad(server, new byte[1024], 8);
    for (QueueLoad.Kind kind : QueueLoad.Kind.values()) {
      ClosedLoop.Sample sample = load.run(kind, Duration.ofMillis(300));
      assertThat(sample.perSecond()).as("%s", kind).isPositive();
      assertThat(sample.p99Millis()).isGreaterThanOrEqualTo(sample.p50Millis());
    }
  }
}
