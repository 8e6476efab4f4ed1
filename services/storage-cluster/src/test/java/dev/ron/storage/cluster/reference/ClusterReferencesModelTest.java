package dev.ron.storage.cluster.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.caveat.Owner;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.reference.ModelMachines.Flaw;
import dev.ron.storage.cluster.reference.ModelMachines.Machine;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.ObjectStore.Written;
import dev.ron.testkit.SeededThreads;
import dev.ron.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tenants that store and delete the same objects at several machines at once, while questions and
 * answers are lost or come late and machines end, come back, or come back with empty disks. What
 * was acknowledged holds; bytes with a reference are never deleted, and bytes without one go.
 */
final class ClusterReferencesModelTest {
  @Test
  void whatWasAcknowledgedHoldsUnderEverySchedule() {
    Seeds.forEach(60, (seed, _) -> play(seed, Flaw.NONE));
  }

  @Test
  @Tag("long")
  void whatWasAcknowledgedHoldsUnderManySchedules() {
    Seeds.forEach(5000, (seed, _) -> play(seed, Flaw.NONE));
  }

  @ParameterizedTest
  @EnumSource(value = Flaw.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void theSchedulesFindWhatIsLeftOut(Flaw flaw) {
    assertThatThrownBy(() -> Seeds.forEach(400, (seed, _) -> play(seed, flaw)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("seed ");
  }

  private static void play(long seed, Flaw flaw) {
    var threads = new SeededThreads(seed);
    World world = threads.world(new RealDisk());
    var play = new Play(world, new SplittableRandom(seed), flaw);
    threads.run(play::begin);
    play.check();
  }

  /** What one tenant knows of one object. */
  private enum Known {
    HAS,
    HAS_NOT,
    /** Its last request was not answered, so both may be. */
    UNSURE
  }

  private static final class Play {
    private static final int STEPS = 12;
    private static final List<String> TENANTS = List.of("acme", "evil", Owner.DEFAULT);

    private final World world;
    private final RandomGenerator chance;
    private final ModelMachines model;
    private final List<Address> objects = new ArrayList<>();
    private final Map<String, Known> ledger = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int done;
    private boolean calmed;
    private boolean settled;

    Play(World world, RandomGenerator chance, Flaw flaw) {
      this.world = world;
      this.chance = chance;
      int count = 2 + chance.nextInt(4);
      this.model = new ModelMachines(world, chance, count, flaw);
      for (int i = 0; i < 2; i++) {
        objects.add(new Address(Blake3.hash(new byte[] {(byte) i})));
      }
      TENANTS.forEach(tenant -> objects.forEach(each -> ledger.put(tenant + each, Known.HAS_NOT)));
      // Stored before there were references.
      model.machines.values().stream()
          .limit(ModelMachines.COPIES)
          .forEach(each -> each.bytes.add(objects.getFirst()));
      ledger.put(Owner.DEFAULT + objects.getFirst(), Known.HAS);
    }

    void begin() {
      world.threads().start("begin", () -> guarded(this::run));
    }

    private interface Body {
      void run() throws InterruptedException, IOException;
    }

    private void guarded(Body body) {
      try {
        body.run();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } catch (IOException e) {
        wrong.add(e.toString());
      }
    }

    private void run() throws InterruptedException {
      model.calm = true;
      level();
      model.calm = false;
      TENANTS.forEach(
          tenant -> world.threads().start(tenant, () -> guarded(() -> requests(tenant))));
      world.threads().start("upkeep", () -> guarded(this::upkeep));
      world.threads().start("trouble", () -> guarded(this::trouble));
    }

    private void level() throws InterruptedException {
      for (Machine each : model.machines.values()) {
        each.sync.run(world.time().now());
      }
    }

    private Machine any() {
      List<Machine> up = model.machines.values().stream().filter(each -> each.up).toList();
      return up.isEmpty() ? model.machines.get("a") : up.get(chance.nextInt(up.size()));
    }

    private void requests(String tenant) throws InterruptedException, IOException {
      for (int i = 0; i < STEPS; i++) {
        Address object = objects.get(chance.nextInt(objects.size()));
        ObjectStore view = any().references.of(new Owner(tenant));
        switch (chance.nextInt(3)) {
          case 0 -> put(view, tenant, object);
          case 1 -> delete(view, tenant, object);
          default -> get(view, tenant, object);
        }
        world.time().sleepUntil(world.time().now().plusMillis(chance.nextInt(100)));
      }
      done++;
    }

    private void put(ObjectStore view, String tenant, Address object)
        throws InterruptedException, IOException {
      var source = ObjectStore.Source.of(new byte[10]);
      Written written = view.put(object, source);
      if (!(written instanceof Written.Stored) && chance.nextBoolean()) {
        written = any().references.of(new Owner(tenant)).put(object, source); // as clients do
      }
      ledger.put(tenant + object, written instanceof Written.Stored ? Known.HAS : Known.UNSURE);
    }

    private void delete(ObjectStore view, String tenant, Address object)
        throws InterruptedException {
      Known before = ledger.get(tenant + object);
      Optional<StorageFault> fault = view.delete(object);
      if (fault.isEmpty()) {
        require(before != Known.HAS_NOT, tenant + " deleted what it had not: " + object);
        ledger.put(tenant + object, Known.HAS_NOT);
      } else if (fault.get() instanceof StorageFault.NotFound) {
        require(before != Known.HAS, tenant + " lost before a delete " + object);
        ledger.put(tenant + object, Known.HAS_NOT);
      } else {
        ledger.put(tenant + object, before == Known.HAS_NOT ? Known.HAS_NOT : Known.UNSURE);
      }
    }

    private void get(ObjectStore view, String tenant, Address object) throws InterruptedException {
      Known known = ledger.get(tenant + object);
      if (view.stat(object).isPresent()) {
        require(known != Known.HAS_NOT, tenant + " reads what it has not: " + object);
      } else {
        boolean missing = view.missing(object) instanceof StorageFault.NotFound;
        require(known != Known.HAS || !missing, tenant + " lost " + object);
      }
    }

    private void require(boolean holds, String words) {
      if (!holds) {
        wrong.add(words);
      }
    }

    private void upkeep() throws InterruptedException {
      while (done < TENANTS.size()) {
        Machine machine = any();
        if (machine.up && chance.nextBoolean()) {
          machine.sync.run(world.time().now());
        } else if (machine.up) {
          machine.collector.run(world.time().now());
        }
        world.time().sleepUntil(world.time().now().plusMillis(1 + chance.nextInt(100)));
      }
      while (!calmed) {
        world.time().sleepUntil(world.time().now().plusMillis(10));
      }
      settle();
    }

    /** One machine at a time: more may lose what they all had. */
    private void trouble() throws InterruptedException {
      while (done < TENANTS.size()) {
        world.time().sleepUntil(world.time().now().plusMillis(1 + chance.nextInt(800)));
        Machine machine = any();
        machine.stop();
        world.time().sleepUntil(world.time().now().plusMillis(chance.nextInt(1000)));
        if (model.machines.size() > 2 && chance.nextInt(4) == 0) {
          wiped(machine);
        } else {
          machine.start();
        }
      }
      calmed = true;
    }

    /** What it had is on the others, and it is filled by them before another one ends. */
    private void wiped(Machine machine) throws InterruptedException {
      List<Address> had = List.copyOf(machine.bytes);
      machine.wipe();
      machine.start();
      while (!machine.local.isLevel()) {
        machine.sync.run(world.time().now());
        world.time().sleepUntil(world.time().now().plusMillis(20));
      }
      for (Address object : had) {
        boolean elsewhere =
            model.machines.values().stream().anyMatch(each -> each.bytes.contains(object));
        if (elsewhere && machine.local.seals().awaitOpen(object)) {
          machine.bytes.add(object);
        }
      }
    }

    /** All machines are there and hear each other: what is left comes to its end. */
    private void settle() throws InterruptedException {
      model.calm = true;
      model.machines.values().stream().filter(each -> !each.up).forEach(Machine::start);
      for (int round = 0; round < 16; round++) {
        for (Machine each : model.machines.values()) {
          each.sync.run(world.time().now());
          each.collector.run(world.time().now());
        }
        world.time().sleepUntil(world.time().now().plusMillis(6000));
      }
      for (String tenant : TENANTS) {
        for (Address object : objects) {
          get(any().references.of(new Owner(tenant)), tenant, object);
        }
      }
      for (Address object : objects) {
        Owners owners = any().references.quorum().read(object).after();
        for (Machine each : model.machines.values()) {
          boolean left = !owners.isAbsent() && owners.tenants().isEmpty();
          require(!left || !each.bytes.contains(object), object + " is left on " + each.name);
          require(owners.writes().isEmpty(), "a write is left of " + object + ": " + owners);
        }
      }
      settled = true;
    }

    void check() {
      assertThat(wrong).isEmpty();
      assertThat(settled).as("all requests were answered, and it came to an end").isTrue();
    }
  }
}
