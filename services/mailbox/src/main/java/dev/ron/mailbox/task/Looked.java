package dev.ron.mailbox.task;

import dev.ron.mailbox.MailboxFault;

/** What became of a look. */
public sealed interface Looked<T> {
  record Seen<T>(T value) implements Looked<T> {}

  record Refused<T>(MailboxFault fault) implements Looked<T> {}
}
