package dev.ron.rewarder;

import dev.ron.capability.Verifier;
import dev.ron.capability.signature.SignatureKind;
import dev.ron.client.ServiceClient;
import dev.ron.config.DoorAddress;
import dev.ron.config.DoorSettings;
import dev.ron.decode.DecodeLimits;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.server.Access;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Timeouts;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.guard.CapabilityGuard;
import dev.ron.http.server.guard.CapabilityTerms;
import dev.ron.http.tls.PinnedCertificates;
import dev.ron.journal.AmnesiaJournal;
import dev.ron.journal.Journal;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.ready.Readiness;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.rewarder.api.RewarderContext;
import dev.ron.rewarder.api.RewarderRoutes;
import dev.ron.rewarder.artifact.Artifacts;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.epoch.EpochLog;
import dev.ron.rewarder.epoch.RunSteps;
import dev.ron.rewarder.epoch.Runs;
import dev.ron.rewarder.file.AmnesiaDisk;
import dev.ron.rewarder.input.FileInputs;
import dev.ron.rewarder.input.SealedInputs;
import dev.ron.rewarder.input.StorageInputs;
import dev.ron.rewarder.ledger.EmbeddedLedger;
import dev.ron.rewarder.ledger.Outbox;
import dev.ron.rewarder.settle.EmbeddedSink;
import dev.ron.rewarder.settle.HttpSink;
import dev.ron.rewarder.settle.LedgerSink;
import dev.ron.rewarder.settle.MailboxSink;
import dev.ron.rewarder.settle.SettlementStatus;
import dev.ron.rewarder.sign.Attestor;
import dev.ron.rewarder.sign.PolicyTrust;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The wiring: inputs, artifacts, journals, tasks, door.
 *
 * <p>Runs, outbox and ledger are read here, before there is a door, so that no request meets a
 * rewarder that has not recovered yet.
 */
public final class RewarderService {
  private static final int MIB = 1 << 20;

  private RewarderService() {}

  /** The tree, the door its address is asked of once it is open, and what a reload calls. */
  public record Wired(Supervisor supervisor, HttpServer door, Consumer<RewarderConfig> reload) {}

  /**
   * @param hosts names besides this machine's own that the door answers to
   * @param verifier null lets every request in; for tests, and behind a door that checks
   * @throws IOException if what is on the disk cannot be read; the message says what to do
   */
  public static Wired wire(
      RewarderConfig config,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier)
      throws IOException {
    return wire(
        config,
        scope,
        limits,
        hosts,
        verifier,
        NodeCapabilities.NONE,
        trustingOthers(),
        EpochLog.ALONE);
  }

  /**
   * @param hosts names besides this machine's own that the door answers to
   * @param verifier null lets every request in
   * @param shown to storage and mailbox where the configuration has none
   * @param trusted what those of this process show; others are trusted as the JDK does
   * @param log of the epochs that machines of a cluster agree on
   * @throws IOException if what is on the disk cannot be read; the message says what to do
   */
  public static Wired wire(
      RewarderConfig config,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier,
      NodeCapabilities shown,
      PinnedCertificates trusted,
      EpochLog log)
      throws IOException {
    return wire(
        config,
        scope,
        limits,
        hosts,
        verifier,
        shown,
        trusted,
        log,
        Calculus.EXACT,
        RunSteps.IGNORED);
  }

  private static PinnedCertificates trustingOthers() {
    return PinnedCertificates.besideOthers(List::of);
  }

  /** With another calculus, or with an observer of each step; for tests. */
  static Wired wire(
      RewarderConfig config,
      Scope scope,
      Limits limits,
      @Nullable Verifier verifier,
      NodeCapabilities shown,
      EpochLog log,
      Calculus calculus,
      RunSteps steps)
      throws IOException {
    return wire(
        config, scope, limits, List.of(), verifier, shown, trustingOthers(), log, calculus, steps);
  }

  private static Wired wire(
      RewarderConfig config,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier,
      NodeCapabilities shown,
      PinnedCertificates trusted,
      EpochLog log,
      Calculus calculus,
      RunSteps steps)
      throws IOException {
    var metrics = RewarderMetrics.in(scope);
    Watch<RewarderConfig> settings = Watch.of(scope, "settings", config);
    Disk disk =
        config.amnesia()
            ? new AmnesiaDisk(config.capacity().amnesiaMemory().bytes())
            : scope.disk();
    var client =
        new HttpClient(scope, HttpClientConfig.standard().with(AddressPolicy.ANY), trusted);
    OpenJournal outboxLog = journal(config, scope, "outbox");
    OpenJournal ledgerLog = journal(config, scope, "ledger");
    var artifacts = Artifacts.open(scope.log(), disk, config.artifacts());
    var attestor = Attestor.open(disk, config.artifacts().resolve("keys"), kinds(config));
    var outbox = Outbox.recover(outboxLog.journal(), scope.registry());
    var ledger =
        EmbeddedLedger.recover(
            ledgerLog.journal(), scope.registry(), config.ledger().accountsMax());
    var parts =
        new RewarderTasks.Parts(
            inputs(config, scope, client, shown, disk),
            artifacts,
            attestor,
            () -> trust(settings.value(), attestor),
            decodeLimits(config),
            calculus,
            Runs.recover(scope, artifacts, outbox, () -> settings.value().runLimit()),
            log,
            settlement(config, outbox, ledger),
            sink(config, scope, client, shown, ledger),
            metrics,
            config.workerCount(),
            config.queue(),
            config.events(),
            config.capacity().memory().bytes(),
            steps);
    var rewarder = new RewarderTasks(scope, parts);
    var context = new RewarderContext(rewarder, attestor, scope.time());
    HttpServerConfig http = http(config, limits).with(Access.of(hosts, scope, verifier));
    // All of it needs a capability: what actors are paid concerns them alone.
    var guard = new CapabilityGuard(scope, verifier, CapabilityTerms.ALWAYS);
    var door = new HttpServer(scope, http, RewarderRoutes.of(context), guard, Decoders.NONE);
    Supervisor tree = tree(client, List.of(outboxLog, ledgerLog), rewarder, config.workerCount());
    if (!log.equals(EpochLog.ALONE)) {
      tree = withEpochs(tree, rewarder, scope.readiness().condition("epochs"));
    }
    return new Wired(tree.door("http", door), door, fresh -> settings.set(config.taking(fresh)));
  }

  private static SettlementStatus settlement(
      RewarderConfig config, Outbox outbox, EmbeddedLedger ledger) {
    boolean embedded = config.ledger().sink() == RewarderConfig.SinkKind.EMBEDDED;
    return new SettlementStatus(
        outbox,
        new ConcurrentHashMap<>(Map.of()),
        embedded ? Optional.of(ledger) : Optional.empty());
  }

  private static HttpServerConfig http(RewarderConfig config, Limits limits) throws IOException {
    DoorAddress address = config.address();
    DoorSettings server = config.server();
    return HttpServerConfig.on(address.bind().host(), address.bind().port())
        .secured(address.tlsCertificate(), address.tlsKey())
        .besides(address.uds(), address.udsUids())
        .with(
            limits.bounded(
                server.maxConnections(),
                server.maxBodyBytes().bytes(),
                server.maxInflight(),
                server.maxRps()))
        .with(Timeouts.of(server.readTimeout(), server.writeTimeout(), server.idleTimeout()));
  }

  /** A consumer stands above its producers. */
  private static Supervisor tree(
      HttpClient client, List<OpenJournal> journals, RewarderTasks tasks, int workers) {
    Supervisor tree = Supervisor.named("rewarder").door("client", new RewarderHttpClient(client));
    for (OpenJournal each : journals) {
      if (each.journal() instanceof FileJournal file) { // memory has nothing to flush
        tree = tree.child(each.name() + "-flush", Restart.ALWAYS, file::flushTask);
      }
    }
    return tree.child("health", Restart.ALWAYS, tasks::reporter)
        .child("emitter", Restart.ALWAYS, tasks::emitter)
        .child("writer", Restart.ALWAYS, tasks::writer)
        .computing("worker", workers, Restart.ALWAYS, tasks::worker)
        .child("scheduler", Restart.ALWAYS, tasks::scheduler);
  }

  private static Supervisor withEpochs(
      Supervisor tree, RewarderTasks tasks, Readiness.Condition computed) {
    return tree.child("epochs", Restart.ALWAYS, () -> tasks.epochs(computed));
  }

  private static DecodeLimits decodeLimits(RewarderConfig config) {
    return new DecodeLimits(
        config.capacity().decoded().bytes(),
        config.capacity().ratio(),
        DecodeLimits.WINDOW_BYTES_DEFAULT);
  }

  private record OpenJournal(String name, Journal journal) {}

  private static OpenJournal journal(RewarderConfig config, Scope scope, String name)
      throws IOException {
    Path folder = config.artifacts().resolve(name);
    JournalSettings settings = JournalSettings.in(folder).named(name + "-journal");
    if (config.amnesia()) {
      return new OpenJournal(
          name, new AmnesiaJournal(scope, settings.sized(256 * MIB, 4 * MIB, 2 * MIB, 0)));
    }
    scope.disk().createFolders(folder);
    return new OpenJournal(name, FileJournal.open(scope, settings));
  }

  private static List<SignatureKind> kinds(RewarderConfig config) {
    return config.trust().postQuantum()
        ? List.of(SignatureKind.ED25519, SignatureKind.ML_DSA)
        : List.of(SignatureKind.ED25519);
  }

  private static PolicyTrust trust(RewarderConfig config, Attestor attestor) {
    var keys = new HashSet<>(config.trust().policyKeys());
    keys.addAll(attestor.publicKeys());
    return new PolicyTrust(config.trust().signedPolicy() ? kinds(config) : List.of(), keys);
  }

  private static SealedInputs inputs(
      RewarderConfig config, Scope scope, HttpClient client, NodeCapabilities shown, Disk disk) {
    return switch (config.inputs().kind()) {
      case FILES -> new FileInputs(scope.disk(), config.inputs().folder());
      case STORAGE ->
          new StorageInputs(
              scope,
              ServiceClient.over(
                  client,
                  scope,
                  "input",
                  URI.create(config.inputs().storageUrl()),
                  shown.orStorage(config.inputs().storageCapability())),
              config.upstreamTimeout(),
              disk);
    };
  }

  private static LedgerSink sink(
      RewarderConfig config,
      Scope scope,
      HttpClient client,
      NodeCapabilities shown,
      EmbeddedLedger ledger) {
    RewarderConfig.Ledger to = config.ledger();
    return switch (to.sink()) {
      case EMBEDDED -> new EmbeddedSink(ledger);
      case HTTP ->
          new HttpSink(
              ServiceClient.over(
                  client, scope, "ledger", URI.create(to.url()), to.capability()::reveal),
              config.upstreamTimeout());
      case MAILBOX ->
          new MailboxSink(
              ServiceClient.over(
                  client, scope, "ledger", URI.create(to.url()), shown.orMailbox(to.capability())),
              to.topic(),
              config.upstreamTimeout());
    };
  }
}
