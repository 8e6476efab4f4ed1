package dev.ron.node;

import dev.ron.capability.caveat.Caveat;
import dev.ron.http.server.HttpServer;
import dev.ron.http.tls.PinnedCertificates;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.registry.Registry;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.Reply;
import dev.ron.node.profile.UnopenedDoor;
import dev.ron.node.trace.NodeTraces;
import dev.ron.node.usage.NodeUsage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All services in one process: two trees, the services' and above it the admin door's.
 *
 * <p>The admin door starts first and ends last, so that it can show the others start and drain.
 *
 * <p>Threading: started and drained by the main thread.
 */
public final class NodeProcess {
  private final Scope nodeScope;
  private final Scope adminScope;
  private final HttpServer adminDoor;
  private final Map<Scope, HttpServer> services;
  private final NodeReload reload;
  private final Tree admin;
  private final Tree tree;

  private NodeProcess(
      Scope nodeScope,
      Scope adminScope,
      HttpServer adminDoor,
      Map<Scope, HttpServer> services,
      NodeReload reload,
      Tree admin,
      Tree tree) {
    this.nodeScope = nodeScope;
    this.adminScope = adminScope;
    this.adminDoor = adminDoor;
    this.services = services;
    this.reload = reload;
    this.admin = admin;
    this.tree = tree;
  }

  /**
   * What an operator can ask a running node for.
   *
   * @param settings reads the settings again, for a reload
   * @param log the last lines of the log that the world writes to
   */
  public record Operator(Supplier<NodeSettings> settings, RecentLog log) {}

  public static NodeProcess start(
      NodeSettings settings, NodeKeys keys, World world, Operator operator) throws Exception {
    return start(settings, keys, world, operator, NodeMachines.NONE);
  }

  /**
   * @param machines of the cluster that the node belongs to
   */
  public static NodeProcess start(
      NodeSettings settings, NodeKeys keys, World world, Operator operator, NodeMachines machines)
      throws Exception {
    var tenants = new AtomicReference<>(settings.tenants());
    var nodeScope = Scope.of("node", world).shared(tenants::get);
    NodeTrust trust = NodeTrust.of(keys, world.time());
    var refresh = new TrustRefresh(nodeScope, settings.node().data(), trust.verifier());
    var doors = new LinkedHashMap<Scope, HttpServer>();
    var trusted = PinnedCertificates.besideOthers(() -> certificates(doors));
    var around = new ServiceKind.Surroundings(settings, trust, machines, trusted);
    List<Consumer<NodeSettings>> reloads = new ArrayList<>();
    var reload =
        new NodeReload(nodeScope, settings.catalogue(), operator.settings(), reloads, refresh);
    NodeUsage usage = usage(settings, nodeScope, trust, doors, trusted);
    reloads.add(fresh -> usage.reload(fresh.usage()));
    reloads.add(fresh -> tenants.set(fresh.tenants()));
    NodeTraces traces = NodeTraces.of(settings.traces(), nodeScope, usage.node());
    Supervisor all =
        usage
            .into(
                traces.into().apply(Supervisor.named("node").drainWithin(settings.node().drain())))
            .child("trust", Restart.ALWAYS, () -> refresh)
            .child("reload", Restart.ALWAYS, () -> reload);
    var branches = new LinkedHashMap<String, Branch>();
    for (NodeSettings.Chosen<?> chosen : settings.services()) {
      String name = chosen.kind().name();
      Scope scope = scope(name, world, usage, traces).shared(tenants::get);
      ServiceKind.Wired wired = chosen.wire(scope, around);
      doors.put(scope, wired.door());
      reloads.add(wired.reload());
      reloads.add(_ -> wired.door().readCertificateAgain());
      if (wired.inside()) {
        branches.computeIfPresent(
            chosen.kind().host(), (_, host) -> host.with(wired.supervisor(), scope));
      } else {
        branches.put(name, new Branch(wired.supervisor(), scope));
      }
    }
    for (Branch branch : branches.values()) {
      all = all.branch(branch.tree(), branch.scope());
    }
    introduce(doors.keySet().stream().map(Scope::registry).toList());
    var adminScope = Scope.of("admin", world);
    adminScope.readiness().noted("usage", usage.usage()::note);
    ServiceKind.Wired wiredAdmin =
        AdminService.wire(
            settings,
            adminScope,
            new AdminService.Controls(trust.verifier(), reload, operator.log(), usage, machines),
            scopes(nodeScope, doors),
            name -> address(doors, name),
            new PinnedCertificates(() -> certificates(doors)));
    try {
      Tree admin = wiredAdmin.supervisor().start(adminScope);
      Tree tree = startedBelow(admin, all, nodeScope);
      return new NodeProcess(nodeScope, adminScope, wiredAdmin.door(), doors, reload, admin, tree);
    } catch (Exception failure) {
      throw UnopenedDoor.named(failure, settings.doors());
    }
  }

  private static Tree startedBelow(Tree admin, Supervisor services, Scope scope) throws Exception {
    try {
      return services.start(scope);
    } catch (Exception failure) {
      admin.drain();
      throw failure;
    }
  }

  /** A tenant has one limit for what it keeps at several of them. */
  private static void introduce(List<Registry> services) {
    services.forEach(
        each -> each.beside(services.stream().filter(other -> other != each).toList()));
  }

  private static Scope scope(String service, World world, NodeUsage usage, NodeTraces traces) {
    return Scope.of(service, world)
        .metered(usage.meter(service))
        .traced(traces.tracer().apply(service));
  }

  private static NodeUsage usage(
      NodeSettings settings,
      Scope scope,
      NodeTrust trust,
      Map<Scope, HttpServer> doors,
      PinnedCertificates trusted)
      throws IOException {
    return NodeUsage.open(
        scope,
        settings.usage(),
        settings.node().data(),
        trust.token(
            new Caveat.Service(Set.of("storage")), new Caveat.Operation(NodeUsage.OPERATIONS)),
        settings.node().runs("storage"),
        () -> address(doors, "storage"),
        trusted);
  }

  /** The tree of one service, with those that live inside it. */
  private record Branch(Supervisor tree, Scope scope) {
    Branch with(Supervisor inside, Scope its) {
      return new Branch(tree.branch(inside, its), scope);
    }
  }

  /** Ends the services, then the admin door. */
  public DrainReport drain() throws InterruptedException {
    DrainReport report = tree.drain();
    return report.plus(admin.drain());
  }

  /** Cuts the requests that a drain waits for; tasks that make data durable keep their time. */
  public void hasten() {
    tree.hasten();
    admin.hasten();
  }

  /** Reads configuration, signing keys and revocations again; the report comes when it is done. */
  public Reply<NodeReload.Outcome> reload() {
    return reload.ask();
  }

  public String adminUrl() {
    return url(adminDoor);
  }

  /** Each service with its address, in the order they were started. */
  public Map<Scope, String> urls() {
    var urls = new LinkedHashMap<Scope, String>();
    services.forEach((scope, door) -> urls.put(scope, url(door)));
    return urls;
  }

  /** All whose figures the admin door shows. */
  List<Scope> scopes() {
    return scopes(nodeScope, services);
  }

  private static List<Scope> scopes(Scope node, Map<Scope, HttpServer> services) {
    return Stream.concat(Stream.of(node), services.keySet().stream()).toList();
  }

  public boolean ready() {
    return services.keySet().stream().allMatch(scope -> scope.readiness().ready());
  }

  public Scope adminScope() {
    return adminScope;
  }

  /**
   * Called while doors still open and after they closed: a service without an address is left out.
   */
  private static Optional<URI> address(Map<Scope, HttpServer> doors, String service) {
    return doors.entrySet().stream()
        .filter(door -> door.getKey().service().equals(service) && door.getValue().isOpen())
        .map(door -> URI.create(url(door.getValue())))
        .findFirst();
  }

  private static List<X509Certificate> certificates(Map<Scope, HttpServer> doors) {
    return doors.values().stream().flatMap(door -> door.certificate().stream()).toList();
  }

  private static String url(HttpServer door) {
    var address = (InetSocketAddress) door.address();
    String host = address.getAddress().getHostAddress();
    return "%s://%s:%d"
        .formatted(
            door.isSecured() ? "https" : "http",
            host.contains(":") ? "[" + host + "]" : host,
            address.getPort());
  }

  /** What a service lacks, in words; empty if it is ready. */
  public static String lacks(Scope scope) {
    return scope.readiness().ready()
        ? ""
        : scope.readiness().missing().entrySet().stream()
            .map(lack -> lack.getKey() + ": " + lack.getValue())
            .collect(Collectors.joining("; "));
  }
}
