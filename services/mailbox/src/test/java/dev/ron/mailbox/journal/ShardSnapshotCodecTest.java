package dev.ron.mailbox.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.MailboxScript;
import dev.ron.mailbox.core.MessageBodies;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.ShardDecision;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ShardSnapshotCodecTest {
  private static final int MAGIC = 0x524d4258;

  /** Five empty lists: what an image has had behind it since there are queues. */
  private static final int NO_QUEUES_BYTES = 5 * Integer.BYTES;

  private final Shard shard =
      new Shard(0, MailboxScript.LIMITS, bodies(), _ -> Optional.empty(), null);
  private final List<Fact> facts = new ArrayList<>();

  private static MessageBodies bodies() {
    return _ -> {
      throw new AssertionError("no body is read");
    };
  }

  private void run(Command command) {
    ShardDecision decision = shard.decide(command, 5, new SplittableRandom(1));
    for (Fact fact : decision.facts()) {
      facts.add(fact);
      shard.apply(fact, facts.size());
    }
  }

  private static List<ShardCapture> read(byte[] bytes) throws IOException {
    var read = new ArrayList<ShardCapture>();
    ShardSnapshotCodec.read(new ByteArrayInputStream(bytes), _ -> true, read::add);
    return read;
  }

  private void sendTwo() {
    for (String key : List.of("a", "b")) {
      run(
          new Command.Send(
              "t", key, new byte[1], Blake3.hash(new byte[1]), Map.of(), 0, "g", "", 0, false));
    }
  }

  /** Snapshots of before there were queues: without leases, and with them. */
  @Test
  void aSnapshotOfBeforeIsRead() throws IOException {
    sendTwo();
    var image = new ByteArrayOutputStream();
    ShardImageWriter.write(shard.image(), new DataOutputStream(image));
    byte[] whole = image.toByteArray();
    for (int version = 2; version <= 3; version++) {
      var bytes = new ByteArrayOutputStream();
      var out = new DataOutputStream(bytes);
      out.writeInt(MAGIC);
      out.writeInt(version);
      out.writeInt(1);
      out.writeInt(0);
      out.writeLong(77);
      out.write(whole, 0, whole.length - NO_QUEUES_BYTES);
      if (version == 3) {
        out.writeInt(1);
        long number = 1;
        out.writeLong(shard.image().lastId().high());
        out.writeLong(number << 16);
        out.writeLong(-9);
        out.writeLong(1234);
      }
      ShardCapture captured = read(bytes.toByteArray()).getFirst();
      assertThat(captured.position()).isEqualTo(77);
      assertThat(captured.leases()).hasSize(version - 2);
      assertThat(captured.leases()).allMatch(each -> each.untilMillis() == 1234 && !each.durable());
      var again =
          new Shard(0, MailboxScript.LIMITS, bodies(), _ -> Optional.empty(), captured.image());
      assertThat(again.ready()).isEqualTo(2);
      assertThat(again.queues()).isEmpty();
    }
  }

  @Test
  void queuesAndTheirLeasesAreKept() throws IOException {
    run(
        new QueueCommand.Make(
            QueueRecord.wanted(
                "sqs/1/q.fifo", QueueSettings.DEFAULTS, Map.of("Policy", "p"), Map.of("k", "v")),
            List.of()));
    sendTwo();
    var bytes = new ByteArrayOutputStream();
    List<Fact.Leased> leases =
        List.of(new Fact.Leased(shard.image().lastId(), new Receipt(3), 4, 5, true));
    ShardSnapshotCodec.write(List.of(new ShardCapture(0, 7, shard.image(), leases)), bytes);
    ShardCapture captured = read(bytes.toByteArray()).getFirst();
    assertThat(captured.leases()).isEqualTo(leases);
    assertThat(captured.image().queues()).isEqualTo(shard.image().queues());
    assertThat(
            new Shard(0, MailboxScript.LIMITS, bodies(), _ -> Optional.empty(), captured.image())
                .queues())
        .singleElement()
        .satisfies(queue -> assertThat(queue.tags()).containsEntry("k", "v"));
  }
}
