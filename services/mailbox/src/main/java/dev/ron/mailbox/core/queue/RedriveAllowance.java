package dev.ron.mailbox.core.queue;

import java.util.List;

/**
 * Which queues may name this one as the target of their dead letters.
 *
 * <p>Threading: immutable.
 *
 * @param sources topics, where the permission is by queue
 */
public record RedriveAllowance(Permission permission, List<String> sources) {
  public static final RedriveAllowance ANY = new RedriveAllowance(Permission.ALLOW_ALL, List.of());

  /** The name is what the journal keeps. */
  public enum Permission {
    ALLOW_ALL,
    DENY_ALL,
    BY_QUEUE
  }

  public RedriveAllowance {
    sources = List.copyOf(sources);
  }

  public boolean allows(String source) {
    return switch (permission) {
      case ALLOW_ALL -> true;
      case DENY_ALL -> false;
      case BY_QUEUE -> sources.contains(source);
    };
  }
}
