package dev.ron.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.CallHistory;
import dev.ron.testkit.ConditionalRegister;
import dev.ron.testkit.ConditionalRegister.Answer;
import dev.ron.testkit.ConditionalRegister.Ask;
import dev.ron.testkit.LinearizabilityCheck;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three real processes; each is killed in turn under load and started again, so the one that leads
 * is too. Blocks are collected all the time, a second after their last name.
 */
final class DoorClusterKillTest {
  private static final int WRITERS = 6;
  private static final int KEYS = 3;
  private static final String ABSENT = "absent";

  @TempDir private Path folder;

  private final AtomicLong seeds = new AtomicLong();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicBoolean over = new AtomicBoolean();

  /** What a client waits between two steps. A short run leaves a machine that starts some CPU. */
  private long restNanos;

  private final Map<String, Integer> generations = new ConcurrentHashMap<>();
  private final Set<String> contradictions = ConcurrentHashMap.newKeySet();
  private final Map<String, CallHistory<Ask, Answer>> histories = new ConcurrentHashMap<>();

  /** What keys of one writer each may have now: seeds, or {@link #ABSENT}. */
  private final Map<String, Set<String>> possible = new ConcurrentHashMap<>();

  @Test
  @Timeout(420)
  void whatWasAcknowledgedIsThereAndConditionsHeldWhileAMachineIsKilled() throws Exception {
    restNanos = 3_000_000;
    killAndCompare(1, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  void theSameForTwentyKills() throws Exception {
    killAndCompare(20, Long.getLong("ron.seed", 2));
  }

  private void killAndCompare(int kills, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    try (var machines =
        new DoorMachines(
            folder,
            "s3.garbage.grace=1s",
            "s3.garbage.period=200ms",
            "s3.cluster.log_entries=200",
            "s3.cluster.log_segment=256KiB")) {
      machines.fork(DoorMachines.NAMES);
      machines.awaitBucket("a", "bucket");
      List<Thread> load = load(machines, random);
      var time = new SystemTime();
      for (int kill = 0; kill < kills; kill++) {
        String victim = DoorMachines.NAMES.get(kill % 3);
        progress();
        machines.kill9(victim);
        progress();
        time.sleepUntil(time.now().plus(Duration.ofMillis(random.nextInt(1000))));
        machines.fork(List.of(victim));
        progress();
      }
      over.set(true);
      for (Thread each : load) {
        each.join();
      }
      compare(machines, seed);
    }
  }

  private void progress() throws Exception {
    long before = acknowledged.get();
    DoorRig.eventually(
        "changes are acknowledged",
        () -> acknowledged.get() > before + 20 || !contradictions.isEmpty());
  }

  private List<Thread> load(DoorMachines machines, RandomGenerator random) {
    var load = new ArrayList<Thread>();
    for (int i = 0; i < WRITERS; i++) {
      String writer = "writer-" + i;
      var mine = new SplittableRandom(random.nextLong());
      var other = mine.split();
      load.add(Thread.ofVirtual().start(() -> run(() -> write(machines, writer, mine))));
      load.add(Thread.ofVirtual().start(() -> run(() -> contend(machines, writer, other))));
    }
    return load;
  }

  /** A step of a client. */
  private interface Step {
    void run() throws Exception;
  }

  private void run(Step step) {
    while (!over.get() && contradictions.isEmpty()) {
      try {
        step.run();
        LockSupport.parkNanos(restNanos);
      } catch (IOException killed) {
        // whether it was done is not known, and the ledger says so
      } catch (InterruptedException stop) {
        return;
      } catch (Exception other) {
        contradictions.add(other.toString());
      }
    }
  }

  private static DoorClient any(DoorMachines machines, RandomGenerator random) {
    return machines.client(DoorMachines.NAMES.get(random.nextInt(3)));
  }

  // ---- a ledger of keys that one writer has to itself

  private static byte[] bytes(String seed) {
    long number = Long.parseLong(seed);
    // Every third shares its bytes with others, so that blocks are shared, dropped and found again.
    var content = new SplittableRandom(number % 3 == 0 ? number % 5 : number);
    byte[] bytes = new byte[number % 3 == 0 ? 6000 : 1 + (int) (number * 7919 % 30_000)];
    content.nextBytes(bytes);
    return bytes;
  }

  private Set<String> of(String key) {
    return possible.computeIfAbsent(key, _ -> Set.of(ABSENT));
  }

  private void may(String key, String value) {
    var all = new HashSet<>(of(key));
    all.add(value);
    possible.put(key, Set.copyOf(all));
  }

  private void settled(String key, String value) {
    possible.put(key, Set.of(value));
    acknowledged.incrementAndGet();
  }

  /** The key of that number; another one after a change whose outcome is not known. */
  private String key(String writer, int number) {
    return "/bucket/%s/key-%d-%d"
        .formatted(writer, number, generations.getOrDefault(writer + number, 0));
  }

  private void write(DoorMachines machines, String writer, RandomGenerator random)
      throws Exception {
    int number = random.nextInt(KEYS);
    String key = key(writer, number);
    DoorClient client = any(machines, random);
    String seed = Long.toString(seeds.incrementAndGet());
    switch (random.nextInt(7)) {
      case 0 -> change(writer, number, ABSENT, () -> client.delete(key) == 204);
      case 1 -> change(writer, number, seed, () -> client.upload(key, bytes(seed)) == 200);
      case 2 -> copy(client, writer, number, random);
      case 3 -> look(client, key);
      case 4 -> list(client, writer);
      default -> change(writer, number, seed, () -> client.put(key, bytes(seed)) == 200);
    }
  }

  /**
   * A change that was not acknowledged may still come, at any time later; so its key is not written
   * again.
   */
  private void change(String writer, int number, String value, Callable<Boolean> change)
      throws Exception {
    String key = key(writer, number);
    may(key, value);
    boolean done = false;
    try {
      done = change.call();
    } finally {
      if (done) {
        settled(key, value);
      } else {
        generations.merge(writer + number, 1, Integer::sum);
      }
    }
  }

  private void copy(DoorClient client, String writer, int number, RandomGenerator random)
      throws Exception {
    String from = key(writer, random.nextInt(KEYS));
    Set<String> source = of(from);
    String value = source.iterator().next();
    String key = key(writer, number);
    if (!from.equals(key) && source.size() == 1 && !value.equals(ABSENT)) {
      change(
          writer,
          number,
          value,
          () -> client.put(key, new byte[0], "x-amz-copy-source", from) == 200);
    }
  }

  private boolean fits(HttpResponse<byte[]> read, String value) {
    return value.equals(ABSENT)
        ? read.statusCode() == 404
        : read.statusCode() == 200 && Arrays.equals(read.body(), bytes(value));
  }

  /** Reads a key, which must have one of what it may have, whole. */
  private void look(DoorClient client, String key) throws Exception {
    HttpResponse<byte[]> read = client.get(key);
    if (read.statusCode() >= 500) {
      return;
    }
    if (of(key).stream().noneMatch(value -> fits(read, value))) {
      contradictions.add(
          "%s: %d and %d bytes, not one of %s"
              .formatted(key, read.statusCode(), read.body().length, of(key)));
    }
  }

  /** A listing has every key that must be there, and none that cannot. */
  private void list(DoorClient client, String writer) throws Exception {
    var listing = client.get("/bucket?list-type=2&prefix=" + writer + "%2F");
    if (listing.statusCode() != 200) {
      return;
    }
    for (int i = 0; i < KEYS; i++) {
      String key = key(writer, i).substring("/bucket/".length());
      Set<String> values = of("/bucket/" + key);
      boolean listed = DoorClient.text(listing).contains("<Key>" + key + "</Key>");
      if (listed ? values.equals(Set.of(ABSENT)) : !values.contains(ABSENT)) {
        contradictions.add(key + (listed ? " is" : " is not") + " listed and may be " + values);
      }
    }
  }

  // ---- a history of keys that all write with conditions

  /** Sends one request and says what was heard. */
  private interface Exchange {
    void run(CallHistory.Call<Ask, Answer> call) throws Exception;
  }

  /**
   * A key whose change has no known end is left for another: each such change doubles the orders
   * that the check has to try.
   */
  private void contend(DoorMachines machines, String writer, RandomGenerator random)
      throws Exception {
    String shared = "shared-" + random.nextInt(40);
    String key = "/bucket/%s-%d".formatted(shared, generations.getOrDefault(shared, 0));
    var history = histories.computeIfAbsent(key, _ -> new CallHistory<>());
    DoorClient client = any(machines, random);
    String value = writer + "-" + seeds.incrementAndGet();
    byte[] body = value.getBytes(UTF_8);
    switch (random.nextInt(5)) {
      case 0 -> tell(shared, history, writer, new Ask.Delete(), call -> delete(client, key, call));
      case 1 ->
          tell(
              shared,
              history,
              writer,
              new Ask.PutIfAbsent(value),
              call -> answer(client.put(key, body, "if-none-match", "*"), call));
      case 2 -> {
        HttpResponse<byte[]> seen = client.get(key);
        if (seen.statusCode() == 200) {
          String tag = seen.headers().firstValue("ETag").orElseThrow();
          tell(
              shared,
              history,
              writer,
              new Ask.PutIfMatch(value, new String(seen.body(), UTF_8)),
              call -> answer(client.put(key, body, "if-match", tag), call));
        }
      }
      case 3 -> tell(shared, history, writer, new Ask.Get(), call -> read(client.get(key), call));
      default ->
          tell(
              shared,
              history,
              writer,
              new Ask.Put(value),
              call -> answer(client.put(key, body), call));
    }
  }

  private void tell(
      String shared, CallHistory<Ask, Answer> history, String writer, Ask ask, Exchange exchange)
      throws Exception {
    var call = history.begin(writer, ask);
    boolean sent = true;
    try {
      exchange.run(call);
    } catch (ConnectException refused) {
      sent = false;
      history.forget(call);
    } finally {
      if (sent && !call.isAnswered()) {
        generations.merge(shared, 1, Integer::sum);
      }
    }
  }

  private static void delete(DoorClient client, String key, CallHistory.Call<Ask, Answer> call)
      throws Exception {
    if (client.delete(key) == 204) {
      call.answered(new Answer.Done());
    }
  }

  private static void read(HttpResponse<byte[]> read, CallHistory.Call<Ask, Answer> call) {
    if (read.statusCode() == 200) {
      call.answered(new Answer.Value(new String(read.body(), UTF_8)));
    } else if (read.statusCode() == 404) {
      call.answered(new Answer.Absent());
    }
  }

  private static void answer(int status, CallHistory.Call<Ask, Answer> call) {
    switch (status) {
      case 200 -> call.answered(new Answer.Done());
      case 412 -> call.answered(new Answer.Failed());
      case 404 -> call.answered(new Answer.Absent());
      default -> {
        // it may have been done
      }
    }
  }

  private void compare(DoorMachines machines, long seed) throws Exception {
    assertThat(contradictions).as("seed %d", seed).isEmpty();
    assertThat(acknowledged.get()).isPositive();
    for (String key : new TreeMap<>(possible).keySet()) {
      Optional<byte[]> first = Optional.empty();
      for (String name : DoorMachines.NAMES) {
        HttpResponse<byte[]> read = patient(machines.client(name), key);
        assertThat(of(key).stream().anyMatch(value -> fits(read, value)))
            .as("%s at %s: %d, may be %s", key, name, read.statusCode(), of(key))
            .isTrue();
        byte[] now = read.statusCode() == 200 ? read.body() : new byte[0];
        assertThat(now).as("%s at %s", key, name).isEqualTo(first.orElse(now));
        first = Optional.of(now);
      }
    }
    int checked = 0;
    for (var history : histories.entrySet()) {
      var operations = history.getValue().operations();
      checked += operations.size();
      assertThat(LinearizabilityCheck.of(new ConditionalRegister(), operations, 10_000_000))
          .as("%s of seed %d", history.getKey(), seed)
          .isInstanceOf(LinearizabilityCheck.Verdict.Linearizable.class);
    }
    System.out.println(
        "acknowledged %d changes, checked %d operations on %d keys"
            .formatted(acknowledged.get(), checked, histories.size()));
  }

  private static HttpResponse<byte[]> patient(DoorClient client, String key) throws Exception {
    HttpResponse<byte[]> read = client.get(key);
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (read.statusCode() == 503 && System.nanoTime() < limit) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      read = client.get(key);
    }
    return read;
  }
}
