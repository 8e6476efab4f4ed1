package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.tls.Pem;
import dev.ron.node.Said;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three real nodes, from one that ran alone to a cluster whose machines are killed, stopped, cut
 * off, restarted and replaced, under load at the gateway and at both AWS doors; one ledger of
 * everything that was acknowledged.
 *
 * <p>Long, because three JVMs start all services; {@code NodeLifeTest} is the short twin.
 */
final class ClusterLifeTest {
  private static final int GATEWAY = ClusterClient.GATEWAY;

  /**
   * An election of at most two seconds, a request that is given up after five, and the next machine
   * that is asked; each of them on cores that three JVMs share.
   */
  private static final Duration PAUSE_MAX = Duration.ofSeconds(15);

  /** What happens to a machine. */
  private enum Trouble {
    KILL,
    STOP,
    RESTART,
    CUT,
    /** Its certificate is about to end, and is renewed while clients ask. */
    RENEWAL,
    /** It is gone for good, and another takes its place. */
    REPLACEMENT
  }

  /** For the renewal, which is tried each minute, and for its end to pass. */
  private static final Duration CERTIFICATE_LEFT = Duration.ofSeconds(80);

  @TempDir private Path folder;

  /** Its services start again, and compute all epochs. */
  private static final Duration TAKEN_OVER_WITHIN = Duration.ofMinutes(3);

  /** All that take seconds; a certificate takes a minute and a half. */
  private static final List<Trouble> OFTEN =
      List.of(Trouble.KILL, Trouble.STOP, Trouble.RESTART, Trouble.CUT);

  /** Rounds from one replacement to the next. */
  private static final int RARELY = 10;

  private final ClusterLedger ledger = new ClusterLedger();
  private final List<String> names = new CopyOnWriteArrayList<>(List.of("a", "b", "c"));
  private final List<String> tooLong = new ArrayList<>();

  @Test
  @Tag("long")
  void oneMachineBecomesThreeAndNothingAcknowledgedIsLostWhateverHappensToOneOfThem()
      throws Exception {
    play(List.of(Trouble.values()));
  }

  @Test
  @Tag("long")
  void aHundredTroublesLoseNothing() throws Exception {
    var random = new Random(Long.getLong("ron.seed", 25));
    var troubles = new ArrayList<Trouble>();
    for (int i = 0; i < Integer.getInteger("ron.rounds", 100); i++) {
      troubles.add(OFTEN.get(random.nextInt(OFTEN.size())));
      if (i % RARELY == RARELY - 1) {
        troubles.add(Trouble.REPLACEMENT);
      }
    }
    play(troubles);
  }

  private void play(List<Trouble> troubles) throws Exception {
    var random = new Random(Long.getLong("ron.seed", 25));
    try (var network = MachineNetwork.open();
        var machines = new ClusterMachines(folder, network)) {
      machines.start("a");
      machines.awaitReady("a");
      Path file = Files.write(folder.resolve("file"), bytes(random, 300_000));
      String address = machines.ron("a", GATEWAY, "put", file.toString()).split(" ", 2)[0];
      machines.ron("a", ClusterClient.S3, "s3", "mb", "s3://" + ClusterLoad.BUCKET);
      machines.ron("a", ClusterClient.S3, "s3", "cp", file.toString(), "s3://photos/alone");
      granted(
          machines
              .client("a")
              .sqs(
                  "CreateQueue",
                  "{\"QueueName\":\"%s\",\"Attributes\":{\"FifoQueue\":\"true\"}}"
                      .formatted(ClusterLoad.QUEUE)));
      try (var load = new ClusterLoad(ledger, () -> clients(machines))) {
        load.start();
        form(machines);
        for (String each : new String[] {"b", "c"}) {
          HttpResponse<byte[]> there =
              machines.client(each).gateway("GET", "/o/" + address, new byte[0]);
          assertThat(there.body()).isEqualTo(Files.readAllBytes(file));
          Path copy = folder.resolve("copy-" + each);
          machines.ron(each, ClusterClient.S3, "s3", "cp", "s3://photos/alone", copy.toString());
          assertThat(copy).hasSameBinaryContentAs(file);
        }
        for (int round = 0; round < troubles.size(); round++) {
          String leader = leader(machines);
          String any = names.get(random.nextInt(names.size()));
          boolean leads = leader.equals(any) || random.nextBoolean();
          Trouble trouble = troubles.get(round);
          if (trouble == Trouble.REPLACEMENT) {
            replace(machines, replaceable(leads ? leader : any), "r" + round);
          } else {
            meet(machines, trouble, leads ? leader : any, leader, round);
          }
        }
        load.drain(Duration.ofMinutes(2));
      }
      new LedgerReads(ledger, clients(machines)).everythingAcknowledgedIsThere();
      anotherKeepsTheList(machines);
      twoGone(machines);
      assertThat(tooLong).as("refused for longer than an election").isEmpty();
    }
  }

  /** The machine that had the epochs is lost for good, with all that it has paid. */
  private void anotherKeepsTheList(ClusterMachines machines) throws Exception {
    String file = folder.resolve("authority.pem").toString();
    String next = names.get(1);
    ClusterMachines.run(
        "cluster", "authority", "export", "--data", machines.data("a").toString(), "--out", file);
    machines.kill9("a");
    ClusterMachines.run(
        "cluster", "authority", "import", "--data", machines.data(next).toString(), "--in", file);
    ClusterClient client = machines.client(next);
    long begun = System.nanoTime();
    while (!isThere(client)) {
      long waited = System.nanoTime() - begun;
      assertThat(waited).as("the rewarder of " + next).isLessThan(TAKEN_OVER_WITHIN.toNanos());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    machines.awaitWellness(next); // it is not, before it has tried every epoch
    System.out.printf(
        "%s has the rewarder of a after %d ms, with %d epochs%n",
        next, Duration.ofNanos(System.nanoTime() - begun).toMillis(), ledger.epochs.size());
    new LedgerReads(ledger, List.of(client)).everyEpochIsPaidOnce();
  }

  private static boolean isThere(ClusterClient client) throws Exception {
    try {
      return client.gateway("GET", "/rewarder/ledger", new byte[0]).statusCode() == 200;
    } catch (IOException away) {
      return false; // its services start again
    }
  }

  /** What is here can be read; what needs agreement is refused with a reason, and not held. */
  private void twoGone(ClusterMachines machines) throws Exception {
    machines.kill9(names.get(2)); // beside the one with the authority
    ClusterClient left = machines.client(names.get(1));
    String send = "{\"topic\":\"t\",\"idem_key\":\"alone\",\"payload_b64\":\"aGk=\"}";
    String why = refusal("a send", () -> left.gateway("POST", "/v1/send", send));
    String address = ledger.objects.keySet().iterator().next();
    assertThat(left.gateway("GET", "/o/" + address, new byte[0]).statusCode()).isEqualTo(200);
    refusal("a read of S3", () -> left.s3("GET", "/photos/alone", new byte[0]));
    System.out.printf("two of three gone: %s%n", why);
  }

  /** Once the machine knows that it is alone; until then it may hold a request. */
  private static String refusal(String what, Callable<HttpResponse<byte[]>> request)
      throws Exception {
    long limit = System.nanoTime() + PAUSE_MAX.toNanos();
    while (System.nanoTime() < limit) {
      try {
        HttpResponse<byte[]> answer = request.call();
        if (answer.statusCode() == 503) {
          return new String(answer.body(), UTF_8);
        }
      } catch (HttpTimeoutException held) {
        // it asks again
      }
    }
    throw new AssertionError(what + " is not refused");
  }

  private List<ClusterClient> clients(ClusterMachines machines) {
    try {
      var all = new ArrayList<ClusterClient>();
      for (String each : names) {
        all.add(machines.client(each));
      }
      return all;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Of the mailbox's log, as any machine sees it. */
  private String leader(ClusterMachines machines) throws Exception {
    HttpResponse<byte[]> said =
        machines.client(names.getFirst()).gateway("GET", "/v1/cluster", new byte[0]);
    granted(said);
    return String.valueOf(ClusterLoad.list(said, "groups").getFirst().get("leader"));
  }

  private static void granted(HttpResponse<byte[]> answer) {
    assertThat(answer.statusCode()).as(new String(answer.body(), UTF_8)).isEqualTo(200);
  }

  private static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** While clients ask the machine that runs alone, and those that are not there yet. */
  private void form(ClusterMachines machines) throws Exception {
    String data = machines.data("a").toString();
    String base = Integer.toString(machines.port("a"));
    ClusterMachines.run(
        "cluster",
        "init",
        "--data",
        data,
        "--base-port",
        base,
        "--address",
        machines.network().host("a"));
    String[] invite = {"cluster", "invite", "--data", data, "--base-port", base};
    String token = ClusterMachines.run(invite);
    String other = ClusterMachines.run(invite);
    machines.start("b", "--node", "b", "--join", token);
    machines.start("c", "--node", "c", "--join", other);
    machines.awaitReady("b", "c");
    machines.awaitWellness("a");
    told("from one to three", false);

    Said reused =
        Said.by(
            "up",
            "--rehearse",
            "--data",
            folder.resolve("thief").toString(),
            "--base-port",
            base,
            "--join",
            token);
    assertThat(reused.exit()).isNotZero();
    assertThat(reused.err()).contains("another machine has used this invitation");
    String status =
        ClusterMachines.run(
            "cluster",
            "status",
            "--url",
            machines.url("b", GATEWAY),
            "--admin",
            machines.url("b", ClusterMachines.ADMIN),
            "--cap",
            machines.capability());
    assertThat(status)
        .contains("cluster ron is formed")
        .contains(machines.network().host("c") + ":" + machines.port("c"));
  }

  /** One machine has trouble and gets well again; the other two go on with every service. */
  private void meet(
      ClusterMachines machines, Trouble trouble, String name, String leader, int round)
      throws Exception {
    switch (trouble) {
      case KILL -> {
        machines.kill9(name);
        machines.start(name);
        machines.awaitReady(name);
      }
      case STOP -> {
        machines.signal(name, "STOP");
        rest(Duration.ofSeconds(6));
        machines.signal(name, "CONT");
      }
      case RESTART -> {
        for (String each : names) {
          machines.stop(each);
          machines.start(each);
          machines.awaitReady(each);
          machines.awaitWellness(each);
        }
      }
      case CUT -> {
        if (!machines.network().canCut()) {
          System.out.printf("round %d: NOT RUN, no machine can be cut off here%n", round);
          return;
        }
        for (String each : names) {
          if (!each.equals(name)) {
            machines.network().cut(name, each);
          }
        }
        rest(Duration.ofSeconds(8));
        machines.network().mend();
      }
      case RENEWAL -> renew(machines, name);
      case REPLACEMENT -> throw new IllegalArgumentException("not of one that gets well");
    }
    machines.awaitWellness(name);
    told(
        "round %d, %s %s%s"
            .formatted(round, trouble, name, name.equals(leader) ? ", which led" : ""),
        true);
  }

  /** The machine with the authority is the one that invites. */
  private String replaceable(String name) {
    return name.equals("a") ? names.getLast() : name;
  }

  /** All requests between machines begin anew when the old certificate is over. */
  private static void renew(ClusterMachines machines, String name) throws Exception {
    ClusterFolder authority = ClusterFolder.of(machines.data("a"));
    ClusterFolder of = ClusterFolder.of(machines.data(name));
    Instant begun = Instant.now().minus(CertificateRenewal.LIFE).plus(CERTIFICATE_LEFT);
    X509Certificate ends =
        JoinCluster.sign(
            authority.authority(),
            name,
            machines.network().host(name),
            of.ownKey().getPublic(),
            begun);
    of.keepCertificate(Pem.of(ends, authority.authority().certificate()));
    rest(CERTIFICATE_LEFT.plusSeconds(10));
    assertThat(of.certificate().getNotAfter().toInstant())
        .as("the certificate of %s was renewed", name)
        .isAfter(Instant.now().plus(CertificateRenewal.LIFE.dividedBy(2)));
  }

  /** A machine is gone for good, and another takes its place. */
  private void replace(ClusterMachines machines, String gone, String fresh) throws Exception {
    machines.kill9(gone);
    String token =
        ClusterMachines.run(
            "cluster",
            "invite",
            "--replace",
            gone,
            "--data",
            machines.data("a").toString(),
            "--base-port",
            Integer.toString(machines.port("a")));
    machines.start(fresh, "--replace", gone, "--node", fresh, "--join", token);
    machines.awaitReady(fresh);
    machines.awaitWellness(fresh);
    names.remove(gone);
    names.add(fresh);
    told("%s in the place of %s".formatted(fresh, gone), true);
  }

  /** Long enough for the others to go on without it. */
  private static void rest(Duration howLong) {
    long end = System.nanoTime() + howLong.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  /** Nothing contradicts the ledger so far; how long clients were granted nothing is printed. */
  private void told(String what, boolean bounded) {
    System.out.printf("%s: no grant for %s%n", what, ledger.pauses());
    if (bounded && ledger.longest().compareTo(PAUSE_MAX) > 0) {
      tooLong.add("%s: %s".formatted(what, ledger.pauses()));
    }
    ledger.forgetPauses();
    assertThat(ledger.contradictions()).isEmpty();
  }
}
