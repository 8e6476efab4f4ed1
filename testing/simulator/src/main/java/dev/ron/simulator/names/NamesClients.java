package dev.ron.simulator.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Address;
import dev.ron.http.Refusal;
import dev.ron.kernel.time.Deadline;
import dev.ron.simulator.cluster.BootedService;
import dev.ron.simulator.cluster.FaultyCluster;
import dev.ron.simulator.engine.HistoryCheck;
import dev.ron.simulator.engine.PlanStep;
import dev.ron.simulator.engine.Scheduler;
import dev.ron.simulator.engine.Simulation;
import dev.ron.simulator.engine.Violation;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.listing.ListBucketObjects;
import dev.ron.storage.s3.listing.ListQuery;
import dev.ron.storage.s3.listing.ListRequest;
import dev.ron.storage.s3.listing.ObjectListing;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.testkit.CallHistory;
import dev.ron.testkit.ConditionalRegister;
import dev.ron.testkit.ConditionalRegister.Answer;
import dev.ron.testkit.ConditionalRegister.Ask;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients of a bucket with few keys, and the history of each key, which must be that of a register
 * with conditional writes.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
final class NamesClients {
  private static final Duration LIMIT = Duration.ofSeconds(40);

  /** Several times the grace and the periods of what notes, condemns and deletes. */
  private static final Duration COLLECTED_WITHIN = Duration.ofMinutes(5);

  private static final BucketName BUCKET = new BucketName("simulated");
  private static final int KEYS = 4;

  /** Fewer than there are keys, so that most lists have several pages. */
  private static final int PAGE_KEYS = 2;

  private final FaultyCluster<BootedService<NamesMachine>> cluster;
  private final Simulation simulation;
  private final Scheduler scheduler;
  private final SimulatedBlocks blocks;
  private final AtomicLong clock = new AtomicLong();
  private final Map<String, CallHistory<Ask, Answer>> histories = new TreeMap<>();
  private int values;

  NamesClients(
      FaultyCluster<BootedService<NamesMachine>> cluster,
      Simulation simulation,
      SimulatedBlocks blocks) {
    this.cluster = cluster;
    this.simulation = simulation;
    this.scheduler = simulation.scheduler();
    this.blocks = blocks;
    for (int i = 0; i < KEYS; i++) {
      histories.put("key-" + i, new CallHistory<>(clock));
    }
  }

  void call(PlanStep step) {
    BootedService<NamesMachine> machine = cluster.machine(step.a());
    NamesMachine at = machine.running().orElse(null);
    if (at == null) {
      return;
    }
    String key = "key-" + step.b() % KEYS;
    Address block = SimulatedBlocks.block(step.c());
    switch (step.verb()) {
      case "bucket" -> run(machine, () -> create(at));
      case "put" -> {
        String value = value();
        run(machine, () -> put(at, key, new Ask.Put(value), value, WriteCondition.NONE, block));
      }
      case "put-if-absent" -> {
        String value = value();
        WriteCondition absent = WriteCondition.matching(null, "*");
        run(machine, () -> put(at, key, new Ask.PutIfAbsent(value), value, absent, block));
      }
      case "put-if-match" -> {
        String value = value();
        run(machine, () -> exchange(at, key, value, block));
      }
      case "get" -> run(machine, () -> get(at, key));
      case "list" -> run(machine, () -> list(at));
      case "remove" -> run(machine, () -> remove(at, key));
      default -> throw new IllegalArgumentException(step.toString());
    }
  }

  /** The digits of an entity tag, different for every write. */
  private String value() {
    return "%032x".formatted(++values);
  }

  private void run(BootedService<NamesMachine> machine, Callable<Boolean> call) {
    NamesMachine at = machine.running().orElseThrow();
    machine
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

  private CallHistory<Ask, Answer> history(String key) {
    return Objects.requireNonNull(histories.get(key), key);
  }

  private boolean create(NamesMachine at) throws Exception {
    at.names()
        .change(
            new NameCommand.CreateBucket(BUCKET, "owner", false, Acl.NONE, "", null, millis(at)));
    return true;
  }

  private static long millis(NamesMachine at) {
    return at.scope().time().wall().toEpochMilli();
  }

  private static Optional<Bucket> bucket(NamesMachine at) {
    return at.names().view().bucket(BUCKET);
  }

  private static ObjectKey key(String text) {
    return ObjectKey.of(text).orElseThrow();
  }

  /** Bytes first, as a request does, and then the name. */
  private boolean put(
      NamesMachine at, String key, Ask ask, String value, WriteCondition condition, Address block)
      throws Exception {
    return at.names()
        .fresh(
            () -> {
              Bucket bucket = bucket(at).orElse(null);
              if (bucket == null) {
                return false;
              }
              blocks.put(block);
              CallHistory.Call<Ask, Answer> call = history(key).begin(at.scope().service(), ask);
              var version =
                  new ObjectVersion(
                      new Uid(0, at.scope().chance().nextLong()),
                      ObjectVersion.Kind.OBJECT,
                      true,
                      "owner",
                      millis(at),
                      1,
                      new EntityTag(value, 0),
                      null,
                      List.of(),
                      List.of(),
                      Acl.NONE,
                      null,
                      false,
                      new ObjectContent.Blocks(List.of(new Extent(block, 0, 1))),
                      null);
              NameOutcome outcome =
                  at.names()
                      .change(
                          new NameCommand.PutObject(
                              bucket.id(), BUCKET, key(key), version, condition));
              simulation.tell("client", ask + " to " + key + ": " + outcome);
              return answered(key, call, outcome);
            });
  }

  private boolean answered(String key, CallHistory.Call<Ask, Answer> call, NameOutcome outcome) {
    switch (outcome) {
      case NameOutcome.Stored _, NameOutcome.Deleted _ -> call.answered(new Answer.Done());
      case NameOutcome.Refused(S3Fault.PreconditionFailed _) -> call.answered(new Answer.Failed());
      case NameOutcome.Refused(S3Fault.NoSuchKey _) -> call.answered(new Answer.Absent());
      case NameOutcome.Refused _ -> history(key).forget(call); // decided, and nothing was done
      case NameOutcome other -> throw new Violation("a call is answered", "by " + other);
    }
    return true;
  }

  /** Writes if nothing changed since it read. */
  private boolean exchange(NamesMachine at, String key, String value, Address block)
      throws Exception {
    Optional<String> seen = at.names().fresh(() -> read(at, key));
    if (seen.isEmpty()) {
      return false;
    }
    String expected = seen.get();
    return put(
        at,
        key,
        new Ask.PutIfMatch(value, expected),
        value,
        WriteCondition.matching("\"" + expected + "\"", null),
        block);
  }

  private boolean get(NamesMachine at, String key) throws Exception {
    CallHistory.Call<Ask, Answer> call = history(key).begin(at.scope().service(), new Ask.Get());
    Optional<String> seen = at.names().fresh(() -> read(at, key));
    simulation.tell("client", "got " + key + ": " + seen);
    call.answered(seen.<Answer>map(Answer.Value::new).orElseGet(Answer.Absent::new));
    return true;
  }

  private static Optional<String> read(NamesMachine at, String key) {
    return bucket(at)
        .flatMap(bucket -> at.names().view().object(bucket.id(), key(key)))
        .filter(each -> !each.isMarker())
        .map(each -> each.etag().md5());
  }

  /**
   * A list is a read of every key, each at the moment of the page that has it or passes it over.
   */
  private boolean list(NamesMachine at) throws Exception {
    Map<String, CallHistory.Call<Ask, Answer>> calls = new TreeMap<>();
    histories.forEach(
        (key, history) -> calls.put(key, history.begin(at.scope().service(), new Ask.Get())));
    Map<String, Answer> seen = new TreeMap<>();
    String after = "";
    boolean more = true;
    while (more) {
      ObjectListing<ObjectVersion> page = page(at, after);
      for (ObjectListing.Entry<ObjectVersion> each : page.entries()) {
        note(each, seen);
      }
      more = page.isTruncated();
      after = new String(page.last(), UTF_8);
    }
    simulation.tell("client", "listed " + seen);
    calls.forEach((key, call) -> call.answered(seen.getOrDefault(key, new Answer.Absent())));
    return true;
  }

  private void note(ObjectListing.Entry<ObjectVersion> entry, Map<String, Answer> seen) {
    if (entry instanceof ObjectListing.Entry.Key<ObjectVersion>(byte[] bytes, var version)) {
      String key = new String(bytes, UTF_8);
      if (!histories.containsKey(key)
          || seen.put(key, new Answer.Value(version.etag().md5())) != null) {
        throw new Violation("a list has each key once", key);
      }
    } else {
      throw new Violation("a list has each key once", "a common prefix that was not asked for");
    }
  }

  /** As the door's verb makes it, of the bucket as it is when the request begins. */
  private static ObjectListing<ObjectVersion> page(NamesMachine at, String after) throws Exception {
    return at.names()
        .fresh(
            () -> {
              Optional<Bucket> bucket = bucket(at);
              if (bucket.isEmpty()) {
                return ObjectListing.of(
                    new ListRequest(new byte[0], new byte[0], new byte[0], 0), _ -> null);
              }
              var query = new ListQuery("", "", PAGE_KEYS, false);
              var request =
                  new ListBucketObjects.Request(bucket.get(), query, true, after, null, false);
              return new ListBucketObjects(at.names()).handle(request).listing();
            });
  }

  private boolean remove(NamesMachine at, String key) throws Exception {
    return at.names()
        .fresh(
            () -> {
              Bucket bucket = bucket(at).orElse(null);
              if (bucket == null) {
                return false;
              }
              CallHistory.Call<Ask, Answer> call =
                  history(key).begin(at.scope().service(), new Ask.Delete());
              NameOutcome outcome =
                  at.names()
                      .change(
                          new NameCommand.DeleteObject(
                              bucket.id(),
                              BUCKET,
                              key(key),
                              new VersionRef.Current(),
                              WriteCondition.NONE,
                              "owner",
                              false,
                              at.scope().chance().nextLong(),
                              millis(at)));
              simulation.tell("client", "removed " + key + ": " + outcome);
              return answered(key, call, outcome);
            });
  }

  // ---- the end

  void readRest() {
    for (BootedService<NamesMachine> each : cluster.machines()) {
      NamesMachine at = each.running().orElseThrow();
      histories.keySet().forEach(key -> run(each, () -> get(at, key)));
      scheduler.run(Duration.ofSeconds(30));
    }
    histories.forEach(
        (key, history) ->
            HistoryCheck.demand(
                "a key is one register", key, new ConditionalRegister(), history.operations()));
    cluster.settle();
    referenced().forEach(blocks::checkKept);
  }

  /** What no name leads to is collected in the end, and nothing else. */
  void awaitCollection() {
    scheduler.run(COLLECTED_WITHIN);
    cluster.settle();
    Map<Address, String> referenced = referenced();
    referenced.forEach(blocks::checkKept);
    blocks.checkCollected(referenced.keySet());
  }

  /** Blocks that names lead to on any machine, each with one of its names. */
  private Map<Address, String> referenced() {
    Map<Address, String> found = new HashMap<>();
    for (BootedService<NamesMachine> each : cluster.machines()) {
      NamesMachine at = each.running().orElseThrow();
      bucket(at)
          .ifPresent(
              bucket ->
                  histories
                      .keySet()
                      .forEach(
                          key ->
                              at.names()
                                  .view()
                                  .object(bucket.id(), key(key))
                                  .ifPresent(
                                      version -> {
                                        if (version.content()
                                            instanceof ObjectContent.Blocks(List<Extent> extents)) {
                                          extents.forEach(of -> found.put(of.block(), key));
                                        }
                                      })));
    }
    return found;
  }
}
