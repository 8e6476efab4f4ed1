package dev.ron.node.up;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.NodeKeys;
import dev.ron.node.NodeProcess;
import dev.ron.node.NodeSettings;
import dev.ron.node.RecentLog;
import dev.ron.node.Said;
import dev.ron.node.cluster.ClusterEntry;
import dev.ron.node.cluster.ClusterMachine;
import dev.ron.node.fsck.FsckCommand;
import dev.ron.testkit.FreePorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short twin of {@code ClusterLifeTest}: three nodes without an edge, in one process. */
final class NodeLifeTest {
  private static final String HOST = "127.0.0.1";
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String POLICY =
      "{\"id\":\"p\",\"version\":1,\"weights_ppm\":{\"m\":1000000},\"rounding\":\"floor\","
          + "\"min_payout_minor\":\"0\",\"actor_cap_minor\":null,\"pool_cap_minor\":null,"
          + "\"on_bad_line\":\"refuse\",\"signatures\":[]}";

  @TempDir private Path folder;
  private final List<NodeLife> lives = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, NodeProcess> up = new ConcurrentHashMap<>();
  private final Map<String, String> words = new ConcurrentHashMap<>();
  private final Map<String, String> failures = new ConcurrentHashMap<>();

  @AfterEach
  void ends() throws Exception {
    lives.forEach(NodeLife::end);
    for (Thread each : threads) {
      each.join();
    }
    lives.clear();
    threads.clear();
    up.clear();
  }

  private ClusterEntry entry(String name) throws Exception {
    int port = FreePorts.row(ClusterMachine.JOIN + 1);
    return new ClusterEntry(folder.resolve(name), port, new SystemTime());
  }

  private void begin(String name, ClusterEntry of, String... more) throws Exception {
    var flags = new HashMap<String, String>();
    flags.put("node.data", of.data().toString());
    flags.put("node.base_port", Integer.toString(of.basePort()));
    flags.put("node.services", "gateway,mailbox,storage,rewarder");
    flags.put("rewarder.require_signed_policy", "false");
    for (String pair : more) {
      flags.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    var life =
        new NodeLife(
            derived -> {
              var all = new HashMap<>(derived);
              all.putAll(flags);
              return NodeSettings.load(all, Map.of(), Optional.empty());
            },
            NodeKeys.openOrMake(of.data()),
            World.real(Log.silent()),
            RecentLog.since(Instant.now()));
    lives.add(life);
    threads.add(
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    life.run(
                        of.data(), (node, _) -> up.put(name, node), said -> words.put(name, said));
                  } catch (Exception failed) {
                    failures.put(name, failed.toString());
                  }
                }));
  }

  private void await(String what, BooleanSupplier met) {
    long limit = System.nanoTime() + LIMIT.toNanos();
    while (!met.getAsBoolean()) {
      assertThat(failures).isEmpty();
      if (System.nanoTime() > limit) {
        throw new AssertionError("never: " + what + "; " + words);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private boolean isReady(String name) {
    NodeProcess node = up.get(name);
    return node != null && node.ready();
  }

  private String url(String machine, String service) {
    return up.get(machine).urls().entrySet().stream()
        .filter(each -> each.getKey().service().equals(service))
        .findFirst()
        .orElseThrow()
        .getValue();
  }

  private String token() throws Exception {
    return NodeKeys.open(folder.resolve("a")).adminToken();
  }

  private String s3(String machine, String... words) throws Exception {
    var all = new ArrayList<>(List.of("s3"));
    all.addAll(List.of(words));
    all.addAll(List.of("--url", url(machine, "s3"), "--cap", token()));
    Said said = Said.by(all.toArray(String[]::new));
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }

  private String ask(String machine, String path, String form) throws Exception {
    HttpResponse<String> answer = ask(machine, "mailbox", "POST", path, form);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  /** Again on 503, as clients do: the group may still take machines in, and says so. */
  private HttpResponse<String> ask(
      String machine, String service, String method, String path, String form) throws Exception {
    long limit = System.nanoTime() + LIMIT.toNanos();
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (true) {
        HttpResponse<String> answer =
            client.send(
                HttpRequest.newBuilder(URI.create(url(machine, service) + path))
                    .header("Authorization", "Bearer " + token())
                    .header("Content-Type", "application/json")
                    .header("Prefer", "wait=60")
                    .method(method, HttpRequest.BodyPublishers.ofString(form))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 503 || System.nanoTime() > limit) {
          return answer;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    }
  }

  @Test
  void aNodeThatRanAloneGoesOnAsOneOfThree() throws Exception {
    ClusterEntry a = entry("a");
    begin("a", a);
    await("a is ready", () -> isReady("a"));
    ask("a", "/v1/send", "{\"topic\":\"t\",\"idem_key\":\"1\",\"payload_b64\":\"aGVsbG8=\"}");
    assertThat(s3("a", "mb", "s3://photos")).contains("photos");
    String before = root(closed("a", "before", "3"));
    NodeProcess alone = up.get("a");

    a.initOnce("home", "a", HOST);
    ClusterEntry b = entry("b");
    ClusterEntry c = entry("c");
    assertThat(b.join(a.invite(), "", HOST, "")).isEqualTo("machine b of cluster home");
    begin("b", b);
    await("b waits", () -> words.getOrDefault("b", "").contains("2 of 3 machines have joined"));
    assertThat(up.get("a")).as("two change nothing").isSameAs(alone);

    c.join(a.invite(), "", HOST, "");
    begin("c", c);
    await("all are one", () -> isReady("b") && isReady("c") && up.get("a") != alone);
    await("a is ready again", () -> isReady("a"));
    assertThat(ask("c", "/v1/recv", received("t"))).contains("aGVsbG8=");
    assertThat(s3("b", "ls")).contains("photos");
    ask("b", "/v1/send", "{\"topic\":\"u\",\"idem_key\":\"1\",\"payload_b64\":\"aGVsbG8=\"}");
    assertThat(ask("a", "/v1/recv", received("u"))).contains("aGVsbG8=");
    String after = root(closed("a", "after", "4"));
    await("a has paid both", () -> isPaid("a", "before") && isPaid("a", "after"));
    String ledger = told("a", "/rewarder/ledger");
    new MachinePorts(folder, a.data().resolve("keys/cluster"), HOST, a.basePort())
        .speakToMachinesAlone();

    backups(a);
    ends();
    checks(List.of(a, b, c));
    folderOfTheFounderIsLost(a, b, c);
    aMachineThatLeadsIsReplaced(a);
    oneOfFourIsDrainedAndLeaves(a);
    anotherKeepsTheList(a, b);
    epochsAreClosedOnce(List.of(before, after), ledger);
  }

  /** The one that was lost may live, and its files say what it has paid: they are not here. */
  private void epochsAreClosedOnce(List<String> roots, String ledger) throws Exception {
    await("b has the epochs", () -> isReady("b"));
    assertThat(roots)
        .containsExactly(
            root(ask("b", "rewarder", "GET", "/rewarder/epochs/before", "")),
            root(ask("b", "rewarder", "GET", "/rewarder/epochs/after", "")));
    HttpResponse<String> again = closed("b", "before", "5");
    assertThat(again.statusCode()).as(again.body()).isEqualTo(409);
    assertThat(again.body()).contains("other-inputs");
    await("b has paid both", () -> isPaid("b", "before") && isPaid("b", "after"));
    assertThat(told("b", "/rewarder/ledger")).as("each once").isEqualTo(ledger);
    assertThat(closed("b", "further", "6").statusCode()).isEqualTo(200);
  }

  private boolean isPaid(String machine, String epoch) {
    return told(machine, "/rewarder/epochs/%s/settlement".formatted(epoch))
        .contains("\"state\":\"settled\"");
  }

  private String told(String machine, String path) {
    try {
      return ask(machine, "rewarder", "GET", path, "").body();
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static String root(HttpResponse<String> manifest) {
    assertThat(manifest.statusCode()).as(manifest.body()).isEqualTo(200);
    Matcher found = Pattern.compile("\"root\":\"(b3:[0-9a-f]+)\"").matcher(manifest.body());
    assertThat(found.find()).as(manifest.body()).isTrue();
    return found.group(1);
  }

  /** Computes an epoch in which two actors share a thousand. */
  private HttpResponse<String> closed(String machine, String epoch, String units) throws Exception {
    String accounting = put(machine, "actor,metric,units\na,m,%s\nb,m,1\n".formatted(units));
    String pool =
        put(
            machine,
            "{\"pool_minor\":\"1000\",\"asset\":\"ROC\",\"epoch\":\"%s\"}".formatted(epoch));
    return ask(
        machine,
        "rewarder",
        "POST",
        "/rewarder/epochs/%s/compute".formatted(epoch),
        "{\"accounting\":\"%s\",\"ledger\":\"%s\",\"policy\":\"%s\",\"dry_run\":false}"
            .formatted(accounting, pool, put(machine, POLICY)));
  }

  private String put(String machine, String document) throws Exception {
    HttpResponse<String> kept = ask(machine, "storage", "POST", "/o", document);
    Matcher address = Pattern.compile("b3:[0-9a-f]{64}").matcher(kept.body());
    assertThat(address.find()).as(kept.body()).isTrue();
    return address.group();
  }

  /** Messages and names of one of several are not where those of a machine alone were. */
  private void backups(ClusterEntry a) {
    String repository = folder.resolve("backups").toString();
    Said made = Said.by("backup", repository, "--data", a.data().toString());
    assertThat(made.exit()).as(made.out() + made.err()).isZero();
    String[] restore = {
      "restore", repository, "--data", folder.resolve("restored").toString(), "--all-machines"
    };
    Said alone = Said.by(Arrays.copyOf(restore, restore.length - 1));
    assertThat(alone.exit()).isEqualTo(1);
    assertThat(alone.err()).contains("is of a machine of a cluster");
    Said all = Said.by(restore);
    assertThat(all.exit()).as(all.err()).isZero();
    assertThat(all.out()).contains("all checked");
  }

  private static void checks(List<ClusterEntry> machines) throws Exception {
    for (ClusterEntry each : machines) {
      Said sound = Said.by("fsck", "--data", each.data().toString());
      assertThat(sound.exit()).as(sound.out() + sound.err()).isZero();
      assertThat(sound.out()).contains("2 messages sent");
    }
    Path journal = machines.getLast().data().resolve("mailbox/group-0/journal");
    Path segment;
    try (Stream<Path> files = Files.list(journal)) {
      segment = files.filter(each -> each.toString().endsWith(".log")).findFirst().orElseThrow();
    }
    byte[] right = Files.readAllBytes(segment);
    byte[] flipped = right.clone();
    flipped[new String(right, ISO_8859_1).indexOf("hello")] ^= 1;
    Files.write(segment, flipped);
    Said damaged = Said.by("fsck", "--data", machines.getLast().data().toString());
    assertThat(damaged.exit()).as(damaged.out()).isEqualTo(1);
    assertThat(damaged.out()).contains("DAMAGE mailbox");
    Files.write(segment, right);
  }

  /** It has its keys, its list and the right to found a log, and nothing of the log. */
  private void folderOfTheFounderIsLost(ClusterEntry a, ClusterEntry b, ClusterEntry c)
      throws Exception {
    FsckCommand.delete(a.data().resolve("mailbox"));
    FsckCommand.delete(a.data().resolve("storage/s3/names-shared"));
    begin("a", a);
    begin("b", b);
    begin("c", c);
    await("all are one again", () -> isReady("a") && isReady("b") && isReady("c"));
    for (String each : List.of("a", "b", "c")) {
      assertThat(ask(each, "/v1/recv", received("t"))).as(each).contains("aGVsbG8=");
      assertThat(s3(each, "ls")).contains("photos");
    }
  }

  /** It only looked dead: it is told, ends, and the machine in its place has everything. */
  private void aMachineThatLeadsIsReplaced(ClusterEntry a) throws Exception {
    ask("a", "/v1/cluster/transfer", "{\"group\":0,\"node\":\"c\"}");
    ClusterEntry d = entry("d");
    assertThat(d.join(invitedForThePlaceOf("c", a), "", HOST, "c"))
        .isEqualTo("machine d of cluster home");
    awaitDismissal("c");
    begin("d", d);
    await("d is ready", () -> isReady("d"));
    goOn("a", "b", "d");
  }

  /** By the commands as the pages have them. */
  private void oneOfFourIsDrainedAndLeaves(ClusterEntry a) throws Exception {
    ClusterEntry e = entry("e");
    e.join(a.invite(), "", HOST, "");
    begin("e", e);
    await("e is ready", () -> isReady("e"));
    ask("a", "/v1/cluster/transfer", "{\"group\":0,\"node\":\"d\"}");
    await("d leads", () -> status().lines().anyMatch(line -> line.matches("d .* mailbox/0 .*")));
    Said early = Said.by("cluster", "leave", "d", "--data", a.data().toString());
    assertThat(early.exit()).as(early.out()).isEqualTo(1);
    assertThat(early.err()).contains("d leads", "mailbox/0", "ron cluster drain d");
    Said drains = Said.by("cluster", "drain", "d", "--data", a.data().toString());
    assertThat(drains.out()).contains("d hands over what it leads and gives its copies");
    await("d leads nothing and no copy is short", this::isDrained);
    Said left = Said.by("cluster", "leave", "d", "--data", a.data().toString());
    assertThat(left.out()).as(left.err()).contains("d is let go; left are [a, b, e]");
    awaitDismissal("d");
    goOn("a", "b", "e");
  }

  private boolean isDrained() {
    String status = status();
    return status.contains("copies of objects: 0 short, 0 of them urgent")
        && status.lines().anyMatch(line -> line.matches("d +\\S+ +cluster, drains +yes +- .*"));
  }

  private String status() {
    try {
      String admin = up.get("a").adminUrl();
      String[] words = {
        "cluster", "status", "--url", url("a", "mailbox"), "--admin", admin, "--cap", token()
      };
      return Said.by(words).out();
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static String invitedForThePlaceOf(String gone, ClusterEntry by) {
    Said said =
        Said.by(
            "cluster",
            "invite",
            "--replace",
            gone,
            "--data",
            by.data().toString(),
            "--base-port",
            Integer.toString(by.basePort()));
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out().strip();
  }

  private void awaitDismissal(String name) {
    long limit = System.nanoTime() + LIMIT.toNanos();
    while (!failures.containsKey(name)) {
      assertThat(System.nanoTime()).as(name + " goes on").isLessThan(limit);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertThat(failures.remove(name))
        .contains(
            "machine %s was let go, as ".formatted(name), "goes on without it", "is still in");
  }

  /** What one takes another hands out, and all have the names. */
  private void goOn(String... machines) throws Exception {
    for (String each : machines) {
      String topic = "at-%s-of-%d".formatted(each, lives.size());
      ask(
          each,
          "/v1/send",
          "{\"topic\":\"%s\",\"idem_key\":\"1\",\"payload_b64\":\"aGk=\"}".formatted(topic));
      assertThat(ask("a", "/v1/recv", received(topic))).as(each).contains("aGk=");
      assertThat(s3(each, "ls")).contains("photos");
    }
  }

  /** Services that run where the list is kept, as the rewarder does, move with it. */
  private void anotherKeepsTheList(ClusterEntry a, ClusterEntry b) {
    String exported = folder.resolve("authority.pem").toString();
    NodeProcess before = up.get("a");
    NodeProcess other = up.get("b");
    for (String[] words :
        List.of(
            new String[] {"export", "--out", exported, "--data", a.data().toString()},
            new String[] {"import", "--in", exported, "--data", b.data().toString()})) {
      var all = new ArrayList<>(List.of("cluster", "authority"));
      all.addAll(List.of(words));
      Said said = Said.by(all.toArray(String[]::new));
      assertThat(said.exit()).as(said.err()).isZero();
    }
    await("both start again", () -> up.get("a") != before && up.get("b") != other);
  }

  /**
   * Waits: an attempt that was refused while a leader was sought may hold the lease for a second.
   */
  private static String received(String topic) {
    return "{\"topic\":\"%s\",\"visibility_ms\":1000,\"wait_ms\":10000}".formatted(topic);
  }

  /** What one machine may be told and several may not is found before there is no way back. */
  @Test
  void settingsThatSeveralCannotHaveKeepANodeAlone() throws Exception {
    ClusterEntry a = entry("a");
    a.initOnce("home", "a", HOST);
    begin("a", a, "mailbox.flush=interval");
    await("a is ready", () -> isReady("a"));
    ClusterEntry b = entry("b");
    ClusterEntry c = entry("c");
    b.join(a.invite(), "", HOST, "");
    c.join(a.invite(), "", HOST, "");
    begin("b", b);
    begin("c", c);
    NodeProcess alone = up.get("a");
    await("b knows", () -> words.getOrDefault("b", "").contains("3 of 3 machines have joined"));
    await("a says why", () -> lives.getFirst().progress().contains("needs flush = always"));
    assertThat(up.get("a")).isSameAs(alone);
    assertThat(up).doesNotContainKey("b");
  }
}
