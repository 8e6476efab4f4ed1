package dev.ron.mailbox.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Standard queues: their records, receipts, dead letters, retention and bounds. */
final class StandardQueueTest {
  @Test
  void aQueueIsMadeOnceAndItsNameIsBlockedForAMinute() throws IOException {
    QueueScript.play(
        """
        0      send    m1 q                               -> no-such-queue
        0      make    q visibility=5                     -> made
        1      make    q                                  -> made
        1      make    q visibility=5 named=VisibilityTimeout  -> made
        1      make    q visibility=6 named=VisibilityTimeout  -> NAME_TAKEN VisibilityTimeout
        2      crash                                      ->
        2      make    q visibility=6 named=VisibilityTimeout  -> NAME_TAKEN VisibilityTimeout
        3      send    m1 q                               -> m1
        4      delete  q                                  -> made
        4      delete  q                                  -> no-such-queue
        5      snapshot                                   ->
        60003  make    q                                  -> DELETED_RECENTLY
        60004  make    q                                  -> made
        60005  receive r1 q                               -> empty
        """);
  }

  @Test
  void everyHandleStaysGoodAndAnOlderOneEndsTheNewerLease() throws IOException {
    QueueScript.play(
        """
        0      make    q                  -> made
        0      send    m1 q               -> m1
        0      send    m2 q               -> m2
        1      receive r1 q               -> m1
        30001  receive r2 q               -> m1#2
        30002  visible m1 0               -> done
        30003  receive r3 q               -> m1#3
        30004  done    m1                 -> done
        30005  done    m1                 -> done
        30006  visible m1 10              -> unknown-message
        30007  receive r4 q visibility=5  -> m2
        30012  visible m2 1000            -> done
        30013  receive r5 q               -> m2#2
        30014  done    m2 queue=other     -> unknown-message
        """);
  }

  @Test
  void aLeaseLastsTwelveHoursInAll() throws IOException {
    QueueScript.play(
        """
        0         make    q                          -> made
        0         send    m1 q                       -> m1
        0         receive r1 q visibility=43200000   -> m1
        3600000   visible r1.m1 39600000             -> done
        3600000   visible r1.m1 39600001             -> VISIBILITY_TOO_LONG
        43199999  receive r2 q                       -> empty
        43200000  receive r2 q                       -> m1#2
        """);
  }

  @Test
  void delaysAreTheQueuesOrTheMessages() throws IOException {
    QueueScript.play(
        """
        0     make    q delay=2          -> made
        0     send    m1 q               -> m1
        0     send    m2 q delay=1       -> m2
        0     send    m3 q delay=0       -> m3
        0     counts  q                  -> 1 2 0
        0     receive r1 q max=10        -> m3
        0     change  q delay=0          -> made
        1000  receive r2 q max=10        -> m2
        1999  receive r3 q max=10        -> empty
        2000  receive r3 q max=10        -> m1
        2000  peek    q                  -> m1:in-flight m2:in-flight m3:in-flight
        """);
  }

  @Test
  void aMessageThatIsReceivedTooOftenMovesAndKeepsItsIdAndCount() throws IOException {
    QueueScript.play(
        """
        0      make    d                            -> made
        0      make    q dlq=d:2                    -> made
        0      send    m1 q                         -> m1
        5      receive r1 q visibility=10           -> m1
        15     receive r2 q visibility=10           -> m1#2
        25     receive r3 q                         -> empty
        25     crash                                ->
        25     counts  q                            -> 0 0 0
        25     counts  d                            -> 1 0 0
        26     receive r4 d visibility=10           -> m1#3
        26     from    r4.m1                        -> q 5
        36     snapshot                             ->
        36     receive r5 d visibility=10           -> m1#4
        36     from    r5.m1                        -> q 5
        46     move    d                            -> 1
        47     receive r6 q                         -> m1
        47     from    r6.m1                        -> 47
        """);
  }

  @Test
  void aMessageStaysWhereItIsWhileItsTargetIsGone() throws IOException {
    QueueScript.play(
        """
        0      make    d                            -> made
        0      make    q dlq=d:1                    -> made
        0      send    m1 q                         -> m1
        0      delete  d                            -> made
        5      receive r1 q visibility=10           -> m1
        15     counts  q                            -> 1 0 0
        15     receive r2 q visibility=10           -> m1#2
        70000  make    d                            -> made
        70000  receive r3 q visibility=10           -> m1#3
        70010  counts  q                            -> 0 0 0
        70010  counts  d                            -> 1 0 0
        70011  delete  q                            -> made
        70011  move    d                            -> 0
        70011  move    d to=none                    -> 0
        70011  counts  d                            -> 1 0 0
        """);
  }

  @Test
  void withoutATargetAMessageNeverDies() throws IOException {
    var lines =
        new StringBuilder(
            "0 make q -> made\n0 send m1 q -> m1\n0 receive r0 q visibility=1 -> m1\n");
    for (int i = 1; i < 5000; i++) {
      lines.append("%d receive r q visibility=1 -> m1#%d\n".formatted(i, Math.min(4096, i + 1)));
      if (i % 1000 == 0) {
        lines.append(i).append(i % 2000 == 0 ? " crash ->\n" : " snapshot ->\n");
        // what a crash cut short is not counted
        lines.append("%d receive r q visibility=1 -> m1#%d\n".formatted(i, Math.min(4096, i + 1)));
      }
    }
    QueueScript.play(lines.toString());
  }

  @Test
  void aRepeatedCallIsToldTheFirstAnswerAndNoKeyIsNoRepetition() throws IOException {
    QueueScript.play(
        """
        0  make  q                           -> made
        0  send  m1 q retry=call-1/a body=x  -> m1
        1  send  m2 q retry=call-1/a body=x  -> duplicate-of m1
        1  send  m2 q retry=call-1/a body=y  -> m2
        1  send  m3 q retry=call-1/b body=x  -> m3
        2  send  m4 q body=same              -> m4
        2  send  m5 q body=same              -> m5
        3  crash                             ->
        3  send  m6 q retry=call-1/b body=x  -> duplicate-of m3
        """);
  }

  @Test
  void oldMessagesVanishByTheAgeOfTheirQueue() throws IOException {
    QueueScript.play(
        """
        0      make    q retention=60     -> made
        0      make    p retention=120    -> made
        0      send    m1 p               -> m1
        1      send    m2 q               -> m2
        2      send    m3 q               -> m3
        2      receive r1 q visibility=90000 -> m2
        60000  retain                     -> 0
        60001  done    r1.m2              -> done
        60002  retain                     -> 1
        60003  crash                      ->
        60003  counts  q                  -> 0 0 0
        60003  counts  p                  -> 1 0 0
        """);
  }

  @Test
  void aPurgeTakesWhatIsInFlightAndDelayedToo() throws IOException {
    QueueScript.play(
        """
        0      make    q                  -> made
        0      make    p                  -> made
        0      send    m1 q               -> m1
        0      send    m2 q delay=5       -> m2
        0      send    m3 p               -> m3
        0      send    m4 q group=g       -> m4
        1      receive r1 q               -> m1
        2      purge   q                  -> made
        3      counts  q                  -> 0 0 0
        3      counts  p                  -> 1 0 0
        4      crash                      ->
        4      counts  q                  -> 0 0 0
        60001  purge   q                  -> PURGED_RECENTLY
        60002  send    m5 q               -> m5
        60002  purge   q                  -> made
        60003  receive r2 q               -> empty
        """);
  }

  @Test
  void oneMoveAtATime() throws IOException {
    QueueScript.play(
        """
        0  make   d           -> made
        0  start  d t1        -> RUNNING
        0  start  d t2        -> MOVE_RUNNING
        1  crash              ->
        1  start  d t2        -> MOVE_RUNNING
        1  snapshot           ->
        2  cancel d t2        -> NO_MOVE
        2  cancel d t1        -> CANCELLED
        3  cancel d t1        -> NO_MOVE
        3  start  d t2        -> RUNNING
        """);
  }

  @Test
  void groupsOfAStandardQueueTakeTurns() throws IOException {
    QueueScript.play(
        """
        0  make    q                  -> made
        0  send    a1 q group=a       -> a1
        0  send    a2 q group=a       -> a2
        0  send    a3 q group=a       -> a3
        0  send    b1 q group=b       -> b1
        1  receive r1 q max=10        -> a1 b1 a2 a3
        """);
  }

  @Test
  void aHundredAndTwentyThousandAreInFlightAndNoMore() {
    for (String queue : List.of("q", "q.fifo")) {
      var shard = new KeptShard(MailboxScript.LIMITS);
      var random = new SplittableRandom(1);
      String topic = QueueScript.topic(queue);
      shard.run(make(topic), 0, random);
      byte[] body = {1};
      for (int i = 0; i <= ReceiveDecider.QUEUE_IN_FLIGHT_MAX; i++) {
        var put =
            new QueueCommand.Put(
                topic, body, Blake3.hash(body), Map.of(), -1, "g" + i, "", "", 1, "", 0);
        assertThat(shard.run(put, 0, random)).isInstanceOf(Outcome.Accepted.class);
      }
      var receive = new Command.Receive(topic, 60_000, 100);
      for (int i = 0; i < ReceiveDecider.QUEUE_IN_FLIGHT_MAX; i++) {
        assertThat(shard.run(receive, 0, random)).isInstanceOf(Outcome.Delivered.class);
      }
      assertThat(shard.run(receive, 0, random))
          .isInstanceOf(queue.equals("q") ? Outcome.Refused.class : Outcome.Empty.class);
      // Native topics have their own bounds, which queues do not use up.
      assertThat(
              shard.run(
                  new Command.Send(
                      "t", "k", body, Blake3.hash(body), Map.of(), 0, "", "", 0, false),
                  0,
                  random))
          .isInstanceOf(Outcome.Accepted.class);
    }
  }

  @Test
  void attributesMayBeLongerThan64KiB() {
    var shard = new KeptShard(MailboxScript.LIMITS);
    var random = new SplittableRandom(1);
    String topic = QueueScript.topic("q");
    shard.run(make(topic), 0, random);
    byte[] body = {1};
    String large = "ü".repeat(200_000);
    shard.run(
        new QueueCommand.Put(
            topic,
            body,
            Blake3.hash(body),
            Map.of("a", large),
            -1,
            "g".repeat(128),
            "",
            "",
            1,
            "",
            0),
        0,
        random);
    Outcome outcome = shard.run(new Command.Receive(topic, 1000, 100), 0, random);
    Envelope envelope = ((Outcome.Delivered) outcome).envelope();
    assertThat(envelope.message().attrs()).containsEntry("a", large);
    assertThat(envelope.message().group()).hasSize(128);
  }

  private static QueueCommand make(String topic) {
    return new QueueCommand.Make(
        QueueRecord.wanted(topic, QueueSettings.DEFAULTS, Map.of(), Map.of()), List.of());
  }
}
