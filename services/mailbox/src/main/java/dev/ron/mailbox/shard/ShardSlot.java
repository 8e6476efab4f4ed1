package dev.ron.mailbox.shard;

import dev.ron.journal.Durability;
import dev.ron.journal.FlushPosition;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.metric.KernelMetrics;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.registry.ChannelRow;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.MailboxEvent;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.MessageBodies;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.TopicView;
import dev.ron.mailbox.core.state.ShardImage;
import dev.ron.mailbox.core.state.ShardLimits;
import dev.ron.mailbox.journal.JournalBodies;
import dev.ron.mailbox.journal.MailboxJournal;
import dev.ron.mailbox.quota.QueuedShare;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What stays of a shard when its loop fails: the inbox, who waits, and how far it had written.
 *
 * <p>A loop that threw may have left its shard in between two facts. The next loop therefore starts
 * from the journal, which knows each of them whole.
 *
 * <p>Threading: owned by the shard's loop, one at a time; the inbox and the figures are for all.
 */
public final class ShardSlot {
  /** More than a flush that is under way needs, less than a drain. */
  private static final Duration FLUSH_LIMIT = Duration.ofSeconds(2);

  private final Scope scope;
  private final int number;
  private final ShardLimits limits;
  private final MailboxLimits bounds;
  private final MailboxJournal journal;
  private final TopicShards topics;
  private final Broadcast<MailboxEvent> events;
  private final Channel<InboxItem> inbox;
  private final ArrayDeque<ShardRequest> taken = new ArrayDeque<>();
  final PendingReplies pendingReplies = new PendingReplies();
  final LongPolls polls;
  final LimitShare globalInflight;
  final LimitShare indexBytes;
  final LimitShare idemBytes;
  final QueuedShare queued;
  private final JournalBodies bodies;
  private Shard shard;
  private boolean used;
  private long appended;
  private long heard;
  private @Nullable ShardRequest inHand;
  private volatile ShardStats figures = ShardStats.NONE;

  public ShardSlot(
      Scope scope,
      int number,
      ShardLimits limits,
      MailboxLimits bounds,
      MailboxJournal journal,
      TopicShards topics,
      Broadcast<MailboxEvent> events) {
    this.scope = scope;
    this.number = number;
    this.limits = limits;
    this.bounds = bounds;
    this.journal = journal;
    this.topics = topics;
    this.events = events;
    this.bodies = new JournalBodies(journal.journal(), bounds.memoryBytes());
    this.shard = make(null);
    this.polls = new LongPolls(bounds.pollsMax());
    this.globalInflight = new LimitShare(bounds.globalInflight(), 0);
    this.indexBytes = new LimitShare(bounds.indexBytes(), 0);
    this.idemBytes = new LimitShare(bounds.idemBytes(), bounds.idemBytesOwn());
    this.queued = new QueuedShare(bounds.queued());
    this.inbox =
        Channel.fair(
            scope,
            "inbox-" + number,
            bounds.inboxMax(),
            _ -> Payer.currentTenant(),
            InboxItem::count,
            this::dropped);
    scope
        .registry()
        .channel(
            () ->
                new ChannelRow(
                    "ready-" + number,
                    "messages",
                    limits.capacity(),
                    "reject new",
                    figures.ready(),
                    0,
                    0),
            () -> 0);
  }

  /** Another tenant needed its place more, or there will be no loop to take it. */
  private void dropped(InboxItem ask) {
    ask.turnAway(
        inbox.ended()
            ? new MailboxFault.Unavailable("the mailbox has stopped")
            : new MailboxFault.Saturated(inbox.name(), inbox.capacity(), Duration.ofSeconds(1)));
  }

  /** A shard that was drained and has no slot any more; the journal still tells its end. */
  static Shard gone(int number, ShardLimits limits, @Nullable ShardImage image) {
    MessageBodies none =
        position -> {
          throw new IllegalStateException("shard " + number + " is gone");
        };
    return new Shard(number, limits, none, _ -> Optional.empty(), image);
  }

  /** A shard with this slot's limits and bodies. */
  public Shard make(@Nullable ShardImage image) {
    return new Shard(number, limits, bodies, topics.queues()::find, image);
  }

  /** The shard for a new loop: as recovered at start, or once more from the journal. */
  Shard take() {
    if (used) {
      unchecked(this::recoverAgain);
    }
    used = true;
    return shard;
  }

  private interface Recovery {
    void run() throws IOException, InterruptedException;
  }

  /** For the supervisor, which makes a loop anew when this fails. */
  private static void unchecked(Recovery recovery) {
    try {
      recovery.run();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped during recovery", stop);
    }
  }

  private void recoverAgain() throws IOException, InterruptedException {
    refuseBroken();
    Deadline deadline = Deadline.in(FLUSH_LIMIT, scope.time());
    if (!(journal.journal().await(appended, deadline) instanceof Durability.Durable)) {
      throw new IOException("the journal has not flushed what shard " + number + " wrote");
    }
    bodies.clear();
    recovered(journal.recover(number, (_, image) -> make(image)));
    events.publish(new MailboxEvent.Recovered(number, shard.living()));
  }

  /**
   * Forgets what may never have come to be: the shard as the journal has it, which has everything
   * that was heard of here.
   */
  public void recoverReplica() throws IOException, InterruptedException {
    Deadline deadline = Deadline.in(FLUSH_LIMIT, scope.time());
    if (!(journal.journal().await(heard, deadline) instanceof Durability.Durable)) {
      throw new IOException("the journal has not flushed what shard " + number + " heard");
    }
    bodies.clear();
    var reached = new AtomicLong();
    recovered(journal.recover(number, (_, image) -> make(image), reached));
    appended = reached.get();
  }

  /** For a new loop of a shard that several machines keep; true if there was one before. */
  public boolean takeReplica() {
    boolean again = used;
    if (again) {
      refuseBroken();
      pendingReplies.refuse("the shard failed and is being recovered");
      unchecked(this::recoverReplica);
      events.publish(new MailboxEvent.Recovered(number, shard.living()));
    } else {
      appended = journal.flushed().value().position();
      heard = appended;
    }
    used = true;
    return again;
  }

  /** How far this shard has heard what the machines agreed on, whether it was news or not. */
  public void heard(long next) {
    heard = next;
  }

  private void refuseBroken() {
    ShardRequest broken = inHand;
    inHand = null;
    if (broken != null) {
      broken.refuse(new MailboxFault.Unavailable("the shard failed and is being recovered"));
    }
  }

  /** Takes a shard that the journal led to. */
  public void recovered(Shard fresh) {
    shard = fresh;
    figures = ShardStats.of(shard);
    for (TopicView view : figures.topics()) {
      topics.has(view.topic(), number);
    }
    topics.queues().recovered(number, shard.queues());
    settle();
  }

  /** Tells the ceilings what is really used. */
  public void settle() {
    globalInflight.settle(shard.inFlightBeside());
    indexBytes.settle(shard.indexBytes());
    idemBytes.settle(shard.keyBytes());
    queued.settle(shard.ownerBytes());
  }

  /**
   * Gives the last answers; at the end of a drain. Waits for the disk only where an answer does: a
   * journal that flushes now and then would keep each shard waiting, and flushes at its own end.
   */
  void finish() throws InterruptedException {
    if (!pendingReplies.isEmpty()) {
      journal.journal().await(appended, Deadline.in(FLUSH_LIMIT, scope.time()));
    }
    answer(journal.flushed().value());
    refuse("the mailbox has stopped before the disk answered");
    dismissPolls();
  }

  /** Gives the answers that what is durable now allows. */
  public void answer(FlushPosition durable) {
    pendingReplies.answer(durable);
  }

  /** Refuses every answer that waits. */
  public void refuse(String why) {
    pendingReplies.refuse(why);
  }

  /** Answers the polls that wait here with nothing: they may ask again. */
  public void dismissPolls() {
    for (ShardRequest.Receive poll : polls.removeAll()) {
      if (poll.reply().claim()) {
        poll.reply().answer(new ReceiveResult.Messages(List.of()));
      }
    }
  }

  public Shard shard() {
    return shard;
  }

  JournalBodies bodies() {
    return bodies;
  }

  MailboxLimits bounds() {
    return bounds;
  }

  KernelMetrics counters() {
    return scope.counters();
  }

  Broadcast<MailboxEvent> events() {
    return events;
  }

  TopicShards topics() {
    return topics;
  }

  public int number() {
    return number;
  }

  public MailboxJournal journal() {
    return journal;
  }

  /** What was taken from the inbox and not begun; filled up to about {@code asks}. */
  public Queue<ShardRequest> take(int asks) {
    if (taken.size() >= asks) {
      return taken;
    }
    for (InboxItem each : inbox.receiveBatch(asks - taken.size())) {
      switch (each) {
        case ShardRequest ask -> taken.add(ask);
        case InboxItem.Batch(List<ShardRequest.Do> batch) -> taken.addAll(batch);
      }
    }
    return taken;
  }

  public Channel<InboxItem> inbox() {
    return inbox;
  }

  /** Puts it into the inbox, which turns it away if there is no room. */
  void offer(InboxItem ask) {
    switch (inbox.trySend(ask)) {
      case SendResult.Sent _ -> {}
      case SendResult.Full(String channel, int capacity) ->
          ask.turnAway(new MailboxFault.Saturated(channel, capacity, Duration.ofSeconds(1)));
      case SendResult.Closed _ ->
          ask.turnAway(new MailboxFault.Unavailable("the mailbox is shutting down"));
    }
  }

  void inHand(@Nullable ShardRequest ask) {
    inHand = ask;
  }

  public long appended() {
    return appended;
  }

  public void appended(long next) {
    appended = next;
  }

  /** Whether a move between queues was under way when the figures were taken. */
  public boolean hasMoves() {
    return figures.moves() > 0;
  }

  ShardStats figures() {
    return figures;
  }

  public void figures(ShardStats seen) {
    figures = seen;
  }
}
