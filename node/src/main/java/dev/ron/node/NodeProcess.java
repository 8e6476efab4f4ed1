package dev.ron.node;

import dev.ron.http.server.HttpServer;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * All services in one process: two trees, the services' and above it the admin door's.
 *
 * <p>The admin door starts first and ends last, so that it can show the others start and drain.
 *
 * <p>Threading: started and drained by the main thread.
 */
public final class NodeProcess {
  private final Scope adminScope;
  private final HttpServer adminDoor;
  private final Map<Scope, HttpServer> services;
  private final List<Consumer<NodeSettings>> reloads;
  private final TrustRefresh trust;
  private final Tree admin;
  private final Tree tree;

  private NodeProcess(
      Scope adminScope,
      HttpServer adminDoor,
      Map<Scope, HttpServer> services,
      List<Consumer<NodeSettings>> reloads,
      TrustRefresh trust,
      Tree admin,
      Tree tree) {
    this.adminScope = adminScope;
    this.adminDoor = adminDoor;
    this.services = services;
    this.reloads = List.copyOf(reloads);
    this.trust = trust;
    this.admin = admin;
    this.tree = tree;
  }

  public static NodeProcess start(NodeSettings settings, NodeKeys keys, World world)
      throws Exception {
    var nodeScope = Scope.of("node", world);
    NodeTrust trust = NodeTrust.of(keys, world.time());
    var refresh = new TrustRefresh(nodeScope, settings.node().data(), trust.verifier());
    var around = new ServiceKind.Surroundings(settings, trust);
    var doors = new LinkedHashMap<Scope, HttpServer>();
    List<Consumer<NodeSettings>> reloads = new ArrayList<>();
    Supervisor all =
        Supervisor.named("node")
            .drainWithin(settings.node().drain())
            .child("trust", Restart.ALWAYS, () -> refresh);
    var branches = new LinkedHashMap<String, Branch>();
    for (NodeSettings.Chosen<?> chosen : settings.services()) {
      String name = chosen.kind().name();
      var scope = Scope.of(name, world);
      ServiceKind.Wired wired = chosen.wire(scope, around);
      doors.put(scope, wired.door());
      reloads.add(wired.reload());
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
    var adminScope = Scope.of("admin", world);
    List<Scope> shown = new ArrayList<>(doors.keySet());
    shown.addFirst(nodeScope);
    ServiceKind.Wired wiredAdmin =
        AdminService.wire(
            settings.admin(), settings.node(), adminScope, shown, name -> address(doors, name));
    Tree admin = wiredAdmin.supervisor().start(adminScope);
    try {
      return new NodeProcess(
          adminScope, wiredAdmin.door(), doors, reloads, refresh, admin, all.start(nodeScope));
    } catch (Exception failure) {
      admin.drain();
      throw failure;
    }
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

  /** Reads signing keys and revocations again at once. */
  public void reloadTrust() {
    trust.now();
  }

  /** Hands every service its live keys; the settings are sound as a whole. */
  public void reload(NodeSettings fresh) {
    reloads.forEach(service -> service.accept(fresh));
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

  private static String url(HttpServer door) {
    var address = (InetSocketAddress) door.address();
    String host = address.getAddress().getHostAddress();
    return "http://%s:%d"
        .formatted(host.contains(":") ? "[" + host + "]" : host, address.getPort());
  }
}
