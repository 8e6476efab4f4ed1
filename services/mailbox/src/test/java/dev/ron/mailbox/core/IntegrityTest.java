package dev.ron.mailbox.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A payload that is not what was sent is never delivered. */
final class IntegrityTest {
  @Test
  void everyFlippedBitOfAPayloadIsFoundBeforeDelivery() {
    for (int bit = 0; bit < 64 * 8; bit++) {
      var shard = new Shard(0, MailboxScript.LIMITS);
      var random = new SplittableRandom(1);
      byte[] body = new byte[64];
      var send = new Command.Send("t", "k", body, Blake3.hash(body), Map.of(), 0, "", "", 0, false);
      shard.decide(send, 1, random).facts().forEach(shard::apply);
      body[bit / 8] ^= (byte) (1 << bit % 8);
      Decision decision = shard.decide(new Command.Receive("t", 1000, 1000), 2, random);
      assertThat(decision.outcome()).isInstanceOf(Outcome.Corrupt.class);
      decision.facts().forEach(shard::apply);
      assertThat(shard.deadLetters(DeadFilter.ALL, 1).getFirst().reason())
          .isEqualTo(DeathReason.INTEGRITY);
      assertThat(shard.decide(new Command.Receive("t", 1000, 1000), 3, random).outcome())
          .isEqualTo(new Outcome.Empty());
    }
  }
}
