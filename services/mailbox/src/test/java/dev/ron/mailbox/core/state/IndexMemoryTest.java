package dev.ron.mailbox.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import dev.ron.mailbox.core.MailboxScript;
import dev.ron.mailbox.core.MessageBodies;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.Ulid;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a shard says it takes of memory is what it takes, or its bounds would bound nothing. */
@Tag("long")
final class IndexMemoryTest {
  private static final int MESSAGES = 500_000;
  private static final int TOPICS = 100;
  private static final int KEY_WORDS = 5;
  private static final int GROUPS = 100_000;

  @Test
  void theIndexAndTheKeysTakeWhatTheySay() {
    // The first time pays for classes, and lets go of what other tests left behind.
    measured();
    Measured measured = measured();
    System.out.printf(
        "index memory: %.1f bytes a message measured, %.1f said%n",
        (measured.heap() - measured.keys()) / MESSAGES, measured.index() / MESSAGES);
    assertThat(measured.heap() - measured.keys())
        .as("the heap's growth beside what the shard says")
        .isCloseTo(measured.index(), Percentage.withPercentage(15));
  }

  /** The largest number of groups that a queue is promised to have room for by default. */
  @Test
  void aHundredThousandGroupsOfAFifoQueueTakeWhatTheySayAndFit() {
    groups(); // classes, and what other tests left behind
    Measured measured = groups();
    System.out.printf(
        "group memory: %.1f bytes a group measured, %.1f said%n",
        measured.heap() / GROUPS, measured.index() / GROUPS);
    assertThat(measured.heap()).isCloseTo(measured.index(), Percentage.withPercentage(25));
    assertThat(measured.index()).as("index_bytes by default").isLessThan(128 << 20);
  }

  private static Measured groups() {
    var random = new SplittableRandom(1);
    Hash hash = Blake3.hash(new byte[] {1});
    long before = used();
    var shard =
        new Shard(
            0,
            MailboxScript.LIMITS,
            _ -> {
              throw new AssertionError("no body is read here");
            },
            _ -> Optional.empty(),
            null);
    Ulid last = Ulid.NONE;
    for (int i = 0; i < GROUPS; i++) {
      last = Ulid.after(last, 1000, 0, random);
      var message =
          new Message(
              last,
              "sqs/%d/q.fifo".formatted(1), // a text of its own, as it comes from a record
              "customer-%08d".formatted(i),
              0,
              "",
              hash,
              1024,
              Map.of(),
              "");
      shard.apply(new Fact.Sent(message, new byte[0], Fact.AT_ONCE, 1000), i);
    }
    long took = used() - before;
    assertThat(shard.living()).isEqualTo(GROUPS);
    return new Measured(took, shard.indexBytes(), 0);
  }

  /**
   * Bytes for all messages.
   *
   * @param keys what the keys take of the heap; their entries are outside of it
   */
  private record Measured(double heap, double index, double keys) {}

  private static Measured measured() {
    var random = new SplittableRandom(1);
    Hash hash = Blake3.hash(new byte[] {1});
    byte[] none = new byte[0];
    var limits =
        new ShardLimits(10_000_000, 1000, 300_000, 1 << 30, 1000, MailboxScript.LIMITS.attempts());
    long before = used();
    MessageBodies nobody =
        _ -> {
          throw new AssertionError("nobody reads here");
        };
    var shard = new Shard(0, limits, nobody, _ -> Optional.empty(), null);
    Ulid last = Ulid.NONE;
    for (int i = 0; i < MESSAGES; i++) {
      last = Ulid.after(last, 1000, 0, random);
      var message =
          new Message(last, "topic-" + i % TOPICS, "", 0, "key-" + i, hash, 1024, Map.of(), "");
      shard.apply(new Fact.Sent(message, none, Fact.AT_ONCE, 1000), i);
    }
    long took = used() - before;
    assertThat(shard.living()).isEqualTo(MESSAGES);
    return new Measured(took, shard.indexBytes(), shard.keyBytes() - outsideOfTheHeap());
  }

  private static long outsideOfTheHeap() {
    long blocks = (MESSAGES + AgedTable.BLOCK_ENTRIES - 1) / AgedTable.BLOCK_ENTRIES;
    return (blocks - AgedTable.HEAP_BLOCKS) * AgedTable.BLOCK_ENTRIES * KEY_WORDS * Long.BYTES;
  }

  private static long used() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
