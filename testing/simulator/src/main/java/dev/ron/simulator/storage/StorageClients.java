package dev.ron.simulator.storage;

import dev.ron.capability.caveat.Owner;
import dev.ron.content.ContentStat;
import dev.ron.http.Refusal;
import dev.ron.kernel.time.Deadline;
import dev.ron.simulator.cluster.BootedService;
import dev.ron.simulator.cluster.FaultyCluster;
import dev.ron.simulator.engine.HistoryCheck;
import dev.ron.simulator.engine.PlanStep;
import dev.ron.simulator.engine.Scheduler;
import dev.ron.simulator.engine.Simulation;
import dev.ron.simulator.engine.Violation;
import dev.ron.simulator.storage.OwnedObject.Answer;
import dev.ron.simulator.storage.OwnedObject.Ask;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectStore;
import dev.ron.testkit.CallHistory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Two tenants that share objects and an operator with some of its own, and the history of each
 * object of each owner, which must be that of a register.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
final class StorageClients {
  static final Duration LIMIT = Duration.ofSeconds(40);
  private static final Duration READ_STEP = Duration.ofSeconds(10);
  private static final int READ_STEPS_MAX = 12;
  private static final int QUORUM = 2;

  private final FaultyCluster<BootedService<StorageMachine>> cluster;
  private final Simulation simulation;
  private final Scheduler scheduler;
  private final StoredObjects stored;
  private final AtomicLong clock = new AtomicLong();
  private final List<Register> registers = new ArrayList<>();

  /** An object as one owner sees it. */
  private static final class Register {
    private final SampleObject object;
    private final Owner owner;
    private final CallHistory<Ask, Answer> history;

    /** As the last read that was answered found it. */
    private boolean there;

    private Register(SampleObject object, Owner owner, AtomicLong clock) {
      this.object = object;
      this.owner = owner;
      this.history = new CallHistory<>(clock);
    }

    @Override
    public String toString() {
      return "%s of %s".formatted(object, owner.isOperator() ? "the operator" : owner.tenant());
    }
  }

  StorageClients(
      FaultyCluster<BootedService<StorageMachine>> cluster,
      Simulation simulation,
      StoredObjects stored) {
    this.cluster = cluster;
    this.simulation = simulation;
    this.scheduler = simulation.scheduler();
    this.stored = stored;
    for (SampleObject object : SampleObject.ALL) {
      for (Owner owner : object.owners()) {
        registers.add(new Register(object, owner, clock));
      }
    }
  }

  void call(PlanStep step) {
    BootedService<StorageMachine> service = cluster.machine(step.a());
    StorageMachine at = service.running().orElse(null);
    if (at == null) {
      return;
    }
    Register register = registers.get(Math.floorMod(step.b(), registers.size()));
    switch (step.verb()) {
      case "put" -> run(service, () -> put(at, register));
      case "get" -> run(service, () -> get(at, register, 0, Long.MAX_VALUE));
      case "range" -> {
        long offset = step.c() % register.object.bytes().length;
        run(service, () -> get(at, register, offset, offset + 1 + step.c() % 100_000));
      }
      case "delete" -> run(service, () -> delete(at, register));
      case "list" -> run(service, () -> list(at, register.owner));
      default -> throw new IllegalArgumentException(step.toString());
    }
  }

  private void run(BootedService<StorageMachine> service, Callable<Boolean> call) {
    StorageMachine at = service.running().orElseThrow();
    service
        .machine()
        .threads()
        .start(
            "request",
            () -> {
              try {
                Deadline.in(LIMIT, at.scope().time()).call(call);
              } catch (Violation broken) {
                scheduler.fail(broken);
              } catch (Refusal refused) {
                simulation.tell("client", "refused: " + refused.getMessage());
              } catch (Exception wrong) {
                scheduler.fail(new Violation("a call is answered", wrong));
              }
            });
  }

  private static ObjectStore view(StorageMachine at, Register register) throws Refusal {
    return at.views().of(register.owner);
  }

  private CallHistory.Call<Ask, Answer> begin(StorageMachine at, Register register, Ask ask) {
    return register.history.begin(at.scope().service(), ask);
  }

  /** One that is refused may have been done, or be done yet, or be taken back. */
  private boolean put(StorageMachine at, Register register) throws Exception {
    ObjectStore view = view(at, register);
    SampleObject object = register.object;
    Instant begun = scheduler.now();
    CallHistory.Call<Ask, Answer> call = begin(at, register, Ask.PUT);
    CallHistory.Call<Ask, Answer> back = begin(at, register, Ask.TAKE_BACK);
    ObjectStore.Written written = view.put(object.address(), ObjectStore.Source.of(object.bytes()));
    simulation.tell("client", "put of %s: %s".formatted(register, written));
    if (written instanceof ObjectStore.Written.Stored(var address, long size, _)) {
      if (!address.equals(object.address()) || size != object.bytes().length) {
        throw new Violation("a call is answered", register + " is stored as " + written);
      }
      call.answered(Answer.DONE);
      register.history.forget(back);
      stored.promised(object, begun);
      stored.checkDurable(object, QUORUM);
    }
    return true;
  }

  private boolean get(StorageMachine at, Register register, long offset, long end)
      throws Exception {
    ObjectStore view = view(at, register);
    CallHistory.Call<Ask, Answer> call = begin(at, register, Ask.GET);
    Optional<Boolean> found = read(view, register, offset, end);
    simulation.tell("client", "got %s: %s".formatted(register, found));
    if (found.isEmpty()) {
      register.history.forget(call);
      return false;
    }
    register.there = found.get();
    call.answered(found.get() ? Answer.THERE : Answer.ABSENT);
    return true;
  }

  /** Empty if it is not known. */
  private Optional<Boolean> read(ObjectStore view, Register register, long offset, long end)
      throws Exception {
    SampleObject object = register.object;
    Optional<ContentStat> stat = view.stat(object.address());
    if (stat.isEmpty()) {
      return absent(view.missing(object.address()));
    }
    int to = (int) Math.min(end, object.bytes().length);
    int at = (int) offset;
    try (ObjectReader reader = view.open(stat.get(), offset, end)) {
      while (true) {
        switch (reader.next()) {
          case ObjectReader.Step.Bytes(ByteBuffer bytes) -> at = check(object, at, to, bytes);
          case ObjectReader.Step.End _ -> {
            if (at != to) {
              throw new Violation(
                  "no byte leaves that does not match its name",
                  "%s ends at %d and not at %d".formatted(register, at, to));
            }
            return Optional.of(true);
          }
          case ObjectReader.Step.Lost(StorageFault fault) -> {
            simulation.tell("client", "lost %s at %d: %s".formatted(register, at, fault));
            return at == offset ? absent(fault) : Optional.empty();
          }
        }
      }
    }
  }

  private static Optional<Boolean> absent(StorageFault fault) {
    return fault instanceof StorageFault.NotFound ? Optional.of(false) : Optional.empty();
  }

  private static int check(SampleObject object, int at, int to, ByteBuffer bytes) {
    byte[] piece = new byte[bytes.remaining()];
    bytes.duplicate().get(piece);
    if (at + piece.length > to
        || !Arrays.equals(piece, 0, piece.length, object.bytes(), at, at + piece.length)) {
      throw new Violation(
          "no byte leaves that does not match its name",
          "%d bytes of %s at %d".formatted(piece.length, object, at));
    }
    return at + piece.length;
  }

  private boolean delete(StorageMachine at, Register register) throws Exception {
    ObjectStore view = view(at, register);
    CallHistory.Call<Ask, Answer> call = begin(at, register, Ask.DELETE);
    stored.mayGo(register.object);
    Optional<StorageFault> fault = view.delete(register.object.address());
    simulation.tell("client", "delete of %s: %s".formatted(register, fault));
    if (fault.isEmpty() || fault.get() instanceof StorageFault.NotFound) {
      call.answered(Answer.DONE);
    }
    return true;
  }

  /**
   * What a list shows is there, as to a read; what it does not show may be hidden by a machine that
   * is away. Each of what it shows is read, too.
   */
  private boolean list(StorageMachine at, Owner owner) throws Exception {
    ObjectStore view = at.views().of(owner);
    List<Register> own = registers.stream().filter(each -> each.owner.equals(owner)).toList();
    Map<Register, CallHistory.Call<Ask, Answer>> calls = new LinkedHashMap<>();
    own.forEach(each -> calls.put(each, begin(at, each, Ask.GET)));
    List<Register> shown = new ArrayList<>();
    try {
      for (ContentStat each : view.list(null, 100)) {
        listed(owner, own, each).ifPresent(shown::add);
      }
    } catch (dev.ron.content.ContentUnavailable unknown) {
      simulation.tell("client", "list: " + unknown.getMessage());
    }
    simulation.tell("client", "listed " + shown);
    calls.forEach(
        (register, call) -> {
          if (shown.contains(register)) {
            call.answered(Answer.THERE);
          } else {
            register.history.forget(call);
          }
        });
    for (Register each : shown) {
      get(at, each, 0, Long.MAX_VALUE);
    }
    return true;
  }

  /** Empty for an object of a tenant that is shown to the operator, who is shown all there is. */
  private static Optional<Register> listed(Owner owner, List<Register> own, ContentStat stat) {
    boolean known =
        SampleObject.ALL.stream()
            .anyMatch(
                each ->
                    each.address().equals(stat.address())
                        && each.bytes().length == stat.sizeBytes());
    Optional<Register> register =
        own.stream().filter(each -> each.object.address().equals(stat.address())).findFirst();
    if (!known || (register.isEmpty() && !owner.isOperator())) {
      throw new Violation("what is listed was stored", stat.toString());
    }
    return register;
  }

  // ---- the end

  void readRest() {
    for (BootedService<StorageMachine> each : cluster.machines()) {
      StorageMachine at = each.running().orElseThrow();
      Set<Register> left = new HashSet<>(registers);
      for (int i = 0; i < READ_STEPS_MAX && !left.isEmpty(); i++) {
        for (Register register : registers) {
          if (left.contains(register)) {
            run(
                each,
                () -> {
                  if (get(at, register, 0, Long.MAX_VALUE)) {
                    left.remove(register);
                  }
                  return true;
                });
          }
        }
        scheduler.run(READ_STEP);
      }
      if (!left.isEmpty()) {
        throw new Violation(
            "what is stored can be read",
            "%s cannot give %s".formatted(each.machine().name(), left));
      }
    }
    registers.forEach(StorageClients::check);
  }

  private static void check(Register register) {
    HistoryCheck.demand(
        "an object of an owner is one register",
        register,
        new OwnedObject(register.owner.isOperator()),
        register.history.operations());
  }

  /** Objects that some owner has. */
  Set<SampleObject> present() {
    var present = new HashSet<SampleObject>();
    registers.stream().filter(each -> each.there).forEach(each -> present.add(each.object));
    return present;
  }
}
