package dev.ron.storage.cluster.coded;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.bao.Outboard;
import dev.ron.blake3.bao.OutboardBuilder;
import dev.ron.erasure.ReedSolomon;
import dev.ron.erasure.StripeEncoder;
import dev.ron.erasure.StripeLayout;
import dev.ron.kernel.Scope;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.Fanout;
import dev.ron.storage.cluster.node.WriteRollback;
import dev.ron.storage.object.ComputeThread;
import dev.ron.storage.object.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Cuts objects into shards while they are read, and gives each shard to its node.
 *
 * <p>Answered when the data shards and half of the parity shards are durable, each beside a record
 * of the whole; the rest is rebuilt by repair.
 *
 * <p>Threading: thread-safe.
 */
public final class CodedWrite {
  private static final int STEP_BYTES = 64 << 10;

  private final StorageClusterConfig.Coding coding;
  private final Fanout fanout;
  private final Scope scope;
  private final WriteRollback takeBacks;

  public CodedWrite(
      StorageClusterConfig.Coding coding, Fanout fanout, Scope scope, WriteRollback takeBacks) {
    this.coding = coding;
    this.fanout = fanout;
    this.scope = scope;
    this.takeBacks = takeBacks;
  }

  /** Shards on the node that has most. */
  public static int spread(List<String> homes) {
    var load = new HashMap<String, Integer>();
    homes.forEach(home -> load.merge(home, 1, Integer::sum));
    return load.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** This many shards are durable before the write is answered. */
  int quorum() {
    return coding.ecData() + Math.ceilDiv(coding.ecParity(), 2);
  }

  /** A shard and where it is sent. */
  private record Sent(
      int shard,
      ClusterNode node,
      ShardPipe pipe,
      CompletableFuture<ObjectStore.Written> outcome) {}

  public ObjectStore.Written put(
      Address address, ObjectStore.Source source, String write, List<ClusterNode> homes)
      throws IOException, InterruptedException {
    StripeLayout layout = StripeLayout.of(coding.ecData(), coding.ecParity(), source.sizeBytes());
    var sent = new ArrayList<Sent>();
    for (int i = 0; i < homes.size(); i++) {
      sent.add(send(i, homes.get(i), address, write, layout.shardBytes()));
    }
    boolean kept = false;
    var hashes = new ArrayList<Address>();
    try {
      Outboard tree = ComputeThread.call(scope, () -> encode(source, sent, hashes));
      if (!tree.root().equals(address.hash())) {
        return new ObjectStore.Written.Refused(
            new StorageFault.Mismatch(address, new Address(tree.root())));
      }
      var object = new CodedObject(address, layout, hashes, tree);
      ObjectStore.Written written = settle(object, sent, write);
      kept = written instanceof ObjectStore.Written.Stored;
      return written;
    } finally {
      sent.forEach(each -> each.pipe().abandon());
      if (!kept) {
        takeBack(sent, hashes, write);
      }
    }
  }

  private Sent send(int shard, ClusterNode node, Address object, String write, long bytes) {
    var pipe = new ShardPipe(scope.time());
    var outcome = new CompletableFuture<ObjectStore.Written>();
    var origin = ClusterNode.Origin.shard(write, object, shard);
    scope
        .world()
        .threads()
        .start(
            "storage/shard",
            () -> {
              try (pipe) {
                outcome.complete(
                    node.put(
                        ClusterNode.Kind.SHARD,
                        null,
                        origin,
                        ObjectStore.Source.of(bytes, () -> pipe)));
              } catch (IOException | RuntimeException e) {
                outcome.completeExceptionally(e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                outcome.completeExceptionally(e);
              }
            });
    return new Sent(shard, node, pipe, outcome);
  }

  /** Reads the source once; answers its tree, and in {@code hashes} the shards' addresses. */
  private Outboard encode(ObjectStore.Source source, List<Sent> sent, List<Address> hashes)
      throws IOException, InterruptedException {
    var hashers = sent.stream().map(_ -> new Blake3Hasher()).toList();
    var tree = new OutboardBuilder();
    var encoder =
        new StripeEncoder(
            ReedSolomon.of(coding.ecData(), coding.ecParity()),
            (_, units) -> {
              for (Sent each : sent) {
                byte[] unit = units[each.shard()].clone();
                hashers.get(each.shard()).update(unit);
                pass(each.pipe(), unit);
              }
            });
    byte[] step = new byte[STEP_BYTES];
    try (InputStream in = source.open()) {
      for (int n = in.readNBytes(step, 0, step.length);
          n > 0;
          n = in.readNBytes(step, 0, step.length)) {
        tree.update(step, 0, n);
        encoder.write(step, 0, n);
      }
    }
    encoder.finish();
    for (Sent each : sent) {
      each.pipe().end();
    }
    hashers.forEach(hasher -> hashes.add(new Address(hasher.hash())));
    return tree.build();
  }

  /** A node that takes no more loses its shard; the others go on. */
  private static void pass(ShardPipe pipe, byte[] unit) throws IOException {
    try {
      pipe.write(unit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("cancelled", e);
    }
  }

  private ObjectStore.Written settle(CodedObject object, List<Sent> sent, String write)
      throws InterruptedException {
    var failures = new ArrayList<String>();
    var holders = new LinkedHashSet<ClusterNode>();
    var good = new ArrayList<Sent>();
    for (Sent each : sent) {
      try {
        if (each.outcome().get() instanceof ObjectStore.Written.Stored(Address stored, _, _)
            && stored.equals(object.shards().get(each.shard()))) {
          good.add(each);
          holders.add(each.node());
        } else {
          failures.add(each.node().name() + ": " + each.outcome().get());
        }
      } catch (java.util.concurrent.ExecutionException e) {
        failures.add(each.node().name() + ": " + e.getCause());
      }
    }
    byte[] record = object.encoded();
    Address recordAddress = object.recordAddress();
    var origin = ClusterNode.Origin.whole(write);
    int durable = 0;
    for (Fanout.Answer<ClusterNode, ObjectStore.Written> answer :
        fanout.ask(
            List.copyOf(holders),
            node ->
                node.put(
                    ClusterNode.Kind.SHARD,
                    recordAddress,
                    origin,
                    ObjectStore.Source.of(record)))) {
      if (answer.value() instanceof ObjectStore.Written.Stored) {
        durable += (int) good.stream().filter(each -> each.node().equals(answer.node())).count();
      } else {
        failures.add(answer.node().name() + ": " + answer);
      }
    }
    if (durable >= quorum()) {
      return new ObjectStore.Written.Stored(object.address(), object.sizeBytes(), true);
    }
    holders.forEach(node -> takeBacks.add(node, ClusterNode.Kind.SHARD, recordAddress, write));
    return new ObjectStore.Written.Refused(
        new StorageFault.Unavailable(
            "%d of the %d shards a write needs could be stored: %s"
                .formatted(durable, quorum(), String.join("; ", failures))));
  }

  private void takeBack(List<Sent> sent, List<Address> hashes, String write) {
    for (int i = 0; i < hashes.size(); i++) {
      takeBacks.add(sent.get(i).node(), ClusterNode.Kind.SHARD, hashes.get(i), write);
    }
  }
}
