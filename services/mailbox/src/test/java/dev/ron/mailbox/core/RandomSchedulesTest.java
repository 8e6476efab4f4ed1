package dev.ron.mailbox.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.kernel.retry.Backoff;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.state.Attempts;
import dev.ron.mailbox.core.state.ShardLimits;
import dev.ron.testkit.Seeds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Ten thousand lives of a shard, crashes and snapshots among them, each beside a simple model. */
final class RandomSchedulesTest {
  private static final ShardLimits LIMITS =
      new ShardLimits(
          6,
          4,
          500,
          9,
          10_000,
          new Attempts(3, new Backoff.FullJitter(Duration.ofMillis(20), Duration.ofMillis(100))));

  @Test
  void theShardDoesWhatTheModelAllows() {
    Seeds.forEach(10_000, (_, random) -> new Life(random).live(60));
  }

  /** One schedule. */
  private static final class Life {
    private final RandomGenerator random;
    private final KeptShard real = new KeptShard(LIMITS);
    private final SimpleMailbox model = new SimpleMailbox(LIMITS);
    private final List<Envelope> handed = new ArrayList<>();
    private long now = 1_000_000;

    Life(RandomGenerator random) {
      this.random = random;
    }

    void live(int steps) throws IOException {
      for (int i = 0; i < steps; i++) {
        now += random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(5);
        real.tick(now, random);
        model.tick(now);
        switch (random.nextInt(16)) {
          case 0, 1, 2, 3, 4 -> send();
          case 5, 6, 7, 8 -> receive();
          case 9, 10 -> ack();
          case 11, 12 -> nack();
          case 13 -> extend();
          case 14 -> operate();
          default -> crash();
        }
        compare();
      }
    }

    private void send() {
      String topic = "t" + random.nextInt(2);
      String key = "k" + random.nextInt(12);
      byte[] body = {(byte) random.nextInt(4) == 0 ? (byte) 1 : 0};
      int delay = random.nextInt(3) == 0 ? random.nextInt(1, 100) : 0;
      String group = "g" + random.nextInt(3);
      var command =
          new Command.Send(
              topic, key, body, Blake3.hash(body), Map.of(), delay, group, "", now, false);
      Outcome outcome = real.run(command, now, random);
      SimpleMailbox.Sent known = model.known(topic, key, now);
      if (known != null) {
        if (known.hash().equals(command.payloadHash())) {
          assertThat(outcome).isEqualTo(new Outcome.Accepted(known.id(), true));
        } else {
          assertThat(code(outcome)).isEqualTo("idem-mismatch");
        }
      } else if (model.full(now)) {
        assertThat(code(outcome)).isEqualTo("saturated");
      } else {
        Ulid id = ((Outcome.Accepted) outcome).id();
        assertThat(((Outcome.Accepted) outcome).duplicate()).isFalse();
        assertThat(model.find(id)).isNull();
        model.rows.add(new SimpleMailbox.Row(id, topic, group, delay == 0 ? 0 : now + delay));
        model.keys.add(new SimpleMailbox.Sent(topic, key, command.payloadHash(), id, now));
      }
    }

    private void receive() {
      String topic = "t" + random.nextInt(2);
      int visibility = random.nextInt(1, 150);
      Outcome outcome =
          real.run(new Command.Receive(topic, visibility, Long.MAX_VALUE), now, random);
      List<SimpleMailbox.Row> allowed = model.next(topic, now);
      if (allowed.isEmpty()) {
        assertThat(outcome).isEqualTo(new Outcome.Empty());
        return;
      }
      Envelope envelope = ((Outcome.Delivered) outcome).envelope();
      SimpleMailbox.Row row = model.find(envelope.message().id());
      assertThat(allowed).contains(row);
      row.receipt = envelope.receipt();
      row.until = now + visibility;
      row.attempts++;
      assertThat(envelope.attempt()).isEqualTo(row.attempts);
      handed.add(envelope);
    }

    private void ack() {
      if (handed.isEmpty()) {
        return;
      }
      Envelope envelope = handed.get(random.nextInt(handed.size()));
      Ulid id = envelope.message().id();
      Receipt receipt = random.nextInt(4) == 0 ? null : envelope.receipt();
      Outcome outcome = real.run(new Command.Ack(id, receipt, TopicReach.ALL), now, random);
      Long ackedAt = model.ackedAt.get(id);
      if (ackedAt != null) {
        // Remembered for the replay time at least; after that it may be forgotten.
        if (ackedAt + LIMITS.replayMillis() > now) {
          assertThat(code(outcome)).isNull();
        } else {
          assertThat(code(outcome)).isIn(null, "unknown-message");
        }
        return;
      }
      String refusal = model.refusal(id, receipt, receipt != null);
      assertThat(code(outcome)).isEqualTo(refusal);
      if (refusal == null) {
        model.ackedAt.put(id, now);
        model.rows.remove(model.find(id));
      }
    }

    private void nack() {
      if (handed.isEmpty()) {
        return;
      }
      Envelope envelope = handed.get(random.nextInt(handed.size()));
      Ulid id = envelope.message().id();
      Long delay = random.nextBoolean() ? null : Long.valueOf(random.nextInt(60));
      ShardDecision decision =
          real.decide(
              new Command.Nack(id, envelope.receipt(), "no", delay, TopicReach.ALL), now, random);
      String refusal = model.refusal(id, envelope.receipt(), true);
      assertThat(code(decision.outcome())).isEqualTo(refusal);
      if (refusal != null) {
        return;
      }
      SimpleMailbox.Row row = model.find(id);
      row.receipt = null;
      row.dead = row.attempts >= LIMITS.attempts().max();
      if (!row.dead) {
        var returned = (Fact.Returned) decision.facts().getFirst();
        row.readyAt = returned.readyAtMillis();
        long most = delay == null ? Math.min(100, 20L << (row.attempts - 1)) : delay;
        long least = delay == null ? 0 : delay;
        long rest = row.readyAt == Fact.AT_ONCE ? 0 : row.readyAt - now;
        assertThat(rest).isBetween(least, most);
      }
    }

    private void extend() {
      if (handed.isEmpty()) {
        return;
      }
      Envelope envelope = handed.get(random.nextInt(handed.size()));
      Ulid id = envelope.message().id();
      int visibility = random.nextInt(1, 150);
      Outcome outcome =
          real.run(
              new Command.Extend(id, envelope.receipt(), visibility, TopicReach.ALL), now, random);
      String refusal = model.refusal(id, envelope.receipt(), true);
      assertThat(code(outcome)).isEqualTo(refusal);
      if (refusal == null) {
        model.find(id).until = now + visibility;
      }
    }

    private void operate() {
      int max = random.nextInt(1, 3);
      List<SimpleMailbox.Row> meant =
          model.rows.stream().filter(row -> row.dead).limit(max).toList();
      if (random.nextBoolean()) {
        real.run(new Command.Drop(DeadLetterFilter.ALL, max), now, random);
        model.rows.removeAll(meant);
      } else {
        Outcome outcome =
            real.run(new Command.Reprocess(DeadLetterFilter.ALL, max, 0), now, random);
        int fitting = Math.min(model.room(), meant.size());
        assertThat(outcome)
            .isInstanceOf(fitting < meant.size() ? Outcome.Partly.class : Outcome.Counted.class);
        for (SimpleMailbox.Row row : meant.subList(0, fitting)) {
          row.dead = false;
          row.attempts = 0;
          row.readyAt = 0;
        }
      }
    }

    private void crash() throws IOException {
      if (random.nextInt(4) == 0) {
        real.carry(now, random);
      }
      if (random.nextBoolean()) {
        real.snapshot();
      }
      if (random.nextBoolean()) {
        real.crash();
        model.crash();
        real.tick(now, random);
      }
    }

    private void compare() {
      Shard shard = real.shard();
      assertThat(shard.dead()).isEqualTo((int) model.rows.stream().filter(r -> r.dead).count());
      assertThat(shard.living()).isEqualTo((int) model.rows.stream().filter(r -> !r.dead).count());
      assertThat(shard.inFlight())
          .isEqualTo((int) model.rows.stream().filter(SimpleMailbox.Row::inFlight).count());
      assertThat(shard.bytes()).isEqualTo(model.rows.size());
      assertThat(shard.topics().stream().mapToInt(t -> t.ready() + t.delayed()).sum())
          .isEqualTo(shard.living() - shard.inFlight());
    }

    private static String code(Outcome outcome) {
      return outcome instanceof Outcome.Refused(var fault) ? fault.code() : null;
    }
  }
}
