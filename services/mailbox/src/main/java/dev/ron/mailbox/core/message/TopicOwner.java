package dev.ron.mailbox.core.message;

import dev.ron.blake3.Blake3;
import dev.ron.capability.caveat.Owner;
import dev.ron.mailbox.core.queue.QueueTopic;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Whose topics a caller reaches: an {@link Owner}, to whom its account's queues belong too.
 *
 * <p>The only place that knows how a topic's name says whose it is. Whatever holds messages knows a
 * topic by the name that it is kept under; a caller is asked and shown through this.
 *
 * <p>Threading: immutable.
 */
public record TopicOwner(Owner owner) {
  public static final TopicOwner OPERATOR = new TopicOwner(Owner.OPERATOR);

  /** Bits of {@link #trace}: with a time they fit a word, and no word of them is negative. */
  public static final int TRACE_BITS = 15;

  public static TopicOwner of(Optional<String> tenant) {
    return new TopicOwner(Owner.of(tenant));
  }

  /** The name that a topic is kept under; empty if this caller may not say it so. */
  public Optional<String> kept(String said) {
    return QueueTopic.is(said)
        ? Optional.of(said)
        : owner.kept(said).filter(topic -> !QueueTopic.is(Owner.plain(topic)));
  }

  /** Whether this caller reaches a topic. */
  public boolean owns(String kept) {
    String tenant = owner.tenant();
    return tenant == null
        || (QueueTopic.is(kept) ? !QueueTopic.isForeign(kept, tenant) : owner.owns(kept));
  }

  /** The name that this caller knows a topic by. */
  public String shown(String kept) {
    return owner.shown(kept);
  }

  /** The same message, as this caller knows it. */
  public Message shown(Message message) {
    return message.named(owner.shown(message.topic()));
  }

  /**
   * What is left of a topic's owner when the message is gone: too little to name it, enough to tell
   * owners apart.
   */
  public static int trace(String kept) {
    if (!QueueTopic.is(kept)) {
      String mark = Owner.ofKept(kept).mark();
      return mark.isEmpty() ? 0 : hash(mark);
    }
    String[] parts = kept.split("/", -1);
    return hash(parts[parts.length - 2]);
  }

  /** Whether a topic that left this trace may have been this caller's. */
  public boolean left(int trace) {
    String tenant = owner.tenant();
    return tenant == null
        || trace == trace(owner.mark())
        || trace == hash(QueueTopic.accountOf(tenant));
  }

  private static int hash(String text) {
    int bits = ByteBuffer.wrap(Blake3.hash(text.getBytes(StandardCharsets.UTF_8)).bytes()).getInt();
    return 1 + Integer.remainderUnsigned(bits, (1 << TRACE_BITS) - 1);
  }

  /**
   * In place of a topic between machines: all topics of this owner, nothing for the operator. No
   * topic ends so, and a machine that does not know it finds none.
   */
  public String everything() {
    String tenant = owner.tenant();
    return tenant == null ? "" : "~" + tenant + "/";
  }

  /** The owner whose {@link #everything} it is; empty if it is a topic. */
  public static Optional<TopicOwner> ofEverything(String text) {
    return text.isEmpty()
        ? Optional.of(OPERATOR)
        : Optional.of(text)
            .filter(all -> all.endsWith("/"))
            .map(Owner::ofKept)
            .map(TopicOwner::new);
  }
}
