package dev.ron.storage.s3.names;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.OwnWait;
import dev.ron.journal.Journal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.Time;
import dev.ron.kernel.trace.WaitSpans;
import dev.ron.ordered.KeyRange;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.RowCursor;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.UploadPart;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All names: buckets, objects and their versions, uploads.
 *
 * <p>A change that is answered is durable and seen by every request that begins after the answer,
 * on this machine and on others that keep the same log.
 *
 * <p>Threading: thread-safe.
 */
public final class Names {
  private static final WaitSpans.Names SPANS = new WaitSpans.Names("names queue", "names commit");

  private static final int COMMANDS_MAX = 4096;

  /** A transfer has no deadline, and a change that a failed loop had in hand gets no answer. */
  private static final Duration CHANGE_LIMIT = Duration.ofSeconds(30);

  /** Rows change in a moment, unless the disk is in trouble: then a request comes again. */
  private static final int READS_MAX = 50;

  private static final int READS_AT_ONCE = 3;

  /** Up to where the rows were when the request began. */
  private static final ScopedValue<Long> SINCE = ScopedValue.newInstance();

  private final OrderedStore store;
  private final ReadBarrier barrier;
  private final boolean alone;
  private final Time time;
  private final Channel<NameRequest> inbox;
  private final StoredRows rows;
  private final NameView view;
  private final RowMemory memory = new RowMemory();
  private final NameTable.@Nullable StoredVersions versions;

  /**
   * Waits until the rows of this machine have every change that was answered before the call, by
   * any machine.
   */
  @FunctionalInterface
  public interface ReadBarrier {
    void await() throws Refusal, InterruptedException;
  }

  /**
   * @param barrier what each request waits for before it reads
   */
  public Names(Scope scope, OrderedStore store, ReadBarrier barrier) {
    this(scope, store, barrier, false, null);
  }

  private Names(
      Scope scope,
      OrderedStore store,
      ReadBarrier barrier,
      boolean alone,
      NameTable.@Nullable StoredVersions versions) {
    this.versions = versions;
    this.store = store;
    this.alone = alone;
    this.barrier = barrier;
    this.time = scope.time();
    this.inbox =
        Channel.fair(
            scope, "names", COMMANDS_MAX, _ -> Payer.currentTenant(), _ -> 1, this::dropped);
    this.rows = new StoredRows(store, memory);
    this.view = new NameView(rows);
  }

  /** Another tenant needed its place more, or no task will take it. */
  private void dropped(NameRequest request) {
    String why = inbox.ended() ? "draining" : "too many changes at once";
    request.refuse(new S3Fault.SlowDown(why, S3Fault.REST));
  }

  /**
   * Brings the rows to where the log leads.
   *
   * @throws IOException if the two do not fit together; the message says what to do
   */
  public static Names open(Scope scope, Journal journal, OrderedStore store) throws IOException {
    return open(scope, journal, store, null);
  }

  /**
   * The same, and tells what the versions of each owner come to.
   *
   * @param kept null if that is not counted
   */
  public static Names open(
      Scope scope, Journal journal, OrderedStore store, @Nullable ByteSeconds kept)
      throws IOException {
    long next = journal.flushed().value().position();
    long applied = store.appliedIndex();
    if (applied + 1 < journal.first() || applied >= next) {
      throw new IOException(
          ("the rows of all names end at entry %d and the log has %d to %d: one of the two is from"
                  + " another time; bring both back from one backup")
              .formatted(applied, journal.first(), next - 1));
    }
    // An answered change is in the rows of a machine alone.
    var versions = kept == null ? null : new NameTable.StoredVersions(kept, scope.time());
    if (versions != null) {
      versions.load(store);
    }
    var names = new Names(scope, store, () -> {}, true, versions);
    names.loop(journal).recover();
    return names;
  }

  /** The task that makes changes by a journal; without it none is answered. */
  public NameLoop loop(Journal journal) {
    return new NameLoop(inbox, journal, applier());
  }

  /** What brings a log into the rows, for the one task that reads it. */
  public NameApplier applier() {
    return new NameApplier(store, memory, versions);
  }

  /** Changes that are asked for, in no log yet; for the one task that brings them there. */
  public Channel<NameRequest> inbox() {
    return inbox;
  }

  /** Runs a request that sees all changes which were answered before it began. */
  public <T> T fresh(Callable<T> request) throws Exception {
    barrier.await();
    return ScopedValue.where(SINCE, store.appliedIndex()).call(request::call);
  }

  /** Whether a change waits for this machine and no other. */
  public boolean isAlone() {
    return alone;
  }

  /** The rows as they are now. */
  public NameView view() {
    return view;
  }

  /** Something that is read of names. */
  @FunctionalInterface
  public interface Reading<T, X extends Exception> {
    T of(NameView view) throws X, Refusal;
  }

  /**
   * Reads what belongs together, such as a right and what it opens: as it was at one moment, and
   * again while it changes. Otherwise the list of one version would open the next, or a policy from
   * before a setting what that setting opens.
   */
  public <T, X extends Exception> T atOnce(Reading<T, X> reading)
      throws X, Refusal, InterruptedException {
    for (int reads = 1; reads <= READS_MAX; reads++) {
      RowMemory.Moment moment = memory.new Moment(rows);
      try {
        T read = reading.of(new NameView(moment));
        if (moment.isWhole()) {
          return read;
        }
      } catch (Refusal refusal) {
        if (moment.isWhole()) {
          throw refusal;
        }
      }
      if (reads > READS_AT_ONCE) {
        time.sleepUntil(time.now().plusMillis(1));
      }
    }
    throw Refusal.of(new S3Fault.SlowDown("names change too fast to be read", S3Fault.REST));
  }

  /**
   * The same of rows that are in memory, for an event loop; a row that is not is a {@link
   * NotInMemory}. Empty if a row changed, or a request must wait for other machines first.
   */
  public <T, X extends Exception> Optional<T> inMemory(Reading<T, X> reading) throws X, Refusal {
    if (!alone) {
      return Optional.empty();
    }
    RowMemory.Moment moment = memory.new Moment(new RememberedRows(memory));
    T read = reading.of(new NameView(moment));
    return moment.isWhole() ? Optional.of(read) : Optional.empty();
  }

  /** A row would have to be read. */
  public static final class NotInMemory extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** It is no failure, so it costs no stack trace. */
    NotInMemory() {
      super(null, null, false, false);
    }
  }

  /** A cursor over one snapshot of the rows, for listings; to be closed soon. */
  public RowCursor scan(KeyRange range) throws IOException {
    return store.scan(range);
  }

  /** The version in a row of objects or versions. */
  public static ObjectVersion version(byte[] row) {
    return RowCodec.version(row);
  }

  /** The upload in a row of uploads. */
  public static MultipartUpload upload(byte[] row) {
    return RowCodec.upload(row);
  }

  /** The part in a row of parts. */
  public static UploadPart part(byte[] row) {
    return RowCodec.part(row);
  }

  /** Changes names and answers when the change is durable. */
  public NameOutcome change(NameCommand command) throws Refusal, InterruptedException {
    return change(command, () -> {});
  }

  /**
   * The same of one that others wait for too, in their own way.
   *
   * @param known runs once when it is known what came of it, also if this wait is given up before
   */
  public NameOutcome change(NameCommand command, Runnable known)
      throws Refusal, InterruptedException {
    return changeAll(List.of(command), known).getFirst();
  }

  /** The same, with a refusal thrown. */
  public NameOutcome changed(NameCommand command) throws Refusal, InterruptedException {
    NameOutcome outcome = change(command);
    if (outcome instanceof NameOutcome.Refused(S3Fault fault)) {
      throw Refusal.of(fault);
    }
    return outcome;
  }

  /** Several changes that share a flush, each with an outcome of its own. */
  public List<NameOutcome> changeAll(List<NameCommand> commands)
      throws Refusal, InterruptedException {
    return changeAll(commands, () -> {});
  }

  /** In the tenant's turn: bodies are here by now, and what is left is the work of this node. */
  private List<NameOutcome> changeAll(List<NameCommand> commands, Runnable known)
      throws Refusal, InterruptedException {
    try (OwnWait _ = OwnWait.resumeIf(alone)) {
      return outcomes(asked(commands, known));
    }
  }

  private List<NameRequest> asked(List<NameCommand> commands, Runnable known) {
    var requests = new ArrayList<NameRequest>(commands.size());
    long since = SINCE.isBound() ? SINCE.get() : store.appliedIndex();
    for (NameCommand command : commands) {
      // They share a wait and a flush, which the first tells of.
      Reply.Steps steps = requests.isEmpty() ? WaitSpans.of(SPANS) : Reply.Steps.NONE;
      var request = new NameRequest(command, since, new Reply<>(time, steps), known);
      requests.add(request);
      if (!(inbox.trySend(request) instanceof SendResult.Sent)) {
        request.refuse(new S3Fault.SlowDown("too many changes at once", S3Fault.REST));
      }
    }
    return requests;
  }

  private List<NameOutcome> outcomes(List<NameRequest> requests)
      throws Refusal, InterruptedException {
    Deadline deadline = Deadline.in(CHANGE_LIMIT, time).earlier(Deadline.current());
    var outcomes = new ArrayList<NameOutcome>(requests.size());
    for (NameRequest request : requests) {
      outcomes.add(
          Optional.ofNullable(request.reply().await(deadline))
              .flatMap(answer -> answer)
              .orElseThrow(
                  () ->
                      Refusal.of(
                          new S3Fault.SlowDown(
                              "whether this was done is not known yet", S3Fault.REST))));
    }
    return outcomes;
  }

  private record RememberedRows(RowMemory memory) implements NameRows {
    @Override
    public Optional<byte[]> row(byte[] key) {
      throw new NotInMemory();
    }

    @Override
    public void scan(byte[] from, byte[] to, Predicate<Row> each) {
      throw new NotInMemory();
    }

    @Override
    public <T, X extends Exception> Optional<T> readKept(
        byte[] key, boolean absent, Reader<T, X> reader) {
      return memory.recall(key);
    }
  }

  private record StoredRows(OrderedStore store, RowMemory memory) implements NameRows {
    @Override
    public Optional<byte[]> row(byte[] key) {
      return NameTable.stored(store, key);
    }

    @Override
    public void scan(byte[] from, byte[] to, Predicate<Row> each) {
      NameTable.scanned(store, from, to, each);
    }

    @Override
    public <T, X extends Exception> Optional<T> readKept(
        byte[] key, boolean absent, Reader<T, X> reader) throws X {
      return memory.read(this, key, absent, reader);
    }
  }
}
