package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.TopicOwner;
import dev.ron.mailbox.core.message.Ulid;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which messages a caller may touch by their ids.
 *
 * <p>Another owner's message is to it as one that is not there.
 *
 * <p>Threading: immutable; {@code allowed} is thread-safe.
 *
 * @param allowed whether its capability allows a topic that it owns
 */
public record TopicReach(TopicOwner owner, Predicate<String> allowed) {
  public static final TopicReach ALL = new TopicReach(TopicOwner.OPERATOR, _ -> true);

  public boolean reaches(String topic) {
    return owner.owns(topic) && allowed.test(topic);
  }

  /** Why a message of a topic may not be touched; null if it may. */
  public @Nullable MailboxFault refusal(Ulid id, String topic) {
    if (!owner.owns(topic)) {
      return Shard.unknown(id);
    }
    return allowed.test(topic)
        ? null
        : new MailboxFault.CapScope("the capability does not reach the topic of this message");
  }
}
