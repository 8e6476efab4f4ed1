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

  boolean matches(DeadLetter letter) {
    Message message = letter.message();
    return (id == null || id.equals(message.id()))
        && (topic == null || topic.equals(message.topic()))
        && (reason == null || reason == letter.reason())
        && (after == null || message.id().compareTo(after) > 0);
  }
}
