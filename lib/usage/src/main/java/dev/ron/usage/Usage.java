package dev.ron.usage;

import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.ready.Readiness;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What tenants use of one node: counted, journaled, cut into spans, sealed.
 *
 * <p>Threading: thread-safe; its tasks are part of the node's tree.
 */
public final class Usage {
  private static final int SEGMENT_BYTES = 16 << 20;
  private static final int ASKS_MAX = 64;
  private static final int NOTES_MAX = 5;

  /** Of the metrics: a scraper keeps each label for long. All tenants are in {@code GET /usage}. */
  private static final int TENANTS_SHOWN = 100;

  private final Scope scope;
  private final UsageCounters counters = new UsageCounters(UsageCounters.TENANTS_MAX);
  private final FileJournal journal;
  private final UsageFolder folder;
  private final UsageLog log;
  private final Channel<Reply<UsageSpan>> asked;
  private final Readiness.Condition sealing;
  private final Readiness.Condition spans;
  private final AtomicReference<Optional<String>> late = new AtomicReference<>(Optional.empty());

  private Usage(Scope scope, FileJournal journal, UsageFolder folder, UsageLog log) {
    this.scope = scope;
    this.journal = journal;
    this.folder = folder;
    this.log = log;
    scope.metrics().totals("usage_units", "What tenants were given, by metric.", this::units);
    scope
        .metrics()
        .rows(
            "usage_seals_late",
            "Spans that wait because the storage did not take a seal.",
            () -> Map.of(Labels.EMPTY, late.get().isEmpty() ? 0.0 : folder.waiting()));
    this.sealing = scope.readiness().condition("usage-seals");
    this.spans = scope.readiness().condition("usage-spans");
    this.asked = Channel.bounded(scope, "usage-asks", ASKS_MAX, Overflow.REJECT_NEW);
  }

  /** Reads what is in the folder, or begins there. */
  public static Usage open(Scope scope, Path data) throws IOException {
    Path folder = folder(data);
    UsageFolder files = UsageFolder.open(scope.disk(), folder.resolve("spans"));
    JournalSettings settings =
        JournalSettings.in(folder.resolve("journal"))
            .named("usage")
            .sized(SEGMENT_BYTES, 4 << 20, 2 << 20, 1 << 20);
    FileJournal journal = FileJournal.open(scope, settings);
    return new Usage(scope, journal, files, UsageLog.recover(journal, files));
  }

  /** Whether something was used that no seal has; said with too much rather than too little. */
  public boolean unsealed() throws InterruptedException {
    return folder.unsealed().isPresent()
        || open().map(span -> !span.units().isEmpty()).orElse(true);
  }

  /** Where a node keeps its usage. */
  public static Path folder(Path data) {
    return data.resolve("usage");
  }

  /** Counts for one service. */
  public Meter meter(String service) {
    return counters.meter(service);
  }

  private Map<Labels, Double> units() {
    var rows = new HashMap<Labels, Double>();
    counters
        .totals(TENANTS_SHOWN)
        .forEach(
            (key, units) ->
                rows.put(
                    Labels.of("metric", key.metric(), "tenant", key.tenant()),
                    units.doubleValue()));
    return rows;
  }

  /** What an operator should know although requests are counted as they should. */
  public Optional<String> note() {
    List<String> words =
        Stream.concat(
                late.get().stream(), folder.damage().values().stream().map(UsageDamage::words))
            .toList();
    int more = words.size() - NOTES_MAX;
    return words.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.join("; ", words.subList(0, Math.min(words.size(), NOTES_MAX)))
                + (more > 0 ? "; and %d more: see GET /usage".formatted(more) : ""));
  }

  public UsageFolder files() {
    return folder;
  }

  /**
   * The same tree with the tasks of usage, to be added before the services: they end after them.
   *
   * @param sealEvery asked again and again, so that a reload can change it
   */
  public Supervisor into(
      Supervisor tree, SealSigner signer, SealStore store, Supplier<Duration> sealEvery) {
    return journaled(tree, sealEvery)
        .child(
            "usage-seals",
            Restart.ALWAYS,
            () -> new SealTask(scope, folder, signer, store, sealing, late));
  }

  /** The same tree with the tasks that journal counts and cut spans, which then wait for seals. */
  public Supervisor journaled(Supervisor tree, Supplier<Duration> sealEvery) {
    return tree.child("usage-flush", Restart.ALWAYS, journal::flushTask)
        .child(
            "usage",
            Restart.ALWAYS,
            () -> new UsageTask(scope, counters, log, sealEvery, asked, spans));
  }

  /**
   * What was used in the spans that end after {@code since}, and in the open one; empty if that
   * took too long.
   */
  public Optional<UsageReport> report(Instant since) throws IOException, InterruptedException {
    Optional<UsageSpan> open = open();
    return open.isEmpty()
        ? Optional.empty()
        : Optional.of(UsageReport.of(open.get(), folder, since));
  }

  /** The open span as it is now; empty if that took too long. */
  public Optional<UsageSpan> open() throws InterruptedException {
    var reply = new Reply<UsageSpan>(scope.time());
    return asked.trySend(reply) instanceof SendResult.Sent
        ? Optional.ofNullable(reply.await(Deadline.current()))
        : Optional.empty();
  }
}
