package dev.ron.node.cluster;

import dev.ron.client.ServiceRefusal;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.PeerIdentity;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.node.NodeKeys;
import dev.ron.raft.RaftGroupStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a machine asks the others once a second: how they are, and whether the list has changed.
 *
 * <p>The founder has the list and makes its next phases. All take whatever is newer than what they
 * have: a founder that was lost and comes back learns that another is in its place. A machine that
 * does not answer changes nothing.
 *
 * <p>A round waits for other machines, so it has a thread, one at a time, and each question one of
 * its own.
 *
 * <p>Threading: steps from one thread at a time; {@code roster} is replaced whole by the round,
 * {@code seen} is written by it and its questions and read from any thread.
 */
final class ClusterTalk implements Task, Guard {
  private static final int FORBIDDEN = 403;
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration RENEWAL_PERIOD = Duration.ofMinutes(1);

  /** Answered to a machine that was let go as well, which learns by it that it was. */
  private static final String MEMBERSHIP = "/v1/member";

  private final Scope scope;
  private final Path data;
  private final ClusterFolder folder;
  private final String self;
  private final Tls joinDoor;
  private final MachineClient client;
  private final Map<String, Seen> seen = new ConcurrentHashMap<>();
  private final Map<String, List<MachineStatus.GroupPart>> groups = new ConcurrentSkipListMap<>();
  private final Map<String, Thread> asks = new ConcurrentHashMap<>();
  private final Set<String> ended = ConcurrentHashMap.newKeySet();
  private final Set<String> founded = ConcurrentHashMap.newKeySet();
  private volatile Set<String> founding;
  private volatile ClusterRoster roster;
  private volatile MachineStatus.Running running = MachineStatus.Running.WAITING;
  private volatile BooleanSupplier ready = () -> false;
  private volatile Supplier<Optional<String>> hindered = Optional::empty;
  private volatile String hindrance = "";
  private volatile boolean asked;
  private volatile boolean stopped;
  private volatile Optional<String> dismissal = Optional.empty();
  private @Nullable Thread round;
  private Instant renewal = Instant.MIN;

  /**
   * The last word of another machine.
   *
   * @param status null if it did not answer
   */
  record Seen(@Nullable MachineStatus status, String why) {}

  /** The list, and what else is the same on all machines. */
  record Shared(ClusterRoster roster, NodeKeys.Shared keys) {}

  /** Whether a machine counts, and by which list. */
  record Membership(boolean member, long term, long version, String founder) {}

  ClusterTalk(Scope scope, Path data, ClusterFolder folder, String self, Tls joinDoor)
      throws IOException {
    this.scope = scope;
    this.data = data;
    this.folder = folder;
    this.self = self;
    this.joinDoor = joinDoor;
    this.client = MachineClient.certified(scope, folder.tls());
    this.roster = folder.roster();
    this.founding = folder.founding();
  }

  /** For machines that show a certificate of the cluster. */
  Routes routes() {
    Blocking status = exchange -> Answer.json(200, member(exchange, status()));
    Blocking shared =
        exchange -> Answer.json(200, member(exchange, new Shared(roster, NodeKeys.shared(data))));
    Blocking membership = exchange -> Answer.json(200, membership(exchange));
    return Routes.of(
        Route.of("GET", "/v1/machine", "machine", status)
            .documented("What this machine says of itself.", List.of(200)),
        Route.of("GET", "/v1/machines", "machines", shared)
            .documented("The machines of the cluster, and the keys they share.", List.of(200)),
        Route.of("GET", MEMBERSHIP, "member", membership)
            .documented(
                "Whether the machine that asks was let go, and by which list.", List.of(200)),
        Route.post("/v1/renew")
            .op("renew")
            .summary("Another certificate for a machine whose own ends.")
            .answers(200, CertificateRenewal.Reply.class)
            .answers(400, 403)
            .does(new CertificateRenewal(folder, scope.time())));
  }

  /**
   * With each request: a machine that was let go may speak to this door, to be told so, and what is
   * told to the others are keys.
   */
  @Override
  public @Nullable Refusal check(Exchange exchange) {
    boolean answered = exchange.path().equals(MEMBERSHIP) || counts(exchange, roster);
    return answered ? null : letGo();
  }

  private static boolean counts(Exchange exchange, ClusterRoster by) {
    return exchange
        .certificate()
        .filter(shown -> !PeerIdentity.isRevoked(shown, by.revoked()))
        .isPresent();
  }

  private static Refusal letGo() {
    return Refusal.of(new HttpFault.Forbidden("a machine that was let go"));
  }

  /** By the list as it is on the disk, which a command may have written just now. */
  private <T> T member(Exchange exchange, T told) throws IOException {
    if (!counts(exchange, folder.roster())) {
      throw letGo();
    }
    return told;
  }

  private Membership membership(Exchange exchange) throws IOException {
    ClusterRoster now = folder.roster();
    return new Membership(counts(exchange, now), now.term(), now.version(), now.founder());
  }

  /** Why this machine belongs to its cluster no more. */
  Optional<String> dismissal() {
    return dismissal;
  }

  String self() {
    return self;
  }

  ClusterRoster roster() {
    return roster;
  }

  void running(
      MachineStatus.Running as, BooleanSupplier isReady, Supplier<Optional<String>> isHindered) {
    running = as;
    ready = isReady;
    hindered = isHindered;
  }

  /** What became of a service's log. Once it is there, no later start founds another. */
  void groups(String service, List<RaftGroupStatus> now) {
    groups.put(
        service, now.stream().map(each -> MachineStatus.GroupPart.of(service, each)).toList());
    boolean there = now.stream().anyMatch(each -> each.committed() >= 0 && !each.peers().isEmpty());
    if (there && founding.contains(service) && founded.add(service)) {
      try {
        folder.founded(service);
      } catch (IOException failed) {
        founded.remove(service);
        scope.log().warn("cluster-founded", "service", service, "why", failed);
      }
    }
  }

  /** Services whose log this machine founds; one that it has founded stays until the end. */
  Set<String> founding() {
    return founding;
  }

  /** Whether a machine runs its services among several, by its last word. */
  boolean isTogether(ClusterMachine machine) {
    return machine.name().equals(self) || isThere(machine, true);
  }

  /** Whether the others were asked once, as far as they answer. */
  boolean hasAsked() {
    return asked;
  }

  Map<String, Seen> seen() {
    return Map.copyOf(seen);
  }

  MachineStatus status() throws IOException {
    String build = ClusterTalk.class.getPackage().getImplementationVersion();
    return new MachineStatus(
        self,
        running,
        ready.getAsBoolean(),
        roster.term(),
        roster.version(),
        roster.founder(),
        folder.certificate().getNotAfter().toInstant().toEpochMilli(),
        build == null ? "development" : build,
        groups.values().stream().flatMap(List::stream).toList());
  }

  @Override
  public Next run(Instant now) {
    if (round == null || !round.isAlive()) {
      round = scope.world().threads().start("cluster/round", this::round);
    }
    return Next.at(now.plus(PERIOD));
  }

  @Override
  public void finish(Instant now) {
    stopped = true;
    if (round != null) {
      round.interrupt();
    }
    asks.values().forEach(Thread::interrupt);
    client.close();
  }

  private void round() {
    try {
      take(folder.roster());
      Set<String> answered = askAll();
      seen.keySet().retainAll(roster.names());
      follow(answered);
      asked =
          asked || roster.without(self).stream().allMatch(each -> seen.containsKey(each.name()));
      if (self.equals(roster.founder())) {
        advance();
      }
      renew();
    } catch (IOException | RuntimeException failed) {
      asked = true;
      if (!stopped) {
        scope.log().warn("cluster-round", "why", failed);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * All at a time, and none again before its last question has ended: one that hangs holds up no
   * word of the others.
   *
   * @return those that have answered, or failed to, since they were followed last
   */
  private Set<String> askAll() throws InterruptedException {
    asks.values().removeIf(each -> !each.isAlive());
    List<ClusterMachine> due =
        roster.without(self).stream().filter(each -> !asks.containsKey(each.name())).toList();
    var left = new AtomicInteger(due.size());
    var all = new Gate(scope.time());
    for (ClusterMachine each : due) {
      Runnable ask =
          () -> {
            try {
              seen.put(each.name(), ask(each));
              ended.add(each.name());
            } catch (InterruptedException stop) {
              Thread.currentThread().interrupt();
            } finally {
              if (left.decrementAndGet() == 0) {
                all.open();
              }
            }
          };
      asks.put(each.name(), scope.world().threads().start("cluster/ask", ask));
    }
    if (!due.isEmpty()) {
      all.await(Deadline.in(PERIOD, scope.time()));
    }
    Set<String> now = Set.copyOf(ended);
    ended.removeAll(now);
    return now;
  }

  private Seen ask(ClusterMachine machine) throws InterruptedException {
    try {
      String at = machine.at(ClusterMachine.MACHINES);
      return new Seen(client.get(at, "/v1/machine", MachineStatus.class), "");
    } catch (ServiceRefusal refused) {
      if (refused.status() == FORBIDDEN) {
        heedDismissal(machine);
      }
      return new Seen(null, String.valueOf(refused.getMessage()));
    } catch (IOException | RuntimeException away) {
      return new Seen(null, String.valueOf(away.getMessage()));
    }
  }

  /** A list that does not hold over this machine's own dismisses it from nothing. */
  private void heedDismissal(ClusterMachine by) throws InterruptedException {
    try {
      Membership told = client.get(by.at(ClusterMachine.MACHINES), MEMBERSHIP, Membership.class);
      boolean holds = roster.isOlderThan(told.term(), told.version(), told.founder());
      if (!told.member() && holds && dismissal.isEmpty()) {
        dismissal =
            Optional.of(
                "machine %s was let go, as %s says: the cluster goes on without it"
                    .formatted(self, by.name()));
        scope.log().warn("cluster-let-go", "machine", self, "by", by.name());
      }
    } catch (IOException unknown) {
      scope.log().info("cluster-refused", "by", by.name(), "why", unknown.toString());
    }
  }

  /** The next phase, if enough machines are where this one has them. */
  private void advance() throws IOException {
    List<ClusterMachine> others = roster.without(self);
    switch (roster.phase()) {
      case GATHERING -> {
        if (enough(others, false) && !isHindered()) {
          take(folder.change(now -> now.in(ClusterRoster.Phase.FORMING)));
        }
      }
      case FORMING -> {
        if (enough(others, true)) {
          // Before there is no way back: the next start founds the logs around what is here.
          folder.keepFounding(ClusterSettings.LOGS);
          founding = ClusterSettings.LOGS;
          take(folder.change(now -> now.in(ClusterRoster.Phase.FORMED)));
        }
      }
      case FORMED -> {}
    }
  }

  /** Looked at before there is no way back: settings that one machine has and several cannot. */
  private boolean isHindered() {
    String why = hindered.get().orElse("");
    if (!why.equals(hindrance)) {
      hindrance = why;
      scope.log().warn("cluster-hindered", "why", why);
    }
    return !why.isEmpty();
  }

  /**
   * Whether so many answer, and if asked for also run their services together, that they are a
   * cluster without the others: one that joined and died before the rest was there is one that is
   * away, like any that dies later.
   */
  private boolean enough(List<ClusterMachine> others, boolean together) {
    long there = 1 + others.stream().filter(each -> isThere(each, together)).count();
    return there >= ClusterRoster.FORMED_FROM && 2 * there > others.size() + 1;
  }

  private boolean isThere(ClusterMachine machine, boolean together) {
    Seen last = seen.get(machine.name());
    return last != null
        && last.status() != null
        && (!together || last.status().running() == MachineStatus.Running.CLUSTER);
  }

  /**
   * Takes a newer list from whichever machine has it, and the keys from the founder.
   *
   * @param answered lately; another may hang by now
   */
  private void follow(Set<String> answered) throws InterruptedException {
    for (ClusterMachine each : roster.without(self)) {
      Seen last = answered.contains(each.name()) ? seen.get(each.name()) : null;
      MachineStatus status = last == null ? null : last.status();
      boolean founder = each.name().equals(roster.founder());
      if (status != null
          && (founder
              || roster.isOlderThan(
                  status.rosterTerm(), status.rosterVersion(), status.rosterFounder()))) {
        follow(each, founder);
      }
    }
  }

  /** One that went away since it answered holds up neither the others nor what comes behind. */
  private void follow(ClusterMachine machine, boolean founder) throws InterruptedException {
    try {
      Shared told = client.get(machine.at(ClusterMachine.MACHINES), "/v1/machines", Shared.class);
      take(folder.follow(told.roster()));
      if (founder) {
        NodeKeys.adopt(data, told.keys());
      }
    } catch (IOException away) {
      scope.log().info("cluster-not-followed", "machine", machine.name(), "why", away.toString());
    }
  }

  private void take(ClusterRoster fresh) {
    if (!fresh.equals(roster)) {
      roster = fresh;
      scope
          .log()
          .info(
              "machines",
              "term",
              fresh.term(),
              "version",
              fresh.version(),
              "phase",
              fresh.phase(),
              "names",
              fresh.names());
    }
  }

  private void renew() throws IOException, InterruptedException {
    Instant now = scope.time().now();
    if (now.isBefore(renewal)) {
      return;
    }
    renewal = now.plus(RENEWAL_PERIOD);
    X509Certificate shown = folder.certificate();
    if (!CertificateRenewal.isDue(shown, scope.time().wall())) {
      return;
    }
    String chain = Files.readString(folder.certificateFile());
    var unsigned = new CertificateRenewal.Request(chain, "");
    var request =
        new CertificateRenewal.Request(
            chain, MachineProof.sign(folder.ownKey().getPrivate(), unsigned.words()));
    CertificateRenewal.Reply reply =
        folder.keepsTheList()
            ? new CertificateRenewal(folder, scope.time()).handle(request)
            : client.post(
                roster.machine(roster.founder()).orElseThrow().at(ClusterMachine.MACHINES),
                "/v1/renew",
                request,
                CertificateRenewal.Reply.class);
    folder.keepCertificate(reply.chain());
    joinDoor.reload();
    scope
        .log()
        .info("certificate-renewed", "until", folder.certificate().getNotAfter().toInstant());
  }

  /** In a line for people. */
  String progress() {
    ClusterRoster now = roster;
    String away =
        seen.entrySet().stream()
            .filter(each -> each.getValue().status() == null)
            .map(each -> each.getKey() + " does not answer: " + each.getValue().why())
            .collect(Collectors.joining("; "));
    String state =
        switch (now.phase()) {
          case GATHERING ->
              "%d of %d machines have joined"
                      .formatted(now.machines().size(), ClusterRoster.FORMED_FROM)
                  + (hindrance.isEmpty() ? "" : "; they cannot be one: " + hindrance);
          case FORMING -> "the machines start";
          case FORMED -> "%d machines are one".formatted(now.machines().size());
        };
    return "cluster %s, machine %s: %s%s"
        .formatted(now.cluster(), self, state, away.isEmpty() ? "" : "; " + away);
  }
}
