package dev.ron.mailbox.core;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Rule by rule: what a FIFO queue hands out, and what it holds back. */
final class FifoQueueTest {
  @Test
  void oneReceiveTakesAsManyOfAGroupAsItCanAndThenGoesOn() throws IOException {
    QueueScript.play(
        """
        0  make    q.fifo                       -> made
        0  send    a1 q.fifo group=a            -> a1
        1  send    b1 q.fifo group=b            -> b1
        2  send    a2 q.fifo group=a            -> a2
        3  send    a3 q.fifo group=a            -> a3
        4  receive r1 q.fifo max=10             -> a1 a2 a3 b1
        5  receive r2 q.fifo max=10             -> empty
        """);
  }

  @Test
  void aGroupInFlightIsBlockedAndOthersAreNot() throws IOException {
    QueueScript.play(
        """
        0     make    q.fifo                    -> made
        0     send    a1 q.fifo group=a         -> a1
        0     send    a2 q.fifo group=a         -> a2
        0     send    b1 q.fifo group=b         -> b1
        1     receive r1 q.fifo                 -> a1
        2     receive r2 q.fifo max=10          -> b1
        3     receive r3 q.fifo max=10          -> empty
        3     send    a3 q.fifo group=a         -> a3
        3     receive r3 q.fifo max=10          -> empty
        4     done    r1.a1                     -> done
        5     receive r4 q.fifo max=10          -> a2 a3
        """);
  }

  @Test
  void theTimeoutOfTheFirstUnblocksAndTheSecondBlocksTheRest() throws IOException {
    QueueScript.play(
        """
        0      make    q.fifo                           -> made
        0      send    m1 q.fifo group=g                -> m1
        0      send    m2 q.fifo group=g                -> m2
        0      send    m3 q.fifo group=g                -> m3
        1      receive r1 q.fifo max=2                  -> m1 m2
        2      visible r1.m2 60000                      -> done
        30000  receive r2 q.fifo max=10                 -> empty
        30001  receive r3 q.fifo max=10                 -> m1#2
        30002  receive r4 q.fifo max=10                 -> empty
        30003  done    r3.m1                            -> done
        30004  receive r5 q.fifo max=10                 -> empty
        30005  done    r1.m2                            -> done
        30006  receive r6 q.fifo max=10                 -> m3
        """);
  }

  @Test
  void visibilityZeroLeavesTheGroupOpenForTheNextCall() throws IOException {
    QueueScript.play(
        """
        0  make    q.fifo                               -> made
        0  send    m1 q.fifo group=g                    -> m1
        0  send    m2 q.fifo group=g                    -> m2
        1  receive r1 q.fifo visibility=0 max=10        -> m1 m2
        1  receive r2 q.fifo max=10                     -> m1#2 m2#2
        2  visible r2.m1 0                              -> done
        2  receive r3 q.fifo max=10                     -> m1#3
        """);
  }

  @Test
  void aServedGroupGoesToTheEndOfTheLine() throws IOException {
    QueueScript.play(
        """
        0  make    q.fifo                       -> made
        0  send    a1 q.fifo group=a            -> a1
        0  send    a2 q.fifo group=a            -> a2
        0  send    b1 q.fifo group=b            -> b1
        0  send    c1 q.fifo group=c            -> c1
        1  receive r1 q.fifo                    -> a1
        2  done    r1.a1                        -> done
        3  receive r2 q.fifo                    -> b1
        4  receive r3 q.fifo                    -> c1
        5  receive r4 q.fifo                    -> a2
        """);
  }

  @Test
  void aDelayedMessageBlocksItsGroup() throws IOException {
    QueueScript.play(
        """
        0     make    q.fifo delay=1            -> made
        0     send    m1 q.fifo group=g delay=0 -> m1
        0     receive r1 q.fifo                 -> empty
        10    send    m2 q.fifo group=g         -> m2
        999   receive r1 q.fifo max=10          -> empty
        1000  receive r1 q.fifo max=10          -> m1
        1010  receive r2 q.fifo max=10          -> empty
        1011  done    r1.m1                     -> done
        1012  receive r2 q.fifo max=10          -> m2
        """);
  }

  @Test
  void aNewDelayCountsForWhatWaitsAlreadyAndNotForWhatIsReady() throws IOException {
    for (String ending : new String[] {"crash", "snapshot"}) {
      QueueScript.play(
          """
          0     make    q.fifo delay=2            -> made
          0     make    p.fifo delay=2            -> made
          0     send    m1 q.fifo group=g         -> m1
          0     send    p1 p.fifo group=g         -> p1
          500   change  q.fifo delay=1            -> made
          500   ENDING                            ->
          999   receive r1 q.fifo                 -> empty
          1000  counts  q.fifo                    -> 1 0 0
          1200  send    m2 q.fifo group=h         -> m2
          1300  change  q.fifo delay=3            -> made
          1300  ENDING                            ->
          1300  receive r1 q.fifo max=10          -> m1
          1999  receive r2 p.fifo                 -> empty
          2000  receive r2 p.fifo                 -> p1
          4199  receive r2 q.fifo                 -> empty
          4200  receive r2 q.fifo                 -> m2
          4300  send    m3 q.fifo group=i         -> m3
          4400  change  q.fifo delay=0            -> made
          4400  receive r3 q.fifo                 -> m3
          """
              .replace("ENDING", ending));
    }
  }

  @Test
  void aNewDelayIsNoneForWhatAConsumerGaveBackForATimeOfItsOwn() throws IOException {
    QueueScript.play(
        """
        0     make    q.fifo delay=1            -> made
        0     send    m1 q.fifo group=g         -> m1
        1000  receive r1 q.fifo                 -> m1
        1000  nack    r1.m1 5000                -> done
        2000  change  q.fifo delay=0            -> made
        5999  receive r2 q.fifo                 -> empty
        6000  receive r2 q.fifo                 -> m1#2
        """);
  }

  @Test
  void anExpiredHandleIsRefusedAndAnExtendedOneIsNot() throws IOException {
    QueueScript.play(
        """
        0      make    q.fifo                     -> made
        0      send    m1 q.fifo group=g          -> m1
        0      receive r1 q.fifo                  -> m1
        30000  done    r1.m1                      -> receipt-expired
        30000  visible r1.m1 1000                 -> receipt-expired
        30001  receive r2 q.fifo                  -> m1#2
        30002  done    r1.m1                      -> receipt-expired
        60000  visible r2.m1 30000                -> done
        89999  done    r2.m1                      -> done
        89999  done    r2.m1                      -> done
        """);
  }

  @Test
  void aDuplicateHasTheFirstIdWhateverItsBodyForFiveMinutesFromTheFirst() throws IOException {
    QueueScript.play(
        """
        0       make    q.fifo                              -> made
        0       send    m1 q.fifo group=g dedup=d           -> m1
        1       send    m2 q.fifo group=g dedup=d body=x    -> duplicate-of m1
        2       send    m3 q.fifo group=h dedup=d           -> duplicate-of m1
        3       receive r1 q.fifo                           -> m1
        4       done    r1.m1                               -> done
        299999  send    m4 q.fifo group=g dedup=d           -> duplicate-of m1
        300000  send    m5 q.fifo group=g dedup=d           -> m5
        300001  purge   q.fifo                              -> made
        300002  send    m6 q.fifo group=g dedup=d           -> m6
        300003  crash                                       ->
        300003  send    m7 q.fifo group=g dedup=d           -> duplicate-of m6
        300004  delete  q.fifo                              -> made
        360003  make    q.fifo                              -> DELETED_RECENTLY
        360004  make    q.fifo                              -> made
        360005  send    m8 q.fifo group=g dedup=d           -> m8
        """);
  }

  @Test
  void deduplicationWithinAGroup() throws IOException {
    QueueScript.play(
        """
        0  make    q.fifo scope=group                       -> made
        0  send    m1 q.fifo group=g dedup=d                -> m1
        0  send    m2 q.fifo group=h dedup=d                -> m2
        0  send    m3 q.fifo group=g dedup=d                -> duplicate-of m1
        1  change  q.fifo                                   -> made
        1  send    m4 q.fifo group=i dedup=d                -> m4
        """);
  }

  @Test
  void leasesHoldOverACrashAndASnapshot() throws IOException {
    for (String ending : new String[] {"crash", "snapshot"}) {
      QueueScript.play(
          """
          0      make    q.fifo                 -> made
          0      send    m1 q.fifo group=g      -> m1
          0      send    m2 q.fifo group=g      -> m2
          1      receive r1 q.fifo              -> m1
          2      visible r1.m1 40000            -> done
          3      ENDING                         ->
          4      receive r2 q.fifo max=10       -> empty
          4      counts  q.fifo                 -> 1 0 1
          40001  receive r2 q.fifo max=10       -> empty
          40002  receive r2 q.fifo max=10       -> m1#2 m2
          40003  ENDING                         ->
          40004  done    r2.m1                  -> done
          40005  done    r2.m2                  -> done
          40006  ENDING                         ->
          90000  receive r3 q.fifo max=10       -> empty
          """
              .replace("ENDING", ending));
    }
  }

  @Test
  void deadLettersOfAFifoQueueStayInOrderAndGoBackInOrder() throws IOException {
    QueueScript.play(
        """
        0      make    d.fifo                              -> made
        0      make    q.fifo dlq=d.fifo:1                 -> made
        0      send    m1 q.fifo group=g                   -> m1
        0      send    m2 q.fifo group=g                   -> m2
        0      send    m3 q.fifo group=g                   -> m3
        1      receive r1 q.fifo visibility=10 max=2       -> m1 m2
        11     receive r2 d.fifo max=1                     -> m1#2
        11     from    r2.m1                               -> q.fifo 1
        12     receive r3 d.fifo max=10                    -> empty
        12     crash                                       ->
        12     receive r3 d.fifo max=10                    -> empty
        13     visible r2.m1 0                             -> done
        14     move    d.fifo                              -> 2
        15     receive r4 q.fifo visibility=5000 max=10    -> m1 m2 m3
        15     from    r4.m1                               -> 15
        """);
  }

  @Test
  void aMoveOvertakesNothingOfItsGroup() throws IOException {
    QueueScript.play(
        """
        0      make    d.fifo                              -> made
        0      make    q.fifo dlq=d.fifo:1                 -> made
        0      send    m1 q.fifo group=g                   -> m1
        0      send    m2 q.fifo group=g                   -> m2
        0      send    n1 q.fifo group=h                   -> n1
        1      receive r1 q.fifo visibility=10 max=10      -> m1 m2 n1
        11     receive r2 d.fifo visibility=10 max=1       -> m1#2
        12     move    d.fifo                              -> 1
        12     peek    q.fifo                              -> n1:ready
        21     move    d.fifo                              -> 2
        22     receive r3 q.fifo visibility=10 max=10      -> n1 m1 m2
        """);
  }
}
