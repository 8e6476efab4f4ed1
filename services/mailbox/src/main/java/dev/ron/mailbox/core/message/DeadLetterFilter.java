package dev.ron.mailbox.core.message;

import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant; what is null does not narrow.
 *
 * <p>Threading: immutable.
 *
 * @param owner whose they are
 * @param after only those whose id comes after this one, for reading page by page
 */
public record DeadLetterFilter(
    TopicOwner owner,
    @Nullable Ulid id,
    @Nullable String topic,
    @Nullable DeadLetterReason reason,
    @Nullable Ulid after) {
  public static final DeadLetterFilter ALL =
      new DeadLetterFilter(TopicOwner.OPERATOR, null, null, null, null);

  public static DeadLetterFilter only(Ulid id) {
    return new DeadLetterFilter(TopicOwner.OPERATOR, id, null, null, null);
  }

  public boolean matches(DeadLetterEntry death, String ofTopic) {
    return owner.owns(ofTopic)
        && (id == null || id.equals(death.id()))
        && (topic == null || topic.equals(ofTopic))
        && (reason == null || reason == death.reason())
        && (after == null || death.id().compareTo(after) > 0);
  }
}
