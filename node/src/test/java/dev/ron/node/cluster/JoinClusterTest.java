package dev.ron.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.SecretFile;
import dev.ron.http.server.Access;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.CertificateAuthority;
import dev.ron.http.tls.PeerIdentity;
import dev.ron.http.tls.PeerTls;
import dev.ron.http.tls.Pem;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.NodeFolders;
import dev.ron.node.NodeKeys;
import dev.ron.node.Said;
import dev.ron.raft.RaftGroupStatus;
import dev.ron.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real doors on loopback; the services of the nodes do not run. */
final class JoinClusterTest {
  private static final String HOST = "127.0.0.1";
  private final World world = World.real(Log.silent());
  private final Scope scope = Scope.of("test", world);

  @TempDir private Path folder;
  private ClusterEntry founder;
  private ClusterProcess process;
  private String machines;

  @BeforeEach
  void begins() throws Exception {
    founder = entry("a");
    founder.init("home", "a", HOST);
    process = ClusterProcess.start(founder.data(), world).orElseThrow();
    machines = HOST + ":" + (founder.basePort() + ClusterMachine.MACHINES);
  }

  @AfterEach
  void ends() throws Exception {
    process.drain();
  }

  private ClusterEntry entry(String name) throws IOException {
    int port = FreePorts.row(ClusterMachine.JOIN + 1);
    return new ClusterEntry(folder.resolve(name), port, new SystemTime());
  }

  private ClusterFolder files(ClusterEntry of) {
    return ClusterFolder.of(of.data());
  }

  private MachineStatus ask(PeerTls as) throws Exception {
    try (MachineClient client = MachineClient.certified(scope, as)) {
      return client.get(machines, "/v1/machine", MachineStatus.class);
    }
  }

  @Test
  void anInvitedMachineGetsItsCertificateTheListAndTheKeys() throws Exception {
    ClusterEntry b = entry("b");
    assertThat(b.join(founder.invite(), "", "", "")).isEqualTo("machine b of cluster home");
    assertThat(files(b).roster().names()).containsExactly("a", "b");
    assertThat(files(b).roster().machine("b").orElseThrow().host()).isEqualTo(HOST);
    assertThat(NodeKeys.shared(b.data())).isEqualTo(NodeKeys.shared(founder.data()));
    assertThat(files(b).hasAuthority()).isFalse();
    assertThat(ask(files(b).tls()).name()).isEqualTo("a");
    for (Path each : List.of(files(founder).authorityKey(), files(b).keyFile())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
          .isEqualTo("rw-------");
    }
    assertThat(b.join(founder.invite(), "", "", "")).contains("already");
  }

  @Test
  void anInvitationIsGoodOnce() throws Exception {
    String token = founder.invite();
    entry("b").join(token, "", "", "");
    ClusterEntry thief = entry("thief");
    assertThatThrownBy(() -> thief.join(token, "", "", ""))
        .hasMessageContaining(" refuses: another machine has used this invitation");
    assertThat(files(thief).exists()).isFalse();
    assertThat(files(founder).roster().names()).containsExactly("a", "b");
  }

  @Test
  void aMachineThatDidNotHearTheAnswerAsksAgain() throws Exception {
    String token = founder.invite();
    ClusterEntry b = entry("b");
    b.join(token, "", "", "");
    Files.delete(files(b).folder().resolve("self"));
    assertThat(b.join(token, "", "", "")).isEqualTo("machine b of cluster home");
    assertThat(files(founder).roster().names()).containsExactly("a", "b");
    assertThat(ask(files(b).tls()).name()).isEqualTo("a");
  }

  @Test
  void aMachineThatAsksAgainTakesNoFurtherPlace() throws Exception {
    entry("b").join(founder.invite(), "", "", "");
    String token = founder.invite("b");
    ClusterEntry c = entry("c");
    c.join(token, "", "", "b");
    entry("d").join(founder.invite(), "", "", "");
    Files.delete(files(c).folder().resolve("self"));
    c.join(token, "", "", "b");
    assertThat(files(founder).roster().names()).containsExactly("a", "c", "d");
    assertThat(files(founder).roster().revoked()).hasSize(1);
  }

  /** Else any machine that is invited could have any other let go, a healthy one too. */
  @Test
  void whosePlaceIsTakenIsSaidWhereTheAuthorityIs() throws Exception {
    entry("b").join(founder.invite(), "", "", "");
    entry("c").join(founder.invite(), "", "", "");
    assertThatThrownBy(() -> entry("x").join(founder.invite(), "", "", "b"))
        .hasMessageContaining("`ron cluster invite --replace b` makes one that is");
    assertThatThrownBy(() -> entry("y").join(founder.invite("c"), "", "", "b"))
        .hasMessageContaining("is for the place of c");
    assertThat(files(founder).roster().names()).containsExactly("a", "b", "c");
    assertThat(files(founder).roster().revoked()).isEmpty();
    assertThatThrownBy(() -> founder.invite("z")).hasMessageContaining("z is none of the machines");
    assertThatThrownBy(() -> founder.invite("a")).hasMessageContaining("cannot be replaced");
    entry("d").join(founder.invite("c"), "", "", "");
    assertThat(files(founder).roster().names()).containsExactly("a", "b", "d");
  }

  @Test
  void aMachineThatWasLetGoDoesNotComeBackByItsInvitation() throws Exception {
    String token = founder.invite();
    ClusterEntry b = entry("b");
    b.join(token, "", "", "");
    files(founder).change(roster -> roster.letGo("b"));
    Files.delete(files(b).folder().resolve("self"));
    assertThatThrownBy(() -> b.join(token, "", "", "")).hasMessageContaining("was let go");
    assertThat(files(founder).roster().names()).containsExactly("a");
  }

  @Test
  void anExpiredAnUnknownAndAForeignInvitationAreRefused() throws Exception {
    ClusterEntry b = entry("b");
    String old = founder.invite();
    files(founder)
        .keepInvitations(
            new Invitations(
                files(founder).invitations().invitations().stream()
                    .map(
                        each ->
                            new Invitations.Invitation(
                                each.secretHash(), Instant.now().toEpochMilli() - 1, "", "", ""))
                    .toList()));
    assertThatThrownBy(() -> b.join(old, "", "", "")).hasMessageContaining("is over");

    JoinToken real = JoinToken.parse(founder.invite());
    var guessed = new JoinToken("home", real.addresses(), real.authority(), "guessed");
    assertThatThrownBy(() -> b.join(guessed.text(), "", "", "")).hasMessageContaining("not known");

    // The machine that joins believes the fingerprint, not the address.
    var foreign = new JoinToken("home", real.addresses(), "00".repeat(32), real.secret());
    assertThatThrownBy(() -> b.join(foreign.text(), "", "", ""))
        .hasStackTraceContaining("of another cluster");
    assertThat(files(founder).roster().names()).containsExactly("a");
  }

  @Test
  void aMachineWithDataOfItsOwnDoesNotJoin() throws Exception {
    ClusterEntry used = entry("used");
    Files.createDirectories(used.data().resolve("mailbox/journal"));
    assertThatThrownBy(() -> used.join(founder.invite(), "", "", ""))
        .hasMessageContaining("a machine that joins begins with nothing");
  }

  @Test
  void twoThatJoinAtOnceAreTwoMachines() throws Exception {
    List<Callable<String>> both =
        List.of(
            () -> entry("x").join(founder.invite(), "", "", ""),
            () -> entry("y").join(founder.invite(), "", "", ""));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var each : threads.invokeAll(both)) {
        assertThat(each.get()).startsWith("machine ");
      }
    }
    assertThat(files(founder).roster().names()).containsExactly("a", "b", "c");
  }

  @Test
  void strangersExpiredAndRevokedMachinesAreNotSpokenTo() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    assertThat(ask(files(b).tls()).name()).isEqualTo("a");

    var other =
        CertificateAuthority.generate("ron cluster home", Instant.now(), Duration.ofDays(9));
    KeyPair key = CertificateAuthority.keyPair();
    assertThatThrownBy(
            () -> ask(shown("stranger", key, other, Instant.now(), files(b).authorityFile())))
        .isInstanceOf(IOException.class);
    CertificateAuthority authority = files(founder).authority();
    Instant longAgo = Instant.now().minus(CertificateRenewal.LIFE.plusDays(1));
    assertThatThrownBy(() -> ask(shown("old", key, authority, longAgo, files(b).authorityFile())))
        .isInstanceOf(IOException.class);

    try (MachineClient kept = MachineClient.certified(scope, files(b).tls())) {
      kept.get(machines, "/v1/machine", MachineStatus.class);
      assertThat(IdentityCommands.leave(founder.data(), "b")).contains("is let go");
      assertThatThrownBy(() -> ask(files(b).tls())).isInstanceOf(IOException.class);
      // A connection from before is no way in either, once the list was read again.
      long limit = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (process.roster().revoked().isEmpty() && System.nanoTime() < limit) {
        LockSupport.parkNanos(1_000_000);
      }
      assertThatThrownBy(() -> kept.get(machines, "/v1/machines", ClusterTalk.Shared.class))
          .isInstanceOf(IOException.class);
    }
  }

  private PeerTls shown(
      String name, KeyPair key, CertificateAuthority by, Instant from, Path trusted)
      throws IOException {
    X509Certificate made = JoinCluster.sign(by, name, HOST, key.getPublic(), from);
    Path cert = folder.resolve(name + ".pem");
    Path file = folder.resolve(name + ".key");
    Files.writeString(cert, Pem.of(made, by.certificate()));
    Files.writeString(file, Pem.of(key.getPrivate()));
    return new PeerTls(cert, file, trusted);
  }

  @Test
  void anotherMachineTakesTheAuthorityOfOneThatIsLost() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    Path out = folder.resolve("kept.pem");
    String[] export = {
      "cluster", "authority", "export", "--data", founder.data().toString(), "--out", out.toString()
    };
    assertThat(Said.by(export).exit()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(out)))
        .isEqualTo("rw-------");
    String[] words = {
      "cluster",
      "authority",
      "import",
      "--epochs-lost",
      "--data",
      b.data().toString(),
      "--in",
      out.toString()
    };
    assertThat(Said.by(words).err()).contains("has not formed yet");
    files(b).change(now -> now.in(ClusterRoster.Phase.FORMED));
    assertThat(Said.by(words).out()).contains("machine b of cluster home has the authority");
    assertThat(files(b).roster().founder()).isEqualTo("b");
    assertThat(files(b).founding()).as("what b may begin").containsExactly("epochs");

    ClusterProcess second = ClusterProcess.start(b.data(), world).orElseThrow();
    try {
      ClusterEntry d = entry("d");
      assertThat(d.join(b.invite("a"), "", "", "a")).isEqualTo("machine c of cluster home");
      assertThat(files(d).roster().names()).containsExactly("b", "c");
      assertThat(files(d).roster().revoked()).hasSize(1);
    } finally {
      second.drain();
    }
  }

  @Test
  void aMachineRenewsItsOwnCertificateAndNoOther() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    X509Certificate before = files(b).certificate();
    Instant now = Instant.now();
    assertThat(CertificateRenewal.isDue(before, now)).isFalse();
    assertThat(CertificateRenewal.isDue(before, now.plus(Duration.ofDays(46)))).isTrue();

    String chain = Files.readString(files(b).certificateFile());
    var renewal = new CertificateRenewal(files(founder), world.time());
    String words = new CertificateRenewal.Request(chain, "").words();
    String proof = MachineProof.sign(files(b).ownKey().getPrivate(), words);
    CertificateRenewal.Reply made = renewal.handle(new CertificateRenewal.Request(chain, proof));
    files(b).keepCertificate(made.chain());
    assertThat(files(b).certificate()).isNotEqualTo(before);
    assertThat(ask(files(b).tls()).name()).isEqualTo("a");
    assertThat(files(founder).roster().machine("b").orElseThrow().serial())
        .isEqualTo(PeerIdentity.serial(files(b).certificate()));

    String stolen = MachineProof.sign(files(founder).ownKey().getPrivate(), words);
    assertThatThrownBy(() -> renewal.handle(new CertificateRenewal.Request(chain, stolen)))
        .hasMessageContaining("does not show that it has its key");
    IdentityCommands.leave(founder.data(), "b");
    files(b).keepCertificate(chain); // from before the renewal, and still in time
    assertThatThrownBy(() -> ask(files(b).tls())).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> renewal.handle(new CertificateRenewal.Request(chain, proof)))
        .hasMessageContaining("no machine of this cluster");
  }

  /** The machine with the list ended after it had bound the invitation, before it listed. */
  @Test
  void aNameThatWasGivenToOneMachineGoesToNoOther() throws Exception {
    String token = founder.invite();
    ClusterEntry first = entry("first");
    Files.createDirectories(files(first).folder());
    String key = MachineProof.text(files(first).ownKey().getPublic());
    String secret = JoinToken.parse(token).secret();
    files(founder)
        .keepInvitations(files(founder).invitations().used(secret, Invitations.hash(key), "b"));
    assertThat(entry("second").join(founder.invite(), "", "", ""))
        .isEqualTo("machine c of cluster home");
    assertThatThrownBy(() -> entry("third").join(founder.invite(), "b", "", ""))
        .hasMessageContaining("a machine named b is there or was");
    assertThat(first.join(token, "", "", "")).isEqualTo("machine b of cluster home");
    assertThat(files(founder).roster().names()).containsExactly("a", "b", "c");
  }

  /** Two that write would make two lists of one version, and machines would keep either. */
  @Test
  void aMachineThatWasTakenForLostWritesNoList() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    String old = founder.invite();
    ClusterRoster moved = files(founder).roster().in(ClusterRoster.Phase.FORMED).keptBy("b");
    assertThat(files(founder).follow(moved)).isEqualTo(moved);
    assertThatThrownBy(founder::invite).hasMessageContaining("machine b has the authority");
    assertThatThrownBy(() -> IdentityCommands.drain(founder.data(), "b", true))
        .hasMessageContaining("machine b has the authority");
    assertThatThrownBy(() -> entry("c").join(old, "", "", ""))
        .hasMessageContaining("machine b keeps the list of machines now");
    assertThat(files(founder).roster()).isEqualTo(moved);
    assertThat(files(founder).follow(moved.draining("a", true)).version())
        .isEqualTo(moved.version() + 1);
    assertThat(files(founder).follow(moved)).as("an older one").isNotEqualTo(moved);
  }

  @Test
  void twoThatTookTheAuthorityAtATimeComeToOneList() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    ClusterRoster formed = files(founder).change(now -> now.in(ClusterRoster.Phase.FORMED));
    ClusterProcess second = ClusterProcess.start(b.data(), world).orElseThrow();
    try {
      files(b).change(_ -> formed.keptBy("b"));
      awaitFounder(second, "b");
      files(founder).change(_ -> formed.keptBy("a"));
      awaitFounder(second, "a");
      assertThat(second.roster()).isEqualTo(formed.keptBy("a"));
      assertThat(files(b).roster()).isEqualTo(formed.keptBy("a"));
    } finally {
      second.drain();
    }
  }

  private static void awaitFounder(ClusterProcess machine, String name) {
    long limit = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!machine.roster().founder().equals(name) && System.nanoTime() < limit) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(machine.roster().founder()).isEqualTo(name);
  }

  @Test
  void keysAreChangedWhereTheListIsKeptAndNowhereElse() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    String token = NodeKeys.open(founder.data()).mint(List.of());
    for (String[] words :
        List.of(
            new String[] {"cap", "revoke", token},
            new String[] {"cap", "rotate"},
            new String[] {"s3", "key", "create"})) {
      var all = new ArrayList<>(List.of(words));
      all.addAll(List.of("--data", b.data().toString()));
      Said said = Said.by(all.toArray(String[]::new));
      assertThat(said.exit()).as(String.join(" ", words)).isEqualTo(1);
      assertThat(said.err()).contains("machine a keeps the keys of the cluster");
    }
    assertThat(NodeKeys.shared(b.data())).isEqualTo(NodeKeys.shared(founder.data()));
    assertThat(Said.by("cap", "revoke", token, "--data", founder.data().toString()).exit())
        .isZero();
  }

  @Test
  void theLastKeyPairThatEndsEndsOnEveryMachine() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    NodeKeys keys = NodeKeys.open(founder.data());
    String id = keys.register("pair", Instant.now());
    NodeKeys.adopt(b.data(), NodeKeys.shared(founder.data()));
    assertThat(NodeKeys.open(b.data()).registered().find(id)).isPresent();
    keys.unregister(id);
    NodeKeys.adopt(b.data(), NodeKeys.shared(founder.data()));
    assertThat(NodeKeys.open(b.data()).registered().find(id)).isEmpty();
  }

  /** One machine may be lost, and objects that were encrypted with its keys may not. */
  @Test
  void everyMachineHasTheKeysThatOpenObjects() throws Exception {
    Path masters = Path.of("keys", "s3-masters");
    SecretFile.replace(founder.data().resolve(masters), "aa\nbb\n");
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    Path copy = b.data().resolve(masters);
    assertThat(copy).hasContent("aa\nbb\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("rw-------");
    SecretFile.replace(copy, "own\naa\n");
    NodeKeys.adopt(b.data(), NodeKeys.shared(founder.data()));
    assertThat(copy).as("none is taken away, and the last is the same").hasContent("own\naa\nbb\n");
  }

  @Test
  void aMachineWithDataElsewhereDoesNotJoinEither() throws Exception {
    Path data = folder.resolve("apart");
    Path mailbox = Files.createDirectories(folder.resolve("disk/mailbox/journal"));
    var folders =
        new NodeFolders(
            data,
            Objects.requireNonNull(mailbox.getParent()),
            data.resolve("rewarder"),
            data.resolve("edge"),
            List.of(data.resolve("storage")),
            List.of());
    var apart = new ClusterEntry(folders, founder.basePort(), new SystemTime());
    assertThatThrownBy(() -> apart.join(founder.invite(), "", "", ""))
        .hasMessageContaining("a machine that joins begins with nothing");
  }

  @Test
  void aDoorBetweenMachinesThatIsTakenIsNamed() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    int port = b.basePort() + ClusterMachine.MACHINES;
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> ClusterProcess.start(b.data(), world))
          .hasMessageContaining(
              "cannot listen at %s:%d (where machines ask each other)".formatted(HOST, port));
    }
  }

  private static void await(String what, BooleanSupplier met) {
    long limit = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!met.getAsBoolean()) {
      assertThat(System.nanoTime()).as("never: " + what).isLessThan(limit);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void aMachineThatWasLetGoWhileItRunsLearnsIt() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    ClusterProcess second = ClusterProcess.start(b.data(), world).orElseThrow();
    try {
      await("b has asked", second::hasAsked);
      assertThat(second.dismissal()).isEmpty();
      files(founder).change(roster -> roster.letGo("b"));
      await("b is told", () -> second.dismissal().isPresent());
      assertThat(second.dismissal().orElseThrow()).contains("machine b was let go, as a says");
    } finally {
      second.drain();
    }
  }

  /** One that was taken for lost may have let others go, by a list that it will give up. */
  @Test
  void aListThatDoesNotHoldDismissesNoMachine() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    ClusterRoster formed = files(founder).roster().in(ClusterRoster.Phase.FORMED);
    files(founder).change(roster -> roster.letGo("b"));
    files(b).change(_ -> formed.keptBy("b"));
    ClusterProcess second = ClusterProcess.start(b.data(), world).orElseThrow();
    try {
      await("a refuses b", () -> second.progress().contains("a machine that was let go"));
      assertThat(second.dismissal()).isEmpty();
    } finally {
      second.drain();
    }
  }

  @Test
  void aMachineThatLeadsIsNotLetGoBeforeItHasHandedOver() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    ClusterProcess second = ClusterProcess.start(b.data(), world).orElseThrow();
    try {
      second.of("mailbox", ClusterMachine.MAILBOX_LOG).told(List.of(part(true)));
      assertThatThrownBy(() -> IdentityCommands.leave(founder.data(), "b"))
          .hasMessageContaining("b leads mailbox/0: `ron cluster drain b`");
      assertThat(files(founder).roster().names()).containsExactly("a", "b");
      second.of("mailbox", ClusterMachine.MAILBOX_LOG).told(List.of(part(false)));
      assertThat(IdentityCommands.leave(founder.data(), "b")).contains("b is let go");
    } finally {
      second.drain();
    }
  }

  /** It may be busy, and lead all the same. */
  @Test
  void aLeaderThatDoesNotAnswerIsKnownByTheOthers() throws Exception {
    entry("b").join(founder.invite(), "", "", "");
    ClusterEntry c = entry("c");
    c.join(founder.invite(), "", "", "");
    ClusterProcess third = ClusterProcess.start(c.data(), world).orElseThrow();
    try {
      third.of("s3", ClusterMachine.NAMES_LOG).told(List.of(part(true)));
      assertThatThrownBy(() -> IdentityCommands.leave(founder.data(), "b"))
          .hasMessageContaining("b leads s3/0: `ron cluster drain b`");
    } finally {
      third.drain();
    }
  }

  private static RaftGroupStatus part(boolean leads) {
    return part(leads, Set.of());
  }

  private static RaftGroupStatus part(boolean leads, Set<String> members) {
    return new RaftGroupStatus(
        0,
        Optional.of(leads ? "b" : "a"),
        leads,
        true,
        1,
        Duration.ZERO,
        1,
        1,
        true,
        List.of(),
        members);
  }

  /** What the founder changes reaches the others though one of them hangs in a call. */
  @Test
  void aMachineThatHangsHoldsUpNoWordOfTheOthers() throws Exception {
    ClusterEntry b = entry("b");
    ClusterEntry c = entry("c");
    b.join(founder.invite(), "", "", "");
    c.join(founder.invite(), "", "", "");
    files(b).keepRoster(files(founder).roster());
    var asked = new CountDownLatch(1);
    var over = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    Blocking hang =
        exchange -> {
          if (commonName(exchange).equals("b")) {
            exchange.whenOver(over::countDown);
            asked.countDown();
          }
          release.await();
          return Answer.json(200, "");
        };
    var door =
        new HttpServer(
            scope,
            HttpServerConfig.on(HOST, c.basePort() + ClusterMachine.MACHINES)
                .with(Limits.HARDENED)
                .with(new Access(List.of(HOST), Guard.OPEN, false))
                .with(new Tls(files(c).tls()))
                .withLoops(1)
                .withAccessLog(false),
            Routes.of(Route.of("GET", "/v1/machine", "machine", hang)),
            Guard.OPEN,
            Decoders.NONE);
    door.open();
    ClusterProcess second = ClusterProcess.start(b.data(), world).orElseThrow();
    try {
      assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
      String id = NodeKeys.open(founder.data()).register("pair", Instant.now());
      await("b has the key", () -> knows(b, id));
      assertThat(over.getCount()).as("c still hangs in the first call").isEqualTo(1);
    } finally {
      release.countDown();
      second.drain();
      door.close(Deadline.in(Duration.ofSeconds(1), world.time()));
    }
  }

  /** One that joined and died is away, like any that dies later; it joins when it is back. */
  @Test
  void aFourthMachineThatDiedKeepsTheOthersFromNothing() throws Exception {
    ClusterEntry b = entry("b");
    ClusterEntry c = entry("c");
    for (ClusterEntry each : List.of(b, c, entry("d"))) {
      each.join(founder.invite(), "", "", "");
    }
    process.running(false, () -> true, Optional::empty);
    ClusterProcess second = ClusterProcess.start(b.data(), world).orElseThrow();
    ClusterProcess third = ClusterProcess.start(c.data(), world).orElseThrow();
    try {
      await("the others are told to start", () -> second.isShared() && third.isShared());
      second.running(true, () -> true, Optional::empty);
      third.running(true, () -> true, Optional::empty);
      await("they are one", process::isShared);
      var log = process.of("mailbox", ClusterMachine.MAILBOX_LOG);
      assertThat(log.wanted()).containsOnlyKeys("a", "b", "c", "d");
      log.told(List.of(part(true, Set.of("a"))));
      assertThat(log.wanted()).as("d is not there to be taken in").containsOnlyKeys("a", "b", "c");
      log.told(List.of(part(true, Set.of("a", "b", "c", "d"))));
      assertThat(log.wanted()).containsOnlyKeys("a", "b", "c", "d");
    } finally {
      second.drain();
      third.drain();
    }
  }

  /** What stands behind that in a round, the next phase and the renewal, is done all the same. */
  @Test
  void aListThatCannotBeFetchedBreaksNoRoundOff() throws Exception {
    ClusterEntry b = entry("b");
    b.join(founder.invite(), "", "", "");
    String newer =
        """
        {"name":"b","running":"WAITING","ready":false,"roster_term":9,"roster_version":9,\
        "roster_founder":"b","certificate_until_millis":1,"build":"x","groups":[]}
        """;
    Blocking status =
        _ -> Answer.bytes(200, "application/json", newer.getBytes(StandardCharsets.UTF_8));
    var door =
        new HttpServer(
            scope,
            HttpServerConfig.on(HOST, b.basePort() + ClusterMachine.MACHINES)
                .with(Limits.HARDENED)
                .with(new Access(List.of(HOST), Guard.OPEN, false))
                .with(new Tls(files(b).tls()))
                .withLoops(1)
                .withAccessLog(false),
            Routes.of(Route.of("GET", "/v1/machine", "machine", status)),
            Guard.OPEN,
            Decoders.NONE);
    door.open();
    List<String> said = new CopyOnWriteArrayList<>();
    process.drain();
    process =
        ClusterProcess.start(
                founder.data(),
                World.real(
                    new Log(
                        "", LogLine.Level.INFO, Instant::now, line -> said.add(line.toString()))))
            .orElseThrow();
    try {
      await(
          "b is asked for its list",
          () -> said.stream().anyMatch(line -> line.contains("cluster-not-followed")));
      assertThat(said).noneMatch(line -> line.contains("cluster-round"));
    } finally {
      door.close(Deadline.in(Duration.ofSeconds(1), world.time()));
    }
  }

  private static String commonName(Exchange exchange) {
    return CertificateAuthority.commonName(exchange.certificate().orElseThrow());
  }

  private static boolean knows(ClusterEntry machine, String id) {
    try {
      return NodeKeys.open(machine.data()).registered().find(id).isPresent();
    } catch (IOException halfWritten) {
      return false;
    }
  }

  @Test
  void aClusterBeginsWhereTheConfigurationHasTheNode() throws Exception {
    Path data = folder.resolve("configured");
    Path file = folder.resolve("node.toml");
    Files.writeString(file, "[node]\ndata = \"%s\"\nbase_port = 9300\n".formatted(data));
    String[] init = {"cluster", "init", "--config", file.toString(), "--address", HOST};
    Said early = Said.by(init);
    assertThat(early.exit()).isEqualTo(1);
    assertThat(early.err()).contains("no node has run with " + data, "--new");
    assertThat(data).doesNotExist();

    NodeKeys.openOrMake(data);
    String ring = Files.readString(NodeKeys.ring(data));
    Said made = Said.by(init);
    assertThat(made.exit()).as(made.err()).isZero();
    assertThat(made.out()).contains("machine a of cluster ron, at 127.0.0.1, base port 9300");
    ClusterFolder begun = ClusterFolder.of(data);
    assertThat(begun.roster().machine("a").orElseThrow().basePort()).isEqualTo(9300);
    assertThat(NodeKeys.ring(data)).as("the node's keys").hasContent(ring);
    assertThat(Said.by("cluster", "invite", "--config", file.toString()).out())
        .startsWith("ron-join-");
  }

  @Test
  void aNodeThatHasNeverRunBeginsAClusterIfThatIsSaid() throws Exception {
    String data = folder.resolve("begun").toString();
    Said made = Said.by("cluster", "init", "--new", "--data", data, "--address", HOST);
    assertThat(made.exit()).as(made.err()).isZero();
    assertThat(ClusterFolder.of(Path.of(data)).roster().names()).containsExactly("a");
  }
}
