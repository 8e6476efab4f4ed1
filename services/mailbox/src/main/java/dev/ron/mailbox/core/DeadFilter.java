package dev.ron.mailbox.core;

import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant; what is null does not narrow.
 *
 * <p>Threading: immutable.
 *
 * @param after only those whose id comes after this one, for reading page by page
 */
public record DeadFilter(
    @Nullable Ulid id, @Nullable String topic, @Nullable DeathReason reason, @Nullable Ulid after) {
  public static final DeadFilter ALL = new DeadFilter(null, null, null, null);

  public static DeadFilter only(Ulid id) {
    return new DeadFilter(id, null, null, null);
  }

  boolean matches(Death death, String ofTopic) {
    return (id == null || id.equals(death.id()))
        && (topic == null || topic.equals(ofTopic))
        && (reason == null || reason == death.reason())
        && (after == null || death.id().compareTo(after) > 0);
  }
}
