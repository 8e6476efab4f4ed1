package dev.ron.mailbox.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.testkit.FaultyDisk;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What tenants get of a mailbox: room by their limits, turns by their weights. */
final class TenantShareTest {
  private final SplittableRandom random = new SplittableRandom(1);
  private final VirtualTime time = new VirtualTime();
  private final FaultyDisk disk = new FaultyDisk(time, random);
  private SteppedMailbox mailbox;

  @BeforeEach
  void open() throws Exception {
    mailbox = new SteppedMailbox(time, random, disk, true, 100);
    mailbox.tenants =
        new TenantTable(
            List.of(
                new TenantTerms("acme", 1, Map.of(TenantLimit.QUEUED, 10L)),
                new TenantTerms("two", 2, Map.of()),
                new TenantTerms("four", 4, Map.of())));
  }

  private Outcome send(int shard, String topic, String fiveBytes) throws Exception {
    Reply<Outcome> sent = mailbox.send(shard, topic, fiveBytes, 0);
    mailbox.tree.settle();
    return sent.now();
  }

  @Test
  void aTenantFillsItsRoomInAllShardsAndInQueuesTogether() throws Exception {
    assertThat(send(0, "~acme/t", "aaaaa")).isInstanceOf(Outcome.Accepted.class);
    assertThat(send(1, "~acme/u", "bbbbb")).isInstanceOf(Outcome.Accepted.class);
    Outcome.Refused refused = (Outcome.Refused) send(0, "~acme/t", "ccccc");
    assertThat(refused.fault().status()).isEqualTo(507);
    assertThat(refused.fault().members())
        .containsEntry("tenant", "acme")
        .containsEntry("limit", "queued")
        .containsEntry("allowed", "10")
        .containsEntry("used", "10");
    assertThat(send(0, "~acme/t", "aaaaa"))
        .as("a repetition needs no room")
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(send(0, "t", "ccccc")).as("another's").isInstanceOf(Outcome.Accepted.class);
  }

  @Test
  void whatIsAckedMakesRoomAndARestartCountsTheRest() throws Exception {
    Outcome.Accepted first = (Outcome.Accepted) send(0, "~acme/t", "aaaaa");
    send(0, "~acme/t", "bbbbb");
    mailbox.receive(0, "~acme/t", 1000, false);
    mailbox.shards.submit(0, new Command.Ack(first.id(), null, TopicReach.ALL));
    mailbox.tree.settle();
    TenantTable tenants = mailbox.tenants;
    disk.crash();
    mailbox = new SteppedMailbox(time, random, disk, true, 100);
    mailbox.tenants = tenants;
    mailbox.tree.settle();
    assertThat(send(0, "~acme/t", "ccccc")).isInstanceOf(Outcome.Accepted.class);
    assertThat(send(0, "~acme/t", "ddddd")).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void aSendThatTheDiskDidNotTakeTakesNoRoom() throws Exception {
    disk.failFlushAfter(0);
    send(0, "~acme/t", "aaaaa");
    disk.failFlushAfter(Integer.MAX_VALUE);
    disk.crash();
    TenantTable tenants = mailbox.tenants;
    mailbox = new SteppedMailbox(time, random, disk, true, 100);
    mailbox.tenants = tenants;
    assertThat(send(0, "~acme/t", "bbbbb")).isInstanceOf(Outcome.Accepted.class);
    assertThat(send(0, "~acme/t", "ccccc")).isInstanceOf(Outcome.Accepted.class);
  }

  /** The inbox as the loop takes from it, filled by three tenants that never stop. */
  @Test
  void anInboxIsSharedByWeightAndAQuietTenantGoesAtOnce() throws Exception {
    ShardSlot slot = mailbox.shards.slots().getFirst();
    Map<String, Integer> served = new HashMap<>();
    for (int i = 0; i < 2000; i++) {
      for (String tenant : List.of("one", "two", "four")) {
        for (int n = 0; n < 8; n++) {
          sendAs(tenant);
        }
      }
      Queue<ShardRequest> taken = slot.take(7);
      taken.forEach(ask -> served.merge(topic(ask), 1, Integer::sum));
      taken.clear();
    }
    int all = served.values().stream().mapToInt(n -> n).sum();
    assertThat(served.get("~one/t") * 7.0 / all).isCloseTo(1, within(0.1));
    assertThat(served.get("~two/t") * 7.0 / all / 2).isCloseTo(1, within(0.1));
    assertThat(served.get("~four/t") * 7.0 / all / 4).isCloseTo(1, within(0.1));
    sendAs("quiet");
    assertThat(slot.take(4)).anyMatch(ask -> topic(ask).equals("~quiet/t"));
  }

  private void sendAs(String tenant) throws Exception {
    var payer = new Payer(Meter.NONE);
    payer.is(tenant);
    payer.call(() -> mailbox.shards.submit(0, SteppedMailbox.command("~" + tenant + "/t", "k", 0)));
  }

  private static String topic(ShardRequest ask) {
    return ((Command.Send) ((ShardRequest.Do) ask).command()).topic();
  }
}
