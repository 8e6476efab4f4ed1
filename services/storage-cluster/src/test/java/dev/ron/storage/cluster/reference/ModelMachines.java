package dev.ron.storage.cluster.reference;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.reference.StoredBytes;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Machines in memory, with disks that outlive them and a network that loses and delays.
 *
 * <p>Threading: owned by the test; its threads take turns.
 */
final class ModelMachines {
  static final int COPIES = 2;
  static final long SIZE = 10;

  private final World world;
  private final RandomGenerator chance;
  private final Flaw flaw;
  final Map<String, Machine> machines = new TreeMap<>();
  boolean calm;

  /** Lost in a calm, too. */
  Loss loss = (_, _, _) -> false;

  /** How long bytes take to be stored. */
  Duration storing = Duration.ZERO;

  /** Which questions are lost. */
  @FunctionalInterface
  interface Loss {
    boolean of(String verb, String from, String to);
  }

  /** What is left out, to see that the model finds it. */
  enum Flaw {
    NONE,
    /** Bytes are deleted while they are stored. */
    NO_SEALS,
    /** A machine forgets what it accepted. */
    LOST_RECORDS,
    /** A write reads the owners, and writes what follows without a vote. */
    NO_PROMISES
  }

  ModelMachines(World world, RandomGenerator chance, int count, Flaw flaw) {
    this.world = world;
    this.chance = chance;
    this.flaw = flaw;
    for (int i = 0; i < count; i++) {
      String name = String.valueOf((char) ('a' + i));
      var machine = new Machine(name, new MapStore());
      machines.put(name, machine);
    }
    machines.values().forEach(Machine::start);
  }

  /** One machine; its disk is what it has stored. */
  final class Machine {
    final String name;
    final MapStore store;
    final Set<Address> bytes = new HashSet<>();
    boolean up;
    int starts;
    LocalReferences local;
    ClusterReferences references;
    ReferenceSync sync;
    ClusterCollector collector;

    Machine(String name, MapStore store) {
      this.name = name;
      this.store = store;
    }

    void start() {
      starts++;
      int run = starts;
      var scope = Scope.of(name, world);
      if (flaw == Flaw.LOST_RECORDS && starts > 1) {
        store.records.clear();
      }
      var stored = new StoredBytes(scope, new ByteSeconds(scope.meter()));
      local = new LocalReferences(name, store, stored, scope);
      ReferenceGroup group = new Group(this, run);
      references = new ClusterReferences(scope, new Bytes(this, run), local, group, stored, false);
      sync = new ReferenceSync(scope, local, group);
      collector = new ClusterCollector(scope, references, bytes::contains);
      up = true;
    }

    void stop() {
      up = false;
    }

    /** Its disks are new. */
    void wipe() {
      store.records.clear();
      store.level = false;
      store.ceiling = 0;
      bytes.clear();
    }
  }

  /** A disk. */
  static final class MapStore implements OwnerStore {
    final Set<OwnerRecord> records = new HashSet<>();
    final Set<OwnerRecord> replaced = new HashSet<>();
    long ceiling;
    boolean level;

    @Override
    public Loaded load() {
      var latest = new HashMap<Address, OwnerRecord>();
      records.forEach(each -> latest.merge(each.address(), each, Proposal::later));
      return new Loaded(List.copyOf(latest.values()), ceiling, level);
    }

    @Override
    public void put(OwnerRecord record, @Nullable OwnerRecord before) {
      records.add(OwnerRecord.parse(record.text()).orElseThrow());
      if (before != null && !before.equals(record)) {
        replaced.add(before);
      }
    }

    @Override
    public void ceiling(long counter) {
      ceiling = counter;
    }

    @Override
    public void level() {
      level = true;
    }

    @Override
    public void sweep(Collection<OwnerRecord> all) {
      records.removeAll(replaced);
      replaced.clear();
    }
  }

  /** What one run of a machine sees of the others. */
  private final class Group implements ReferenceGroup {
    private final Machine from;
    private final int run;

    Group(Machine from, int run) {
      this.from = from;
      this.run = run;
    }

    @Override
    public Roster now() {
      var here = new ArrayList<ReferenceNode>();
      var away = new ArrayList<String>();
      machines
          .values()
          .forEach(
              to -> {
                if (to.up) {
                  here.add(new Link(from, run, to));
                } else {
                  away.add(to.name);
                }
              });
      return new Roster(machines.size(), here, away);
    }

    @Override
    public Optional<String> unknown() {
      return Optional.empty();
    }

    @Override
    public boolean isGone(String node) {
      return false;
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T on(LocalReferences at) throws IOException, InterruptedException;
  }

  /** The way from one run of a machine to another machine. */
  private final class Link implements ReferenceNode {
    private final Machine from;
    private final int run;
    private final Machine to;

    Link(Machine from, int run, Machine to) {
      this.from = from;
      this.run = run;
      this.to = to;
    }

    private <T> T call(String verb, Call<T> call) throws IOException, InterruptedException {
      require();
      world.time().now(); // where threads change
      if (loss.of(verb, from.name, to.name)) {
        throw new IOException("the question was lost");
      }
      int luck = calm || from == to ? 99 : chance.nextInt(100);
      if (luck < 6) {
        throw new IOException("the question was lost");
      }
      if (luck < 12) {
        late(call);
        throw new IOException("too late");
      }
      if (!to.up) {
        throw new IOException("away");
      }
      T answer = call.on(to.local);
      if (luck < 18) {
        throw new IOException("the answer was lost");
      }
      require();
      return answer;
    }

    private void require() throws IOException {
      if (!from.up || from.starts != run) {
        throw new IOException("this machine has ended");
      }
    }

    private <T> void late(Call<T> call) {
      Instant at = world.time().now().plusMillis(chance.nextInt(2000));
      world
          .threads()
          .start(
              "late",
              () -> {
                try {
                  world.time().sleepUntil(at);
                  if (to.up) {
                    call.on(to.local);
                  }
                } catch (IOException _) {
                  // the sender is not there to hear it
                } catch (InterruptedException _) {
                  Thread.currentThread().interrupt();
                }
              });
    }

    @Override
    public String name() {
      return to.name;
    }

    @Override
    public Vote prepare(Address address, Ballot ballot) throws IOException, InterruptedException {
      if (flaw == Flaw.NO_PROMISES) {
        return call(
            "prepare", at -> new Vote(true, true, ballot.counter(), at.find(address).orElse(null)));
      }
      return call("prepare", at -> at.prepare(address, ballot));
    }

    @Override
    public Vote accept(OwnerRecord record) throws IOException, InterruptedException {
      return call("accept", at -> at.accept(record));
    }

    @Override
    public Page read(List<Address> addresses) throws IOException, InterruptedException {
      return call("read", at -> at.read(addresses));
    }

    @Override
    public Names named(String tenant, @Nullable Address after, int max)
        throws IOException, InterruptedException {
      return call("named", at -> at.named(tenant, after, max));
    }

    @Override
    public Changes changes(String of, long after) throws IOException, InterruptedException {
      return call("changes", at -> at.changes(of, after));
    }

    @Override
    public boolean seal(Address address, String seal) throws IOException, InterruptedException {
      return flaw == Flaw.NO_SEALS || call("seal", at -> at.seal(address, seal));
    }

    @Override
    public void lift(Address address, String seal) throws IOException, InterruptedException {
      call(
          "lift",
          at -> {
            at.lift(address, seal);
            return true;
          });
    }
  }

  /** Bytes on the machines, as one of them reaches them: two copies of each object. */
  private final class Bytes implements SharedBytes {
    private final Machine from;
    private final int run;

    Bytes(Machine from, int run) {
      this.from = from;
      this.run = run;
    }

    private boolean lost() {
      world.time().now(); // where threads change
      return !from.up || from.starts != run || (!calm && chance.nextInt(100) < 8);
    }

    private List<Machine> here() {
      return machines.values().stream().filter(each -> each.up).toList();
    }

    @Override
    public Optional<ContentStat> stat(Address address) {
      lost();
      return here().stream().anyMatch(each -> each.bytes.contains(address))
          ? Optional.of(new ContentStat(address, SIZE))
          : Optional.empty();
    }

    @Override
    public Optional<Boolean> isThere(Address address) {
      boolean found = stat(address).isPresent();
      return found || machines.size() - here().size() < COPIES
          ? Optional.of(found)
          : Optional.empty();
    }

    @Override
    public StorageFault absent(Address address) {
      return here().size() < machines.size()
          ? new StorageFault.Unavailable("a machine is away")
          : new StorageFault.NotFound(address);
    }

    @Override
    public void seek(Address address) {
      lost();
    }

    @Override
    public StorageFault missing(Address address) {
      return stat(address).isPresent()
          ? new StorageFault.Unavailable("just written")
          : absent(address);
    }

    @Override
    public ObjectReader open(ContentStat stat, long offset, long end) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Written put(Address address, Source source) throws InterruptedException {
      int stored = 0;
      if (storing.isPositive()) {
        world.time().sleepUntil(world.time().now().plus(storing));
      }
      List<Machine> order = new ArrayList<>(here());
      for (int i = chance.nextInt(order.size() + 1); i > 0; i--) {
        order.add(order.removeFirst());
      }
      for (Machine each : order) {
        if (stored < COPIES && !lost() && each.up && each.local.seals().awaitOpen(address)) {
          each.bytes.add(address);
          stored += lost() ? 0 : 1;
        }
      }
      return stored < COPIES
          ? new Written.Refused(new StorageFault.Unavailable("too few copies"))
          : new Written.Stored(address, SIZE, true);
    }

    @Override
    public Written putOnce(@Nullable Address expected, InputStream in) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<StorageFault> delete(Address address) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<StorageFault> delete(Address address, String seal) throws InterruptedException {
      for (Machine each : machines.values()) {
        if (!calm) {
          world.time().sleepUntil(world.time().now().plusMillis(chance.nextInt(100)));
        }
        boolean sealed = flaw == Flaw.NO_SEALS || each.local.seals().holds(address, seal);
        boolean refused = loss.of("delete", from.name, each.name);
        if (lost() || refused || !each.up || !sealed) {
          return Optional.of(new StorageFault.Unavailable("not everywhere"));
        }
        each.bytes.remove(address);
      }
      return Optional.empty();
    }

    @Override
    public List<ContentStat> list(@Nullable Address after, int max) {
      throw new UnsupportedOperationException();
    }
  }
}
