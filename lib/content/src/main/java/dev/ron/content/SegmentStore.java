package dev.ron.content;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.Tree;
import dev.ron.content.StreamedPut.Outcome;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store in append-only segment files.
 *
 * <p>It has no threads. Whoever opens it runs {@link #tasks} beside it: the group commit, without
 * which no put is answered, and the housekeeping. {@link #close} comes after they have ended.
 *
 * <p>Threading: thread-safe.
 */
public final class SegmentStore implements ContentStore, AutoCloseable {
  /** A first look at a stream; most objects are smaller and need no second buffer. */
  private static final int LOOK_BYTES = 8 << 10;

  private final Scope scope;
  private final SegmentConfig config;
  private final Catalogue catalogue;
  private final Recovery.Report report;
  private final Channel<Commit> asks;
  private final Channel<Lane> idle;
  private final List<Lane> lanes = new ArrayList<>();
  private final Lane shared;
  private final @Nullable VerifiedGroups verified;

  private SegmentStore(
      Scope scope, SegmentConfig config, Catalogue catalogue, Recovery.Report report) {
    this.scope = scope;
    this.config = config;
    this.catalogue = catalogue;
    this.report = report;
    this.asks =
        Channel.bounded(
            scope,
            "content-commit",
            config.waitingMax(),
            Overflow.AWAIT,
            ask -> ask.refuse(new ContentFault.Closed()));
    this.idle = Channel.bounded(scope, "content-lanes", config.lanesMax(), Overflow.REJECT_NEW);
    this.shared = lane();
    for (int i = 0; i < config.lanesMax(); i++) {
      idle.trySend(lane());
    }
    this.verified = config.verify() == Verify.ONCE ? new VerifiedGroups(catalogue.index()) : null;
  }

  /** Finds out what is stored; works on a disk that cannot be written, for reading. */
  public static SegmentStore open(Scope scope, SegmentConfig config) throws IOException {
    var segments = new Segments(scope.disk(), config.folder(), scope.random(), config.filesMax());
    var recovery = new Recovery(scope.disk(), config.folder(), segments, scope.random().nextLong());
    Catalogue catalogue = recovery.run();
    var store = new SegmentStore(scope, config, catalogue, recovery.report());
    scope
        .log()
        .info("content-opened", "objects", catalogue.index().objects(), "report", store.report);
    return store;
  }

  /** To be run beside the store, for as long as it takes puts and deletes. */
  public Supervisor tasks() {
    return Supervisor.named("content")
        .child(
            "commit",
            Restart.ALWAYS,
            () -> new GroupCommit(asks, catalogue, shared, scope.time(), config.deleteGrace()));
  }

  @Override
  public PutResult put(InputStream in) throws IOException, InterruptedException {
    return put(null, in);
  }

  @Override
  public PutResult put(@Nullable Address expected, InputStream in)
      throws IOException, InterruptedException {
    byte[] first = in.readNBytes(LOOK_BYTES);
    int length = first.length;
    if (length == LOOK_BYTES) {
      byte[] longer = new byte[Tree.GROUP_BYTES + 1];
      System.arraycopy(first, 0, longer, 0, length);
      first = longer;
      length += in.readNBytes(first, length, first.length - length);
    }
    if (length > config.objectBytesMax()) {
      return refused(new ContentFault.TooLarge(config.objectBytesMax()));
    }
    return length <= Tree.GROUP_BYTES
        ? putSmall(expected, first, length)
        : putLarge(expected, first, length, in);
  }

  private PutResult putSmall(@Nullable Address expected, byte[] bytes, int length)
      throws InterruptedException {
    var address = new Address(new Blake3Hasher().update(bytes, 0, length).hash());
    if (expected != null && !expected.equals(address)) {
      return refused(new ContentFault.Mismatch(expected, address));
    }
    AddressKey key = AddressKey.of(address);
    if (catalogue.sound(key) != null) {
      return new PutResult.Stored(address, length, false);
    }
    var reply = new Reply<PutResult>(scope.time());
    ContentFault fault = ask(new Commit.Small(key, bytes, length, reply));
    return fault == null ? answer(reply) : refused(fault);
  }

  private PutResult putLarge(@Nullable Address expected, byte[] first, int length, InputStream in)
      throws IOException, InterruptedException {
    if (expected != null && catalogue.sound(AddressKey.of(expected)) != null) {
      return switch (new StreamedPut(null, config.objectBytesMax()).take(first, length, in)) {
        case Outcome.Refused(ContentFault fault) -> refused(fault);
        case Outcome.Taken(Address actual, long size) ->
            actual.equals(expected)
                ? new PutResult.Stored(expected, size, false)
                : refused(new ContentFault.Mismatch(expected, actual));
      };
    }
    if (!(idle.receive(Deadline.current()) instanceof Received.Item<Lane>(Lane lane))) {
      return refused(new ContentFault.Busy("streams being written", config.lanesMax()));
    }
    Commit.Large ask = null;
    try {
      lane.ready();
    } catch (IOException e) {
      idle.trySend(lane);
      return refused(DiskTrouble.fault(e));
    }
    var reply = new Reply<PutResult>(scope.time());
    try {
      switch (new StreamedPut(lane, config.objectBytesMax()).take(first, length, in)) {
        case Outcome.Refused(ContentFault fault) -> {
          return refused(fault);
        }
        case Outcome.Taken(Address actual, long size) -> {
          if (expected != null && !expected.equals(actual)) {
            return refused(new ContentFault.Mismatch(expected, actual));
          }
          ask = new Commit.Large(AddressKey.of(actual), size, lane, idle, reply);
        }
      }
    } finally {
      if (ask == null) {
        idle.trySend(lane);
      }
    }
    ContentFault fault = ask(ask);
    if (fault != null) {
      ask.refuse(fault);
    }
    return answer(reply);
  }

  private PutResult answer(Reply<PutResult> reply) throws InterruptedException {
    PutResult result = reply.await(Deadline.current());
    return result != null ? result : refused(new ContentFault.Late("the put"));
  }

  private static PutResult refused(ContentFault fault) {
    return new PutResult.Refused(fault);
  }

  /** Null if the ask is in the queue, and will be answered. */
  private @Nullable ContentFault ask(Commit ask) throws InterruptedException {
    return switch (asks.send(ask, Deadline.current())) {
      case SendResult.Sent _ -> null;
      case SendResult.Full(_, int capacity) -> new ContentFault.Busy("waiting commits", capacity);
      case SendResult.Closed _ -> new ContentFault.Closed();
    };
  }

  @Override
  public OpenResult open(Address address, long offset, long length) {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(length + " bytes from " + offset);
    }
    try {
      while (true) {
        Entry entry = catalogue.index().visible(AddressKey.of(address));
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
              new SegmentReader(catalogue, verified, lease, entry, offset, end));
        }
        // Compaction moved it between the two looks; the index knows where to.
      }
    } catch (IOException e) {
      return new OpenResult.Refused(DiskTrouble.fault(e));
    }
  }

  @Override
  public Optional<ContentStat> stat(Address address) {
    Entry entry = catalogue.index().visible(AddressKey.of(address));
    return Optional.ofNullable(entry).map(found -> new ContentStat(address, found.length()));
  }

  @Override
  public DeleteResult delete(Address address) throws InterruptedException {
    AddressKey key = AddressKey.of(address);
    if (catalogue.index().visible(key) == null) {
      return new DeleteResult.Refused(new ContentFault.NotFound(address));
    }
    var reply = new Reply<DeleteResult>(scope.time());
    ContentFault fault = ask(new Commit.Delete(key, reply));
    DeleteResult result = fault == null ? reply.await(Deadline.current()) : null;
    if (result != null) {
      return result;
    }
    return new DeleteResult.Refused(fault != null ? fault : new ContentFault.Late("the delete"));
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
    long free;
    try {
      free = scope.disk().freeBytes(config.folder());
    } catch (IOException _) {
      free = 0; // a disk that cannot say takes nothing either
    }
    long used = catalogue.segments().all().stream().mapToLong(Segment::end).sum();
    return new Space(catalogue.index().objects(), catalogue.index().objectBytes(), used, free);
  }

  /** How the start went. */
  public Recovery.Report report() {
    return report;
  }

  /** Ends the segments in order and writes a snapshot, so that the next start is fast. */
  @Override
  public void close() throws IOException {
    asks.close();
    for (Lane lane : lanes) {
      if (lane.isFilling()) {
        lane.seal();
      }
    }
    try {
      Snapshot.write(scope.disk(), config.folder(), catalogue);
    } finally {
      catalogue.segments().close();
    }
  }

  private Lane lane() {
    var lane = new Lane(catalogue.segments(), config.segmentBytes());
    lanes.add(lane);
    return lane;
  }
}
