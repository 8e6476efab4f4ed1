package dev.ron.storage.cluster.coded;

import dev.ron.content.ContentStat;
import dev.ron.erasure.ReedSolomon;
import dev.ron.erasure.ShardSet;
import dev.ron.erasure.StripeLayout;
import dev.ron.kernel.Scope;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.cluster.node.ClusterNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gets pieces of the shards of one object: those that are wanted if they can be had, and otherwise
 * any others that give them back.
 *
 * <p>Threading: immutable; each call is one thread's.
 */
public final class ShardFetch {
  private final CodedObject object;
  private final List<List<ClusterNode>> places;
  private final ReedSolomon code;
  private final Scope scope;
  private final Duration patience;
  private final ClusterNode.Purpose purpose;

  /**
   * @param places for each shard the nodes to ask, the likeliest first
   * @param patience after which others are asked too
   */
  public ShardFetch(
      CodedObject object,
      List<List<ClusterNode>> places,
      Scope scope,
      Duration patience,
      ClusterNode.Purpose purpose) {
    this.object = object;
    this.places = List.copyOf(places);
    this.code = ReedSolomon.of(object.layout().dataShards(), object.layout().parityShards());
    this.scope = scope;
    this.patience = patience;
    this.purpose = purpose;
  }

  CodedObject object() {
    return object;
  }

  /** So few shards could be had that the piece is not among us. */
  public static final class TooFewException extends IOException {
    private static final long serialVersionUID = 1L;

    TooFewException(String words) {
      super(words);
    }
  }

  /**
   * The same piece of each wanted shard; the others in the array may be null.
   *
   * @param units counted in units of {@link StripeLayout#UNIT_BYTES}
   */
  byte[] @Nullable [] pieces(ShardSet wanted, long firstUnit, int units)
      throws IOException, InterruptedException {
    return new Race(wanted, firstUnit * StripeLayout.UNIT_BYTES, units * StripeLayout.UNIT_BYTES)
        .run();
  }

  private Optional<byte[]> piece(int shard, long from, int length)
      throws IOException, InterruptedException {
    var stat = new ContentStat(object.shards().get(shard), object.layout().shardBytes());
    IOException trouble = null;
    for (ClusterNode node : places.get(shard)) {
      try {
        Optional<byte[]> found = node.read(ClusterNode.Kind.SHARD, stat, from, length, purpose);
        if (found.isPresent()) {
          return found;
        }
      } catch (IOException e) {
        trouble = e;
      }
    }
    if (trouble != null) {
      throw trouble;
    }
    return Optional.empty();
  }

  /** One piece of all shards; {@code lock} guards everything. */
  private final class Race {
    private final ShardSet wanted;
    private final long from;
    private final int length;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final byte[] @Nullable [] pieces;
    private final List<Thread> running = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private ShardSet asked = ShardSet.empty();
    private ShardSet present = ShardSet.empty();
    private int underWay;

    Race(ShardSet wanted, long from, int length) {
      this.wanted = wanted;
      this.from = from;
      this.length = length;
      this.pieces = new byte[object.layout().shards()][];
    }

    @SuppressWarnings("NullAway") // present says which are there
    byte[] @Nullable [] run() throws IOException, InterruptedException {
      Instant until = scope.time().now().plus(patience);
      lock.lockInterruptibly();
      try {
        for (int shard : wanted.toArray()) {
          start(shard);
        }
        while (!present.containsAll(wanted) && present.size() < code.dataShards()) {
          boolean late = !scope.time().await(lock, changed, until);
          boolean failed = asked.size() - underWay > present.size();
          if (late) {
            until = Instant.MAX;
          }
          if (late || failed) {
            // Repair pays for what it asks for: no more than it needs, unless a node is slow.
            boolean all = late || purpose == ClusterNode.Purpose.READER;
            startOthers(all ? code.shards() : code.dataShards() - present.size() - underWay);
          }
          if (underWay == 0 && present.size() < code.dataShards() && !present.containsAll(wanted)) {
            throw new TooFewException(
                "%d of the %d shards that are needed can be read: %s"
                    .formatted(present.size(), code.dataShards(), failures));
          }
        }
        ShardSet lacking = wanted.minus(present);
        if (!lacking.isEmpty()) {
          for (int shard : lacking.toArray()) {
            pieces[shard] = new byte[length];
          }
          code.reconstruct(pieces, present, lacking, 0, length);
        }
        return pieces.clone();
      } finally {
        lock.unlock();
        running.forEach(Thread::interrupt);
      }
    }

    /** Enough to do without those that are slow or failed. */
    private void startOthers(int most) {
      int left = most;
      for (int shard = 0; shard < code.shards() && left > 0; shard++) {
        if (!asked.contains(shard)) {
          start(shard);
          left--;
        }
      }
    }

    private void start(int shard) {
      asked = asked.with(shard);
      underWay++;
      running.add(scope.world().threads().start("storage/shard", () -> ask(shard)));
    }

    private void ask(int shard) {
      byte[] found = null;
      String failure = "shard " + shard + " is nowhere";
      try {
        found = piece(shard, from, length).orElse(null);
      } catch (IOException e) {
        failure = "shard %d: %s".formatted(shard, e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      lock.lock();
      try {
        underWay--;
        if (found != null) {
          // Once it is complete it is read without the lock, and reconstructed in place.
          if (pieces[shard] == null) {
            pieces[shard] = found;
            present = present.with(shard);
          }
        } else {
          failures.add(failure);
        }
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
