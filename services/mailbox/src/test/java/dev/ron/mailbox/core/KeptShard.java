package dev.ron.mailbox.core;

import dev.ron.mailbox.wire.FactReader;
import dev.ron.mailbox.wire.FactWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A shard with a journal that is a list of bytes; a crash leaves the list alone.
 *
 * <p>Threading: owned by the test.
 */
final class KeptShard {
  private final ShardLimits limits;
  private final List<ByteBuffer> journal = new ArrayList<>();
  private Shard shard;

  KeptShard(ShardLimits limits) {
    this.limits = limits;
    this.shard = new Shard(3, limits);
  }

  Shard shard() {
    return shard;
  }

  Outcome run(Command command, long now, RandomGenerator random) {
    return decide(command, now, random).outcome();
  }

  Decision decide(Command command, long now, RandomGenerator random) {
    Decision decision = shard.decide(command, now, random);
    for (Fact fact : decision.facts()) {
      if (fact.kept()) {
        journal.add(FactWriter.encode(fact));
      }
      shard.apply(fact);
    }
    return decision;
  }

  void tick(long now, RandomGenerator random) {
    while (!decide(new Command.Tick(), now, random).facts().isEmpty()) {
      // as long as there is something due
    }
  }

  void crash() throws IOException {
    shard = new Shard(3, limits);
    for (ByteBuffer record : journal) {
      shard.apply(FactReader.decode(record));
    }
  }

  /** The history is replaced by the state it led to. */
  void snapshot() {
    List<Fact> facts = shard.facts();
    journal.clear();
    facts.forEach(fact -> journal.add(FactWriter.encode(fact)));
  }
}
