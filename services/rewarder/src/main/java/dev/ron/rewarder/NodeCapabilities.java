package dev.ron.rewarder;

import dev.ron.config.value.Secret;
import java.util.function.Supplier;

/**
 * The capabilities that a node gives its rewarder, to show to the node's own storage and mailbox.
 *
 * <p>Asked for each request, because the node renews them: they are short-lived and follow its
 * keys.
 *
 * <p>Threading: thread-safe, as its parts are.
 */
public record NodeCapabilities(Supplier<String> storage, Supplier<String> mailbox) {
  /** For a rewarder that runs without a node. */
  public static final NodeCapabilities NONE = new NodeCapabilities(() -> "", () -> "");

  Supplier<String> orStorage(Secret configured) {
    return configured.isEmpty() ? storage : configured::reveal;
  }

  Supplier<String> orMailbox(Secret configured) {
    return configured.isEmpty() ? mailbox : configured::reveal;
  }
}
