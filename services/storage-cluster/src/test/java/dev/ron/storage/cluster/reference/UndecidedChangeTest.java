package dev.ron.storage.cluster.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.caveat.Owner;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.reference.ModelMachines.Flaw;
import dev.ron.storage.cluster.reference.ModelMachines.Loss;
import dev.ron.storage.cluster.reference.ModelMachines.Machine;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.ObjectStore.Written;
import dev.ron.testkit.SeededThreads;
import dev.ron.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A change that one machine of three accepted, and no majority: what is told after it holds,
 * whether the change comes up again or is outweighed.
 */
final class UndecidedChangeTest {
  private static final Address OBJECT = new Address(Blake3.hash(new byte[] {1}));
  private static final Loss NOTHING = (_, _, _) -> false;

  /** Only the first machine hears of what it proposes. */
  private static final Loss ACCEPTED_BY_A =
      (verb, from, to) -> verb.equals("accept") && from.equals("a") && !to.equals("a");

  /** The first machine is not heard by the others, and does not hear them. */
  private static final Loss WITHOUT_A = (_, from, to) -> from.equals("a") != to.equals("a");

  private static final Loss READ_BY_A_AND_B =
      (verb, _, to) -> verb.equals("read") && to.equals("c");

  @Test
  void whatTheOperatorStoredIsNotATenantsWhoseWriteFailedBefore() {
    play(
        cluster -> {
          cluster.loss(ACCEPTED_BY_A);
          assertThat(cluster.put("acme", "a")).isFalse();
          cluster.loss(WITHOUT_A);
          assertThat(cluster.put(Owner.DEFAULT, "b")).isTrue();
          cluster.settle();
          assertThat(cluster.has(Owner.DEFAULT)).isTrue();
          assertThat(cluster.has("acme")).isFalse();
        });
  }

  @Test
  void aWriteThatIsSentAgainAndAcknowledgedStays() {
    play(
        cluster -> {
          var heard = new AtomicInteger();
          // The other two hear that the write begins, and not that it is done.
          cluster.loss(
              (verb, from, to) -> ACCEPTED_BY_A.of(verb, from, to) && heard.incrementAndGet() > 2);
          assertThat(cluster.put("acme", "a")).isFalse();
          cluster.loss(READ_BY_A_AND_B);
          assertThat(cluster.put("acme", "a")).isTrue();
          cluster.loss(WITHOUT_A);
          assertThat(cluster.put("evil", "b")).isTrue();
          cluster.settle();
          assertThat(cluster.has("acme")).isTrue();
          assertThat(cluster.has("evil")).isTrue();
        });
  }

  @Test
  void aDeleteThatIsSentAgainAndFindsNothingStays() {
    play(
        cluster -> {
          assertThat(cluster.put("acme", "a")).isTrue();
          cluster.loss(ACCEPTED_BY_A);
          assertThat(cluster.delete("acme", "a")).isFalse();
          cluster.loss(READ_BY_A_AND_B);
          assertThat(cluster.delete("acme", "a")).isTrue();
          cluster.loss(WITHOUT_A);
          assertThat(cluster.put("evil", "b")).isTrue();
          cluster.settle();
          assertThat(cluster.has("acme")).isFalse();
          assertThat(cluster.has("evil")).isTrue();
        });
  }

  /** Of a coded object that some machines deleted too few shards may be left to read it. */
  @Test
  void aDeleteForAllThatOneMachineRefusesIsDoneLater() {
    play(
        cluster -> {
          assertThat(cluster.put(Owner.DEFAULT, "a")).isTrue();
          String refuses = cluster.holders().getLast();
          cluster.loss((verb, _, to) -> verb.equals("delete") && to.equals(refuses));
          assertThat(cluster.deleteForAll("a")).containsInstanceOf(StorageFault.Unavailable.class);
          assertThat(cluster.holders()).containsExactly(refuses);
          cluster.settle();
          assertThat(cluster.holders()).isEmpty();
          assertThat(cluster.put(Owner.DEFAULT, "b")).isTrue();
          cluster.settle();
          assertThat(cluster.has(Owner.DEFAULT)).isTrue();
        });
  }

  /** The collector may be deleting the same bytes, on behalf of the tenant that was the last. */
  @Test
  void aDeleteForAllWaitsForOneThatIsUnderWay() {
    play(
        cluster -> {
          assertThat(cluster.put(Owner.DEFAULT, "a")).isTrue();
          Machine other = cluster.model.machines.get("b");
          assertThat(other.local.seal(OBJECT, "b-1")).isTrue();
          cluster.begin(
              () -> {
                cluster.world.time().sleepUntil(cluster.world.time().now().plusMillis(250));
                other.local.lift(OBJECT, "b-1");
              });
          assertThat(cluster.deleteForAll("a")).isEmpty();
          assertThat(cluster.holders()).isEmpty();
        });
  }

  @Test
  void writesOfOneTenantThatOvertakeEachOtherAreAllStored() {
    Seeds.forEach(
        20,
        (seed, _) -> {
          var stored = new ArrayList<Boolean>();
          play(
              seed,
              cluster -> {
                cluster.model.storing = Duration.ofSeconds(1);
                for (String at : List.of("a", "b", "c", "a")) {
                  cluster.begin(() -> stored.add(cluster.put("acme", at)));
                }
              });
          assertThat(stored).containsExactly(true, true, true, true);
        });
  }

  private interface Script {
    void play(Cluster cluster) throws Exception;
  }

  private static void play(Script script) {
    play(1, script);
  }

  private static void play(long seed, Script script) {
    var threads = new SeededThreads(seed);
    var cluster = new Cluster(threads.world(new RealDisk()));
    threads.run(
        () ->
            cluster.begin(
                () -> {
                  cluster.level();
                  script.play(cluster);
                }));
    assertThat(cluster.trouble).isEmpty();
  }

  private interface Body {
    void run() throws Exception;
  }

  /** Three machines that hear each other, but for what a loss takes. */
  private static final class Cluster {
    private final World world;
    private final ModelMachines model;
    private final List<Throwable> trouble = new ArrayList<>();

    Cluster(World world) {
      this.world = world;
      this.model = new ModelMachines(world, new SplittableRandom(1), 3, Flaw.NONE);
      model.calm = true;
    }

    void begin(Body body) {
      world
          .threads()
          .start(
              "script",
              () -> {
                try {
                  body.run();
                } catch (Exception | AssertionError e) {
                  trouble.add(e);
                }
              });
    }

    void loss(Loss loss) {
      model.loss = loss;
    }

    void level() throws InterruptedException {
      for (Machine each : model.machines.values()) {
        each.sync.run(world.time().now());
      }
    }

    private ObjectStore at(String machine, String tenant) {
      return model.machines.get(machine).references.of(new Owner(tenant));
    }

    boolean put(String tenant, String machine) throws Exception {
      return at(machine, tenant).put(OBJECT, ObjectStore.Source.of(new byte[10]))
          instanceof Written.Stored;
    }

    /** Whether it is told that there is none now. */
    boolean delete(String tenant, String machine) throws Exception {
      return at(machine, tenant).delete(OBJECT).stream()
          .allMatch(StorageFault.NotFound.class::isInstance);
    }

    Optional<StorageFault> deleteForAll(String machine) throws Exception {
      return model.machines.get(machine).references.of(Owner.OPERATOR).delete(OBJECT);
    }

    List<String> holders() {
      return model.machines.values().stream()
          .filter(each -> each.bytes.contains(OBJECT))
          .map(each -> each.name)
          .toList();
    }

    boolean has(String tenant) throws Exception {
      return at("c", tenant).stat(OBJECT).isPresent();
    }

    void settle() throws InterruptedException {
      loss(NOTHING);
      for (int round = 0; round < 8; round++) {
        for (Machine each : model.machines.values()) {
          each.sync.run(world.time().now());
          each.collector.run(world.time().now());
        }
        world.time().sleepUntil(world.time().now().plusSeconds(6));
      }
    }
  }
}
