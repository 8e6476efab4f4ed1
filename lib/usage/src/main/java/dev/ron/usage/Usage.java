package dev.ron.usage;

import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What tenants use of one node: counted, journaled, cut into spans, sealed.
 *
 * <p>Threading: thread-safe; its tasks are part of the node's tree.
 */
public final class Usage {
  private static final int SEGMENT_BYTES = 16 << 20;
  private static final int ASKS_MAX = 64;

  private final Scope scope;
  private final UsageCounters counters = new UsageCounters(UsageCounters.TENANTS_MAX);
  private final FileJournal journal;
  private final UsageFolder folder;
  private final UsageLog log;
  private final Channel<Reply<UsageSpan>> asked;

  private Usage(Scope scope, FileJournal journal, UsageFolder folder, UsageLog log) {
    this.scope = scope;
    this.journal = journal;
    this.folder = folder;
    this.log = log;
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

  /** Where a node keeps its usage. */
  public static Path folder(Path data) {
    return data.resolve("usage");
  }

  /** Counts for one service. */
  public Meter meter(String service) {
    return counters.meter(service);
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
    return tree.child("usage-flush", Restart.ALWAYS, journal::flushTask)
        .child("usage", Restart.ALWAYS, () -> new UsageTask(scope, counters, log, sealEvery, asked))
        .child("usage-seals", Restart.ALWAYS, () -> new SealTask(scope, folder, signer, store));
  }

  /**
   * What was used since a time.
   *
   * @param from the beginning of the oldest span that counts; spans are counted whole
   * @param sealed how many of the spans are sealed
   */
  public record Report(
      Instant from, Instant to, int sealed, SortedMap<UsageKey, BigInteger> units) {}

  /** Sums up the spans that end after {@code since}, and the open one. */
  public Optional<Report> report(Instant since) throws IOException, InterruptedException {
    var reply = new Reply<UsageSpan>(scope.time());
    if (!(asked.trySend(reply) instanceof SendResult.Sent)) {
      return Optional.empty();
    }
    UsageSpan open = reply.await(Deadline.current());
    if (open == null) {
      return Optional.empty();
    }
    var units = new TreeMap<UsageKey, BigInteger>();
    add(open, units);
    Instant from = open.from();
    int sealed = 0;
    for (long number : folder.spans().descendingSet()) {
      UsageSpan span = folder.span(number);
      if (number >= open.number() || !span.to().isAfter(since)) {
        break;
      }
      add(span, units);
      from = span.from();
      sealed += folder.seals().contains(number) ? 1 : 0;
    }
    return Optional.of(new Report(from, open.to(), sealed, units));
  }

  private static void add(UsageSpan span, SortedMap<UsageKey, BigInteger> to) {
    span.units().forEach((key, count) -> to.merge(key, BigInteger.valueOf(count), BigInteger::add));
  }
}
