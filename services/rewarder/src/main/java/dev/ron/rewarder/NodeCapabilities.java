package dev.ron.rewarder;

import dev.ron.config.value.Secret;
import java.util.function.Supplier;

/**
 * What the node of a rewarder lets it show to the node's own storage and mailbox.
 *
 * <p>Asked for each request, because the node renews them: they live shortly and follow its keys.
 *
 * <p>Threading: thread-safe, as its parts are.
 */
public record NodeCapabilities(Supplier<String> storage, Supplier<String> mailbox) {
  /** For a rewarder that stands alone. */
  public static final NodeCapabilities NONE = new NodeCapabilities(() -> "", () -> "");

  Supplier<String> orStorage(Secret configured) {
    return configured.isEmpty() ? storage : configured::reveal;
  }

  Supplier<String> orMailbox(Secret configured) {
    return configured.isEmpty() ? mailbox : configured::reveal;
  }
}
