package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.StoredMessage;

/**
 * Where messages lie whole; the index of a shard knows only the position of their record.
 *
 * <p>Threading: asked by the shard's loop.
 */
public interface MessageBodies {
  /** The message whose record has this position. */
  Read read(long position);

  /** What was found there. */
  sealed interface Read {
    record Found(StoredMessage stored) implements Read {}

    /** The record is not what was written; it never will be again. */
    record Damaged(MailboxFault.Integrity fault) implements Read {}
  }
}
