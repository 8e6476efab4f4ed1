package dev.ron.node;

import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.config.Section;
import dev.ron.edge.EdgeConfig;
import dev.ron.edge.EdgeService;
import dev.ron.gateway.GatewayConfig;
import dev.ron.gateway.GatewayRoute;
import dev.ron.gateway.GatewayService;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.mailbox.MailboxService;
import dev.ron.mailbox.cluster.MailboxClusterConfig;
import dev.ron.mailbox.cluster.MailboxClusterService;
import dev.ron.mailbox.sqs.MailboxSqsConfig;
import dev.ron.mailbox.sqs.MailboxSqsService;
import dev.ron.node.cluster.ClusterMachine;
import dev.ron.rewarder.NodeCapabilities;
import dev.ron.rewarder.RewarderConfig;
import dev.ron.rewarder.RewarderService;
import dev.ron.storage.StorageService;
import dev.ron.storage.cluster.StorageClusterService;
import dev.ron.storage.s3.StorageS3Service;
import dev.ron.storage.s3.cluster.StorageS3ClusterConfig;
import dev.ron.storage.s3.cluster.StorageS3ClusterService;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The services of this build, in the order they start: a service that is called stands before its
 * caller.
 *
 * <p>A new service is one line here.
 */
public final class Services {
  private static final int GATEWAY_OFFSET = 0;
  private static final int EDGE_OFFSET = 1;
  private static final int MAILBOX_OFFSET = 2;
  private static final int STORAGE_OFFSET = 3;
  private static final int REWARDER_OFFSET = 4;
  private static final int S3_OFFSET = 5;
  private static final int SQS_OFFSET = 6;

  private Services() {}

  public static List<ServiceKind<?>> all() {
    return List.of(
        new ServiceKind<MailboxClusterConfig>(
            "mailbox",
            MAILBOX_OFFSET,
            Services::mailbox,
            config -> config.mailbox().address(),
            Services::mailbox),
        new ServiceKind<MailboxSqsConfig>(
            "mailbox",
            "sqs",
            SQS_OFFSET,
            Services::sqs,
            MailboxSqsConfig::address,
            Services::sqs,
            MailboxSqsConfig::enabled),
        new ServiceKind<dev.ron.storage.cluster.StorageClusterConfig>(
            "storage",
            STORAGE_OFFSET,
            Services::storage,
            config -> config.storage().address(),
            Services::storage),
        new ServiceKind<StorageS3ClusterConfig>(
            "storage",
            "s3",
            S3_OFFSET,
            Services::s3,
            config -> config.s3().address(),
            Services::s3),
        new ServiceKind<EdgeConfig>(
            "edge", EDGE_OFFSET, Services::edge, EdgeConfig::address, Services::edge),
        new ServiceKind<RewarderConfig>(
            "rewarder",
            REWARDER_OFFSET,
            Services::rewarder,
            RewarderConfig::address,
            Services::rewarder),
        new ServiceKind<GatewayConfig>(
            "gateway",
            GATEWAY_OFFSET,
            Services::gateway,
            GatewayConfig::address,
            Services::gateway));
  }

  private static MailboxClusterConfig mailbox(Section section, ServiceKind.Doors node) {
    return MailboxClusterConfig.read(
        section, node.loopback(MAILBOX_OFFSET), node.data().resolve("mailbox"));
  }

  private static ServiceKind.Wired mailbox(
      MailboxClusterConfig config, Scope scope, ServiceKind.Surroundings around)
      throws IOException {
    Limits limits = limits(around);
    List<String> hosts = around.node().hosts();
    Verifier verifier = around.trust().verifier();
    MailboxService.Wired wired =
        config.isShared()
            ? MailboxClusterService.wire(
                config,
                scope,
                limits,
                hosts,
                verifier,
                around.machines().of("mailbox", ClusterMachine.MAILBOX_LOG))
            : MailboxService.wire(config.mailbox(), scope, limits, hosts, verifier);
    around.queues().set(wired.queues());
    return new ServiceKind.Wired(
        wired.supervisor().drainWithin(around.node().drain()), wired.door());
  }

  private static MailboxSqsConfig sqs(Section section, ServiceKind.Doors node) {
    return MailboxSqsConfig.read(section, node.loopback(SQS_OFFSET));
  }

  private static ServiceKind.Wired sqs(
      MailboxSqsConfig config, Scope scope, ServiceKind.Surroundings around) throws IOException {
    MailboxSqsService.Wired wired =
        MailboxSqsService.wire(
            config,
            around.queues().get(),
            scope,
            limits(around),
            around.node().hosts(),
            around.trust().verifier());
    return ServiceKind.Wired.inside(
        wired.supervisor().drainWithin(around.node().drain()), wired.door());
  }

  private static dev.ron.storage.cluster.StorageClusterConfig storage(
      Section section, ServiceKind.Doors node) {
    return dev.ron.storage.cluster.StorageClusterConfig.read(
        section, node.loopback(STORAGE_OFFSET), node.data().resolve("storage"));
  }

  private static ServiceKind.Wired storage(
      dev.ron.storage.cluster.StorageClusterConfig config,
      Scope scope,
      ServiceKind.Surroundings around)
      throws IOException {
    if (!config.several()) {
      StorageService.Wired alone =
          StorageService.wire(
              config.storage(),
              scope,
              limits(around),
              around.node().hosts(),
              around.trust().verifier());
      return new ServiceKind.Wired(
          alone.supervisor().drainWithin(around.node().drain()), alone.door());
    }
    StorageClusterService.Wired wired =
        StorageClusterService.wire(
            config,
            scope,
            limits(around),
            around.node().hosts(),
            around.trust().verifier(),
            around.trust().token(service("storage"), operation("peer")));
    return new ServiceKind.Wired(
        wired.supervisor().drainWithin(around.node().drain()),
        wired.door(),
        fresh ->
            wired
                .reload()
                .accept(fresh.config(dev.ron.storage.cluster.StorageClusterConfig.class)));
  }

  private static StorageS3ClusterConfig s3(Section section, ServiceKind.Doors node) {
    return StorageS3ClusterConfig.read(
        section, node.loopback(S3_OFFSET), NodeKeys.s3Masters(node.data()).toString());
  }

  private static ServiceKind.Wired s3(
      StorageS3ClusterConfig config, Scope scope, ServiceKind.Surroundings around)
      throws IOException {
    var storage = around.settings().config(dev.ron.storage.cluster.StorageClusterConfig.class);
    Limits limits = limits(around);
    List<String> hosts = around.node().hosts();
    Verifier verifier = around.trust().verifier();
    if (storage.several() && !config.isShared()) {
      scope.log().warn("s3-alone", "why", "storage.s3.cluster.names names no machines");
    }
    if (!config.isShared()) {
      StorageS3Service.Wired alone =
          StorageS3Service.wire(config.s3(), storage.storage(), scope, limits, hosts, verifier);
      return new ServiceKind.Wired(
          alone.supervisor().drainWithin(around.node().drain()), alone.door());
    }
    StorageS3ClusterService.Wired wired =
        StorageS3ClusterService.wire(
            config,
            storage,
            scope,
            limits,
            hosts,
            verifier,
            around.trust().token(service("s3"), operation("peer")),
            around.machines().of("s3", ClusterMachine.NAMES_LOG));
    around.records().set(wired.records());
    return new ServiceKind.Wired(
        wired.supervisor().drainWithin(around.node().drain()),
        wired.door(),
        fresh ->
            wired
                .reload()
                .take(
                    fresh.config(StorageS3ClusterConfig.class),
                    fresh.config(dev.ron.storage.cluster.StorageClusterConfig.class)));
  }

  private static EdgeConfig edge(Section section, ServiceKind.Doors node) {
    return EdgeConfig.read(section, node.loopback(EDGE_OFFSET), node.data().resolve("edge"));
  }

  private static ServiceKind.Wired edge(
      EdgeConfig config, Scope scope, ServiceKind.Surroundings around) throws IOException {
    boolean open = around.node().limits() == NodeConfig.LimitsProfile.OPEN;
    EdgeService.Wired wired =
        EdgeService.wire(config, scope, open, around.node().hosts(), around.trust().verifier());
    return new ServiceKind.Wired(
        wired.supervisor().drainWithin(around.node().drain()),
        wired.door(),
        fresh -> wired.reload().accept(fresh.config(EdgeConfig.class)));
  }

  private static RewarderConfig rewarder(Section section, ServiceKind.Doors node) {
    return RewarderConfig.read(
        section,
        node.loopback(REWARDER_OFFSET),
        node.data().resolve("rewarder"),
        node.url("storage"));
  }

  private static ServiceKind.Wired rewarder(
      RewarderConfig config, Scope scope, ServiceKind.Surroundings around) throws IOException {
    RewarderService.Wired wired =
        RewarderService.wire(
            config,
            scope,
            limits(around),
            around.node().hosts(),
            around.trust().verifier(),
            new NodeCapabilities(
                around.trust().token(service("storage"), operation("get")),
                ledger(config, around.trust())),
            around.doors(),
            around.machines().epochs(around.records().get()));
    return new ServiceKind.Wired(
        wired.supervisor().drainWithin(around.node().drain()),
        wired.door(),
        fresh -> wired.reload().accept(fresh.config(RewarderConfig.class)));
  }

  /** For the topic of the ledger and nothing else of the mailbox. */
  private static Supplier<String> ledger(RewarderConfig config, NodeTrust trust) {
    return config.ledger().sink() == RewarderConfig.SinkKind.MAILBOX
        ? trust.token(
            service("mailbox"), operation("send"), new Caveat.Prefix(config.ledger().topic()))
        : () -> "";
  }

  private static Caveat service(String name) {
    return new Caveat.Service(Set.of(name));
  }

  private static Caveat operation(String name) {
    return new Caveat.Operation(Set.of(name));
  }

  private static GatewayConfig gateway(Section section, ServiceKind.Doors node) {
    return GatewayConfig.read(
        section,
        node.loopback(GATEWAY_OFFSET),
        List.of(
            behindGateway(node, "/o", "storage"),
            behindGateway(node, "/v1", "mailbox"),
            behindGateway(node, "/edge", "edge"),
            behindGateway(node, "/rewarder", "rewarder")));
  }

  /** A service that does not run here is absent. */
  private static GatewayRoute behindGateway(ServiceKind.Doors node, String prefix, String service) {
    return GatewayRoute.to(prefix, service, node.running(service).stream().toList());
  }

  private static ServiceKind.Wired gateway(
      GatewayConfig config, Scope scope, ServiceKind.Surroundings around) throws IOException {
    boolean open = around.node().limits() == NodeConfig.LimitsProfile.OPEN;
    GatewayService.Wired wired =
        GatewayService.wire(
            config,
            scope,
            open,
            around.node().hosts(),
            around.trust().verifier(),
            around.machines().gateways(),
            around.doors());
    return new ServiceKind.Wired(
        wired.supervisor().drainWithin(around.node().drain()),
        wired.door(),
        fresh -> wired.reload().accept(fresh.config(GatewayConfig.class)));
  }

  private static Limits limits(ServiceKind.Surroundings around) {
    return around.node().limits() == NodeConfig.LimitsProfile.OPEN ? Limits.OPEN : Limits.HARDENED;
  }
}
