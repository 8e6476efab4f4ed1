package dev.ron.content.store;

import dev.ron.blake3.Address;
import dev.ron.content.AddressKey;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentMetrics;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentStore;
import dev.ron.content.DeleteResult;
import dev.ron.content.OpenResult;
import dev.ron.content.PutResult;
import dev.ron.content.Space;
import dev.ron.content.index.IndexEntry;
import dev.ron.content.index.VerifiedGroups;
import dev.ron.content.segment.AppendLane;
import dev.ron.content.segment.DiskFailure;
import dev.ron.content.segment.Lease;
import dev.ron.content.segment.Segment;
import dev.ron.content.segment.Segments;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store in append-only segment files.
 *
 * <p>It has no threads. The service that opens it runs {@link #tasks} beside it: the group commit,
 * without which no put is answered, and the housekeeping. {@link #close} comes after they have
 * ended.
 *
 * <p>Threading: thread-safe.
 */
public final class SegmentStore implements ContentStore, AutoCloseable {
  private static final String NAME = "content";

  private final Scope scope;
  private final String name;
  private final ContentMetrics metrics;
  private final SegmentConfig config;
  private final ContentCatalogue catalogue;
  private final FreeSpace free;
  private final StoreRecovery.Report report;
  private final Channel<CommitRequest> asks;
  private final Intake intake;
  private final List<AppendLane> lanes = new ArrayList<>();
  private final Channel<AppendLane> idle;
  private final Channel<CommitRequest.Moved> moved;
  private final AppendLane shared;
  private final AppendLane compacting;
  private final @Nullable VerifiedGroups verified;

  private SegmentStore(
      Scope scope,
      SegmentConfig config,
      String suffix,
      ContentMetrics metrics,
      ContentCatalogue catalogue,
      StoreRecovery.Report report) {
    this.scope = scope;
    this.name = NAME + suffix;
    this.metrics = metrics;
    this.config = config;
    this.catalogue = catalogue;
    this.free = new FreeSpace(scope.disk(), config.folder());
    this.report = report;
    this.asks =
        Channel.bounded(
            scope,
            "content-commit" + suffix,
            config.waitingMax(),
            Overflow.AWAIT,
            ask -> ask.refuse(new ContentFault.Closed()));
    this.idle =
        Channel.pool(
            scope,
            "content-lanes" + suffix,
            Stream.generate(this::lane).limit(config.lanesMax()).toList());
    this.moved = Channel.bounded(scope, "content-moved" + suffix, 1, Overflow.REJECT_NEW);
    this.shared = lane();
    this.compacting = lane();
    this.intake = new Intake(config, catalogue, asks, idle, scope.time());
    this.verified =
        config.verify() == VerifyMode.ONCE ? new VerifiedGroups(catalogue.index()) : null;
  }

  /** The only store of its scope, named {@code content}. */
  public static SegmentStore open(Scope scope, SegmentConfig config) throws IOException {
    return open(scope, config, "", ContentMetrics.in(scope));
  }

  /**
   * One of several stores of a scope: its number, which no other has, ends the names of its
   * channels and its own, which is the label of its metrics.
   */
  public static SegmentStore open(
      Scope scope, SegmentConfig config, int number, ContentMetrics metrics) throws IOException {
    return open(scope, config, "-" + number, metrics);
  }

  /** Finds out what is stored; works on a disk that cannot be written, for reading. */
  private static SegmentStore open(
      Scope scope, SegmentConfig config, String suffix, ContentMetrics metrics) throws IOException {
    String name = NAME + suffix;
    var segments = new Segments(scope.disk(), config.folder(), scope.secrets(), config.filesMax());
    var recovery =
        new StoreRecovery(
            scope.disk(), config.folder(), segments, metrics.of(name), scope.secrets().nextLong());
    ContentCatalogue catalogue = recovery.run();
    var store = new SegmentStore(scope, config, suffix, metrics, catalogue, recovery.report());
    metrics.show(store);
    scope
        .log()
        .info(
            "content-opened",
            "store",
            name,
            "objects",
            catalogue.index().objects(),
            "report",
            store.report);
    return store;
  }

  /** To be run beside the store, for as long as it takes puts and deletes. */
  public Supervisor tasks() {
    return Supervisor.named(name)
        .child("commit", Restart.ALWAYS, this::groupCommit)
        .child("housekeeping", Restart.ALWAYS, this::housekeeping);
  }

  /** The first of the tasks, for a service that lists those of its stores in its own tree. */
  public Task groupCommit() {
    return new GroupCommit(asks, catalogue, shared, scope.time(), config.deleteGrace());
  }

  /** The second. */
  public Task housekeeping() {
    boolean snapshotDue = !report.fromSnapshot() || report.records() > 0;
    return new StoreMaintenance(
        scope, config, catalogue, free, asks, idle, moved, compacting, snapshotDue);
  }

  @Override
  public PutResult put(InputStream in) throws IOException, InterruptedException {
    return intake.put(null, in, false);
  }

  @Override
  public PutResult put(Address expected, InputStream in) throws IOException, InterruptedException {
    return intake.put(expected, in, false);
  }

  /** What was there before is dead, as if compaction had moved it. */
  @Override
  public PutResult putAnew(Address expected, InputStream in)
      throws IOException, InterruptedException {
    return intake.put(expected, in, true);
  }

  @Override
  public OpenResult open(Address address, long offset, long length) {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(length + " bytes from " + offset);
    }
    try {
      while (true) {
        IndexEntry entry = catalogue.index().visible(AddressKey.of(address));
        if (entry == null) {
          return new OpenResult.Refused(new ContentFault.NotFound(address));
        }
        if (offset > entry.length()) {
          return new OpenResult.Refused(
              new ContentFault.OutOfRange(address, offset, entry.length()));
        }
        Lease lease = catalogue.segments().lease(entry.segment());
        if (lease != null) {
          long end = offset + Math.min(length, entry.length() - offset);
          return new OpenResult.Opened(
              new SegmentContentReader(catalogue, verified, lease, entry, offset, end));
        }
        // Compaction moved it between the two looks; the index knows where to.
      }
    } catch (IOException e) {
      return new OpenResult.Refused(DiskFailure.fault(e));
    }
  }

  @Override
  public Optional<ContentStat> stat(Address address) {
    IndexEntry entry = catalogue.index().visible(AddressKey.of(address));
    return Optional.ofNullable(entry).map(found -> new ContentStat(address, found.length()));
  }

  @Override
  public boolean sound(Address address) {
    return catalogue.sound(AddressKey.of(address)) != null;
  }

  @Override
  public void judged(Address address, boolean sound) {
    IndexEntry entry = catalogue.index().visible(AddressKey.of(address));
    if (entry != null && sound == entry.has(IndexEntry.CORRUPT)) {
      catalogue.index().flag(entry, IndexEntry.CORRUPT, !sound);
    }
  }

  @Override
  public long damaged() {
    return catalogue.index().corrupt();
  }

  @Override
  public DeleteResult delete(Address address) throws InterruptedException {
    return intake.delete(address);
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) {
    return catalogue.index().after(after == null ? null : AddressKey.of(after), max).stream()
        .map(entry -> new ContentStat(entry.key().address(), entry.length()))
        .toList();
  }

  @Override
  public boolean pin(Address address) {
    return catalogue.pin(AddressKey.of(address));
  }

  @Override
  public void unpin(Address address) {
    catalogue.pins().remove(address);
  }

  @Override
  public Space space() {
    long used = catalogue.segments().all().stream().mapToLong(Segment::end).sum();
    return new Space(
        catalogue.index().objects(), catalogue.index().objectBytes(), used, free.bytes());
  }

  /** As it was opened. */
  public String name() {
    return name;
  }

  public int segments() {
    return catalogue.segments().all().size();
  }

  /** Deleted objects that the index still remembers. */
  public long hidden() {
    return catalogue.index().hidden();
  }

  public int filesOpen() {
    return catalogue.segments().filesOpen();
  }

  /** How the start went. */
  public StoreRecovery.Report report() {
    return report;
  }

  /** Ends the segments in order and writes a snapshot, so that the next start is fast. */
  @Override
  public void close() throws IOException {
    metrics.hide(this);
    asks.close();
    for (AppendLane lane : lanes) {
      if (lane.isFilling()) {
        lane.seal();
      }
    }
    try {
      IndexSnapshot.write(scope.disk(), config.folder(), catalogue);
    } finally {
      catalogue.segments().close();
    }
  }

  private AppendLane lane() {
    var lane = new AppendLane(catalogue.segments(), config.segmentBytes());
    lanes.add(lane);
    return lane;
  }
}
