package dev.ron.mailbox.core;

import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.StoredMessage;
import dev.ron.mailbox.core.state.ShardImage;
import dev.ron.mailbox.core.state.ShardLimits;
import dev.ron.mailbox.journal.FactReader;
import dev.ron.mailbox.journal.FactWriter;
import dev.ron.mailbox.journal.ShardImageReader;
import dev.ron.mailbox.journal.ShardImageWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A shard with a journal that is a list of bytes; a crash leaves the list and the last snapshot.
 *
 * <p>Every message is read back from the list, as it would be from a disk.
 *
 * <p>Threading: owned by the test.
 */
public final class KeptShard {
  private final ShardLimits limits;
  private final List<ByteBuffer> journal = new ArrayList<>();
  private byte[] snapshot = new byte[0];
  private List<Fact.Leased> snapshotLeases = List.of();
  private int snapshotAt;
  private Shard shard;

  public KeptShard(ShardLimits limits) {
    this.limits = limits;
    this.shard = shard(null);
  }

  private Shard shard(@Nullable ShardImage image) {
    return new Shard(3, limits, this::read, topic -> shard().queue(topic), image);
  }

  public Shard shard() {
    return shard;
  }

  private MessageBodies.Read read(long position) {
    try {
      return switch (FactReader.decode(journal.get((int) position))) {
        case Fact.Sent sent ->
            new MessageBodies.Read.Found(new StoredMessage(sent.message(), sent.body()));
        case Fact.Carried carried ->
            new MessageBodies.Read.Found(new StoredMessage(carried.message(), carried.body()));
        case Fact other -> throw new AssertionError("no message at " + position + ": " + other);
      };
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public Outcome run(Command command, long now, RandomGenerator random) {
    return decide(command, now, random).outcome();
  }

  ShardDecision decide(Command command, long now, RandomGenerator random) {
    ShardDecision decision = shard.decide(command, now, random);
    for (Fact fact : decision.facts()) {
      if (fact.kept()) {
        journal.add(FactWriter.encode(fact));
      }
      shard.apply(fact, journal.size() - 1L);
    }
    return decision;
  }

  public void tick(long now, RandomGenerator random) {
    while (!decide(new Command.Tick(), now, random).facts().isEmpty()) {
      // as long as there is something due
    }
  }

  public void crash() throws IOException {
    shard =
        shard(
            snapshot.length == 0
                ? null
                : ShardImageReader.read(new DataInputStream(new ByteArrayInputStream(snapshot))));
    snapshotLeases.forEach(lease -> shard.apply(lease, 0));
    for (int i = snapshotAt; i < journal.size(); i++) {
      shard.apply(FactReader.decode(journal.get(i)), i);
    }
  }

  /** The history is replaced by the state it led to; what lies in it stays. */
  public void snapshot() throws IOException {
    var bytes = new ByteArrayOutputStream();
    ShardImageWriter.write(shard.image(), new DataOutputStream(bytes));
    snapshot = bytes.toByteArray();
    snapshotLeases = shard.durableLeases();
    snapshotAt = journal.size();
  }

  /** Everything before the present end is carried behind it; what lay there is gone. */
  void carry(long now, RandomGenerator random) {
    int end = journal.size();
    decide(new Command.Carry(shard.image().before(end), end), now, random);
  }
}
