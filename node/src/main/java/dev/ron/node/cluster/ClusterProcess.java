package dev.ron.node.cluster;

import dev.ron.config.value.HostPort;
import dev.ron.gateway.route.OtherMachines;
import dev.ron.http.server.Access;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.node.NodeConfig;
import dev.ron.node.NodeMachines;
import dev.ron.node.profile.UnopenedDoor;
import dev.ron.raft.GroupMachines;
import dev.ron.raft.RaftGroupStatus;
import dev.ron.rewarder.epoch.EpochLog;
import dev.ron.storage.s3.cluster.AgreedRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A node's part in its cluster, beside its services and whether they run or not: the door where
 * machines join, the door where machines ask each other, and the task that follows the list.
 *
 * <p>Threading: started and drained by the main thread; the rest is thread-safe.
 */
public final class ClusterProcess implements NodeMachines {
  private static final Limits JOINS = Limits.HARDENED.bounded(32, JoinCluster.BODY_BYTES_MAX, 8, 5);

  /** What a machine may begin without, after an operator's word. */
  static final String EPOCHS = "epochs";

  private final ClusterFolder folder;
  private final ClusterTalk talk;
  private final Tree tree;

  private ClusterProcess(ClusterFolder folder, ClusterTalk talk, Tree tree) {
    this.folder = folder;
    this.talk = talk;
    this.tree = tree;
  }

  /** Starts it if the node belongs to a cluster. */
  public static Optional<ClusterProcess> start(Path data, World world) throws Exception {
    var folder = ClusterFolder.of(data);
    if (!folder.exists()) {
      return Optional.empty();
    }
    var scope = Scope.of("cluster", world);
    String self = folder.self();
    ClusterMachine here =
        folder
            .roster()
            .machine(self)
            .orElseThrow(() -> new IOException("this machine, %s, was let go".formatted(self)));
    var tls = new Tls(folder.certificateFile(), folder.keyFile());
    var talk = new ClusterTalk(scope, data, folder, self, tls);
    Supervisor all =
        Supervisor.named("cluster")
            .child("talk", Restart.ALWAYS, () -> talk)
            .door(
                "machines",
                door(
                    scope,
                    here,
                    ClusterMachine.MACHINES,
                    new Tls(folder.anyOfTheAuthority()),
                    talk.routes(),
                    talk));
    if (folder.hasAuthority()) {
      Routes join =
          Routes.of(
              Route.post("/v1/join")
                  .op("join")
                  .summary("Takes in a machine that has an invitation.")
                  .answers(200, JoinCluster.Reply.class)
                  .answers(400, 403, 429)
                  .does(new JoinCluster(data, folder, scope.time())));
      all = all.door("join", door(scope, here, ClusterMachine.JOIN, tls, join, Guard.OPEN));
    }
    return Optional.of(new ClusterProcess(folder, talk, started(all, scope, here)));
  }

  private static Tree started(Supervisor all, Scope scope, ClusterMachine here) throws Exception {
    try {
      return all.start(scope);
    } catch (Exception failure) {
      var doors = new LinkedHashMap<String, HostPort>();
      doors.put(
          "where machines ask each other",
          new HostPort(here.host(), here.basePort() + ClusterMachine.MACHINES));
      doors.put(
          "where machines join", new HostPort(here.host(), here.basePort() + ClusterMachine.JOIN));
      throw UnopenedDoor.named(failure, doors);
    }
  }

  private static HttpServer door(
      Scope scope, ClusterMachine here, int place, Tls tls, Routes routes, Guard guard) {
    return new HttpServer(
        Scope.of("cluster", scope.world()),
        HttpServerConfig.on(here.host(), here.basePort() + place)
            .with(place == ClusterMachine.JOIN ? JOINS : Limits.HARDENED)
            .with(new Access(List.of(here.host()), Guard.OPEN, false))
            .with(tls)
            .withLoops(1)
            .withAccessLog(false),
        routes,
        guard,
        Decoders.NONE);
  }

  public String self() {
    return talk.self();
  }

  public ClusterRoster roster() {
    return talk.roster();
  }

  /** Whether the services are to run, and if so whether alone. */
  public boolean waits() {
    return wanted() == MachineStatus.Running.WAITING;
  }

  public boolean isShared() {
    return wanted() == MachineStatus.Running.CLUSTER;
  }

  /** Whether the services are to be those of the machine that keeps the list. */
  public boolean keepsTheList() {
    return self().equals(roster().founder());
  }

  /** Whether the others were asked for their lists once, as far as they answer. */
  public boolean hasAsked() {
    return talk.hasAsked();
  }

  /** Why this machine belongs to its cluster no more; empty while it does. */
  public Optional<String> dismissal() {
    return talk.dismissal();
  }

  private MachineStatus.Running wanted() {
    return MachineStatus.wanted(talk.roster(), talk.self());
  }

  /**
   * Tells the others what the services run as from now on.
   *
   * @param hindered why a node that runs alone cannot be one of several
   */
  public void running(boolean shared, BooleanSupplier ready, Supplier<Optional<String>> hindered) {
    talk.running(
        shared ? MachineStatus.Running.CLUSTER : MachineStatus.Running.ALONE, ready, hindered);
  }

  /**
   * The settings that follow from the list of machines; none for a node that still runs alone.
   *
   * @param services that the node was told to run
   */
  public Map<String, String> settings(List<NodeConfig.Service> services) {
    return isShared() ? sharedSettings(services) : Map.of();
  }

  /** Those that it will have as one of several. */
  public Map<String, String> sharedSettings(List<NodeConfig.Service> services) {
    return ClusterSettings.of(roster(), self(), folder.tls(), services, talk.founding());
  }

  /** How far it is, in a line for people. */
  public String progress() {
    return talk.progress();
  }

  @Override
  public GroupMachines of(String service, int place) {
    return new GroupMachines() {
      private volatile Set<String> members = Set.of();

      @Override
      public Map<String, String> wanted() {
        ClusterRoster now = roster();
        return now.phase() == ClusterRoster.Phase.FORMED
            ? reachable(now, members).at(place)
            : Map.of();
      }

      @Override
      public boolean mayLead(String machine) {
        return roster().machine(machine).filter(ClusterMachine::drains).isEmpty();
      }

      @Override
      public void told(List<RaftGroupStatus> groups) {
        members =
            groups.stream()
                .flatMap(each -> each.members().stream())
                .collect(Collectors.toUnmodifiableSet());
        talk.groups(service, groups);
      }
    };
  }

  /**
   * Without machines that are in no log yet and not there to be taken in, if enough are left: a
   * change of a log that names one comes to nothing, also for the others.
   */
  private ClusterRoster reachable(ClusterRoster now, Set<String> members) {
    List<ClusterMachine> there =
        now.machines().stream()
            .filter(each -> members.contains(each.name()) || talk.isTogether(each))
            .toList();
    return members.isEmpty() || there.size() < ClusterRoster.FORMED_FROM ? now : now.of(there);
  }

  @Override
  public OtherMachines gateways() {
    if (!isShared()) {
      return OtherMachines.NONE;
    }
    ClusterMachine here = roster().machine(self()).orElseThrow();
    return new OtherMachines(
        Optional.of(
            new OtherMachines.Door(
                here.host(), here.basePort() + ClusterMachine.GATEWAY, folder.tls())),
        this::elsewhere);
  }

  /** The rewarder runs on the founder alone. */
  private List<String> elsewhere(String service) {
    ClusterRoster now = roster();
    return now.without(self()).stream()
        .filter(each -> !service.equals("rewarder") || each.name().equals(now.founder()))
        .map(each -> each.at(ClusterMachine.GATEWAY))
        .toList();
  }

  @Override
  public EpochLog epochs(@Nullable AgreedRecords records) {
    if (!isShared()) {
      return EpochLog.ALONE;
    }
    if (records == null) {
      throw new IllegalArgumentException(
          "a rewarder among several machines needs storage beside it: epochs are agreed on by the"
              + " log of S3 names");
    }
    // The machine of the first term is the one the cluster began with.
    return new ClusterEpochs(
        records, () -> roster().term() == 1 || folder.founding().contains(EPOCHS));
  }

  @Override
  public Optional<Record> report() throws IOException {
    return Optional.of(ClusterReport.of(talk));
  }

  public DrainReport drain() throws InterruptedException {
    return tree.drain();
  }
}
