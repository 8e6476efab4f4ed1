package dev.ron.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.CallHistory;
import dev.ron.testkit.CallHistory.Operation;
import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.ConditionalRegister;
import dev.ron.testkit.ConditionalRegister.Answer;
import dev.ron.testkit.ConditionalRegister.Ask;
import dev.ron.testkit.LinearizabilityCheck;
import dev.ron.testkit.LinearizabilityCheck.Verdict;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Puts with and without conditions, gets and deletes of the same few keys from many connections at
 * once: what all of them hear is what one caller at a time would have heard, also across SIGKILL.
 */
final class ConditionalWriteTest {
  private static final int CALLERS = 8;
  private static final int KEYS = 3;
  private static final long STEPS_MAX = 20_000_000;
  private static final List<String> QUICK =
      List.of(
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED");

  @TempDir private Path folder;

  private final Map<String, CallHistory<Ask, Answer>> histories = new ConcurrentHashMap<>();

  /** The entity tag of each value that was seen. */
  private final Map<String, String> tags = new ConcurrentHashMap<>();

  private final AtomicLong values = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong runs = new AtomicLong();

  /** How a condition is kept. */
  private enum Keeper {
    DOOR,
    /** Looked at first and written then, by the client: what a store must not do. */
    CLIENT
  }

  /** One caller of the door. */
  private record Caller(String name, DoorClient client, RandomGenerator random, Keeper keeper) {}

  @Test
  @Timeout(120)
  void oneAtATimeWouldHearTheSame() throws Exception {
    try (var rig = new DoorRig(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new DoorClient(http, rig.port());
      assertThat(client.put("/bucket", new byte[0])).isEqualTo(200);
      load(client, 120, Keeper.DOOR, Long.getLong("ron.seed", 1));
    }
    assertThat(violations()).isEmpty();
  }

  /** The same with a store that looks first: the check finds what is wrong with it. */
  @Test
  @Timeout(120)
  void aStoreThatLooksBeforeItWritesIsFound() throws Exception {
    try (var rig = new DoorRig(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new DoorClient(http, rig.port());
      assertThat(client.put("/bucket", new byte[0])).isEqualTo(200);
      for (int round = 0; round < 10 && violations().isEmpty(); round++) {
        load(client, 40, Keeper.CLIENT, round);
      }
    }
    assertThat(violations()).anyMatch(Verdict.Violation.class::isInstance);
  }

  @Test
  @Timeout(300)
  void aKillIsNoExcuse() throws Exception {
    killed(3, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  void twentyKillsAreNone() throws Exception {
    for (int i = 0; i < 5; i++) {
      killed(4, Long.getLong("ron.seed", 100 + i));
      // Other keys, whose history begins anew.
      histories.clear();
      runs.incrementAndGet();
    }
  }

  private void killed(int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    for (int round = 0; round <= rounds; round++) {
      try (ChildJvm child = ChildJvm.start(QUICK, KilledDoorMain.class, folder.toString());
          HttpClient http = HttpClient.newHttpClient()) {
        var client = new DoorClient(http, Integer.parseInt(child.line()));
        if (round == 0) {
          client.put("/bucket", new byte[0]);
        }
        boolean last = round == rounds;
        long until = answered.get() + 100 + random.nextInt(200);
        List<Thread> callers = begin(client, last ? 20 : 5000, Keeper.DOOR, random.nextLong());
        if (!last) {
          DoorRig.eventually("the load is on", () -> answered.get() > until);
          child.kill9();
        }
        for (Thread caller : callers) {
          caller.join();
        }
      }
    }
    assertThat(violations()).as("seed %d", seed).isEmpty();
    assertThat(histories.values().stream().flatMap(each -> each.operations().stream()))
        .as("some outcomes are unknown")
        .anyMatch(each -> each.answer().isEmpty());
  }

  private void load(DoorClient client, int operations, Keeper keeper, long seed) throws Exception {
    for (Thread caller : begin(client, operations, keeper, seed)) {
      caller.join();
    }
  }

  private List<Thread> begin(DoorClient client, int operations, Keeper keeper, long seed) {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < CALLERS; i++) {
      var caller =
          new Caller("caller-" + i, client, new SplittableRandom(seed * CALLERS + i), keeper);
      threads.add(Thread.ofVirtual().start(() -> call(caller, operations)));
    }
    return threads;
  }

  /** Ends at the first operation without an answer, as a caller does whose server is gone. */
  private void call(Caller caller, int operations) {
    try {
      for (int i = 0; i < operations; i++) {
        step(caller, "/bucket/run-" + runs + "/key-" + caller.random().nextInt(KEYS));
        answered.incrementAndGet();
      }
    } catch (IOException gone) {
      // the operation stays open in the history
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void step(Caller caller, String path) throws IOException, InterruptedException {
    String value = "v" + values.incrementAndGet();
    List<String> seen = List.copyOf(tags.keySet());
    Ask ask =
        switch (caller.random().nextInt(10)) {
          case 0 -> new Ask.Delete();
          case 1, 2 -> new Ask.Put(value);
          case 3, 4 -> new Ask.PutIfAbsent(value);
          case 5, 6 ->
              seen.isEmpty()
                  ? new Ask.Get()
                  : new Ask.PutIfMatch(value, newest(seen, caller.random()));
          default -> new Ask.Get();
        };
    CallHistory.Call<Ask, Answer> call =
        histories.computeIfAbsent(path, _ -> new CallHistory<>()).begin(caller.name(), ask);
    heard(caller, path, ask).ifPresent(call::answered);
  }

  /** One of the last few, which may still be there. */
  private static String newest(List<String> seen, RandomGenerator random) {
    List<Long> numbers =
        seen.stream().map(each -> Long.parseLong(each.substring(1))).sorted().toList();
    int back = Math.min(numbers.size(), 6);
    return "v" + numbers.get(numbers.size() - 1 - random.nextInt(back));
  }

  private Optional<Answer> heard(Caller caller, String path, Ask ask)
      throws IOException, InterruptedException {
    return switch (ask) {
      case Ask.Get _ -> read(caller, path);
      case Ask.Put(String value) -> written(put(caller, path, value));
      case Ask.Delete _ -> written(caller.client().delete(path));
      case Ask.PutIfAbsent(String value) ->
          caller.keeper() == Keeper.DOOR
              ? written(put(caller, path, value, "if-none-match", "*"))
              : looked(caller, path, value, Optional.empty());
      case Ask.PutIfMatch(String value, String expected) ->
          caller.keeper() == Keeper.DOOR
              ? written(put(caller, path, value, "if-match", tags.get(expected)))
              : looked(caller, path, value, Optional.of(expected));
    };
  }

  private Optional<Answer> looked(
      Caller caller, String path, String value, Optional<String> expected)
      throws IOException, InterruptedException {
    Optional<Answer> there = read(caller, path);
    if (there.isEmpty()) {
      return there;
    }
    boolean absent = there.get() instanceof Answer.Absent;
    boolean holds =
        expected.isEmpty()
            ? absent
            : there.get() instanceof Answer.Value(String now) && now.equals(expected.get());
    if (holds) {
      return written(put(caller, path, value));
    }
    return Optional.of(absent && expected.isPresent() ? new Answer.Absent() : new Answer.Failed());
  }

  /** In one request or in parts; small ones lie beside their name, large ones in blocks. */
  private int put(Caller caller, String path, String value, String... fields)
      throws IOException, InterruptedException {
    int size = caller.random().nextInt(3) == 0 ? 40_000 : 0;
    byte[] body = (value + "|" + "x".repeat(size)).getBytes(UTF_8);
    return caller.random().nextInt(5) == 0
        ? caller.client().upload(path, body, fields)
        : caller.client().put(path, body, fields);
  }

  private Optional<Answer> read(Caller caller, String path)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> read = caller.client().get(path);
    return switch (read.statusCode()) {
      case 200 -> {
        String text = DoorClient.text(read);
        String value = text.substring(0, text.indexOf('|'));
        tags.put(value, read.headers().firstValue("ETag").orElseThrow());
        yield Optional.of(new Answer.Value(value));
      }
      case 404 -> Optional.of(new Answer.Absent());
      default -> Optional.empty();
    };
  }

  /** Empty where the door could not say. */
  private static Optional<Answer> written(int status) {
    return switch (status) {
      case 200, 204 -> Optional.of(new Answer.Done());
      case 412 -> Optional.of(new Answer.Failed());
      case 404 -> Optional.of(new Answer.Absent());
      default -> {
        assertThat(status).isGreaterThanOrEqualTo(500);
        yield Optional.empty();
      }
    };
  }

  private List<Verdict<Ask, Answer>> violations() {
    var violations = new ArrayList<Verdict<Ask, Answer>>();
    histories.forEach(
        (_, history) -> {
          // A read that heard nothing did nothing.
          List<Operation<Ask, Answer>> operations =
              history.operations().stream()
                  .filter(each -> each.answer().isPresent() || !(each.asked() instanceof Ask.Get))
                  .toList();
          Verdict<Ask, Answer> verdict =
              LinearizabilityCheck.of(new ConditionalRegister(), operations, STEPS_MAX);
          if (!(verdict instanceof Verdict.Linearizable)) {
            violations.add(verdict);
          }
        });
    return violations;
  }
}
