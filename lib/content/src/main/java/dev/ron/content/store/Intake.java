package dev.ron.content.store;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.HashTree;
import dev.ron.content.AddressKey;
import dev.ron.content.ContentFault;
import dev.ron.content.DeleteResult;
import dev.ron.content.PutResult;
import dev.ron.content.segment.AppendLane;
import dev.ron.content.segment.DiskFailure;
import dev.ron.content.store.StreamedPut.Outcome;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.ReceiveOutcome;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.Time;
import dev.ron.kernel.trace.WaitSpans;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Takes streams in, hashes them on the caller's thread, and asks the group commit for the rest.
 *
 * <p>An object of one group is held in memory until it is written with others; a longer one is
 * written to a lane of its own as it comes, a group at a time.
 *
 * <p>Threading: thread-safe.
 */
final class Intake {
  private static final WaitSpans.Names SPANS = new WaitSpans.Names("store queue", "store commit");

  /** A first look at a stream; most objects are smaller and need no second buffer. */
  private static final int LOOK_BYTES = 8 << 10;

  private final SegmentConfig config;
  private final ContentCatalogue catalogue;
  private final Channel<CommitRequest> asks;
  private final Channel<AppendLane> idle;
  private final Time time;

  Intake(
      SegmentConfig config,
      ContentCatalogue catalogue,
      Channel<CommitRequest> asks,
      Channel<AppendLane> idle,
      Time time) {
    this.config = config;
    this.catalogue = catalogue;
    this.asks = asks;
    this.idle = idle;
    this.time = time;
  }

  /**
   * @param anew whether it is written also where it is there already
   */
  PutResult put(@Nullable Address expected, InputStream in, boolean anew)
      throws IOException, InterruptedException {
    byte[] first = in.readNBytes(LOOK_BYTES);
    int length = first.length;
    if (length == LOOK_BYTES) {
      byte[] longer = new byte[HashTree.GROUP_BYTES + 1];
      System.arraycopy(first, 0, longer, 0, length);
      first = longer;
      length += in.readNBytes(first, length, first.length - length);
    }
    if (length > config.objectBytesMax()) {
      return refused(new ContentFault.TooLarge(config.objectBytesMax()));
    }
    if (length <= HashTree.GROUP_BYTES) {
      return putSmall(expected, first, length, anew);
    }
    return expected != null && !anew && catalogue.sound(AddressKey.of(expected)) != null
        ? check(expected, first, length, in)
        : putLarge(expected, first, length, in, anew);
  }

  private PutResult putSmall(@Nullable Address expected, byte[] bytes, int length, boolean anew)
      throws InterruptedException {
    var address = new Address(new Blake3Hasher().update(bytes, 0, length).hash());
    if (expected != null && !expected.equals(address)) {
      return refused(new ContentFault.Mismatch(expected, address));
    }
    AddressKey key = AddressKey.of(address);
    if (!anew && catalogue.sound(key) != null) {
      return new PutResult.Stored(address, length, false);
    }
    var reply = new Reply<PutResult>(time, WaitSpans.of(SPANS));
    ContentFault fault = ask(new CommitRequest.Small(key, bytes, length, anew, reply));
    return fault == null ? answer(reply) : refused(fault);
  }

  /** The object is there: only looks whether the caller sent the same. */
  private PutResult check(Address expected, byte[] first, int length, InputStream in)
      throws IOException {
    return switch (new StreamedPut(null, config.objectBytesMax()).take(first, length, in)) {
      case Outcome.Refused(ContentFault fault) -> refused(fault);
      case Outcome.Taken(Address actual, long size) ->
          actual.equals(expected)
              ? new PutResult.Stored(expected, size, false)
              : refused(new ContentFault.Mismatch(expected, actual));
    };
  }

  private PutResult putLarge(
      @Nullable Address expected, byte[] first, int length, InputStream in, boolean anew)
      throws IOException, InterruptedException {
    if (!(idle.receive(Deadline.current())
        instanceof ReceiveOutcome.Item<AppendLane>(AppendLane lane))) {
      return refused(new ContentFault.Busy("streams being written", config.lanesMax()));
    }
    Outcome outcome = new Outcome.Refused(new ContentFault.Closed());
    try {
      outcome = stream(lane, expected, first, length, in);
    } finally {
      if (outcome instanceof Outcome.Refused) {
        idle.trySend(lane);
      }
    }
    return switch (outcome) {
      case Outcome.Refused(ContentFault fault) -> refused(fault);
      case Outcome.Taken(Address address, long size) -> {
        var reply = new Reply<PutResult>(time, WaitSpans.of(SPANS));
        var ask = new CommitRequest.Large(AddressKey.of(address), size, anew, lane, idle, reply);
        ContentFault fault = ask(ask);
        if (fault != null) {
          ask.refuse(fault);
        }
        yield answer(reply);
      }
    };
  }

  private Outcome stream(
      AppendLane lane, @Nullable Address expected, byte[] first, int length, InputStream in)
      throws IOException {
    try {
      lane.ready();
    } catch (IOException e) {
      return new Outcome.Refused(DiskFailure.fault(e));
    }
    Outcome outcome = new StreamedPut(lane, config.objectBytesMax()).take(first, length, in);
    return expected != null
            && outcome instanceof Outcome.Taken(Address actual, _)
            && !actual.equals(expected)
        ? new Outcome.Refused(new ContentFault.Mismatch(expected, actual))
        : outcome;
  }

  DeleteResult delete(Address address) throws InterruptedException {
    AddressKey key = AddressKey.of(address);
    if (catalogue.index().visible(key) == null && !catalogue.isDoubtful()) {
      return new DeleteResult.Refused(new ContentFault.NotFound(address));
    }
    var reply = new Reply<DeleteResult>(time, WaitSpans.of(SPANS));
    ContentFault fault = ask(new CommitRequest.Delete(key, reply));
    if (fault != null) {
      return new DeleteResult.Refused(fault);
    }
    DeleteResult result = awaited(reply);
    return result != null ? result : new DeleteResult.Refused(new ContentFault.Late("the delete"));
  }

  /** Null if the time for it is over; what was asked for may still happen. */
  private <T> @Nullable T awaited(Reply<T> reply) throws InterruptedException {
    T result = null;
    try {
      result = reply.await(flushed());
      return result;
    } finally {
      if (result == null) {
        catalogue.doubtful();
      }
    }
  }

  private PutResult answer(Reply<PutResult> reply) throws InterruptedException {
    PutResult result = awaited(reply);
    return result != null ? result : refused(new ContentFault.Late("the put"));
  }

  /** A flush that hangs is waited for no longer than its limit, however long the request has. */
  private Deadline flushed() {
    return Deadline.current().earlier(Deadline.in(config.commitLimit(), time));
  }

  private static PutResult refused(ContentFault fault) {
    return new PutResult.Refused(fault);
  }

  /** Null if the ask is in the queue, and will be answered. */
  private @Nullable ContentFault ask(CommitRequest ask) throws InterruptedException {
    return switch (asks.send(ask, Deadline.current())) {
      case SendResult.Sent _ -> null;
      case SendResult.Full(_, int capacity) -> new ContentFault.Busy("waiting commits", capacity);
      case SendResult.Closed _ -> new ContentFault.Closed();
    };
  }
}
