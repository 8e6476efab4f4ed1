package dev.ron.mailbox.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.StoredMessage;
import dev.ron.testkit.SeedRow;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A payload that is not what was sent is never delivered. */
final class IntegrityTest {
  @Test
  @SeedRow({"M59", "M83"})
  void everyFlippedBitOfAPayloadIsFoundBeforeDelivery() {
    for (int bit = 0; bit < 64 * 8; bit++) {
      var lies = new ArrayList<StoredMessage>();
      var shard =
          new Shard(
              0,
              MailboxScript.LIMITS,
              position -> new MessageBodies.Read.Found(lies.get((int) position)),
              _ -> Optional.empty(),
              null);
      var random = new SplittableRandom(1);
      byte[] body = new byte[64];
      var send = new Command.Send("t", "k", body, Blake3.hash(body), Map.of(), 0, "", "", 0, false);
      var sent = (Fact.Sent) shard.decide(send, 1, random).facts().getFirst();
      lies.add(new StoredMessage(sent.message(), body));
      shard.apply(sent, 0);
      body[bit / 8] ^= (byte) (1 << bit % 8);
      ShardDecision decision = shard.decide(new Command.Receive("t", 1000, 1000), 2, random);
      assertThat(decision.outcome()).isInstanceOf(Outcome.Corrupt.class);
      decision.facts().forEach(fact -> shard.apply(fact, 1));
      assertThat(shard.deadLetters(DeadLetterFilter.ALL, 1).getFirst().death().reason())
          .isEqualTo(DeadLetterReason.INTEGRITY);
      assertThat(shard.decide(new Command.Receive("t", 1000, 1000), 3, random).outcome())
          .isEqualTo(new Outcome.Empty());
    }
  }
}
