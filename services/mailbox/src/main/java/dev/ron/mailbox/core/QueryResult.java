package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;

/** What became of a look. */
public sealed interface QueryResult<T> {
  record Seen<T>(T value) implements QueryResult<T> {}

  record Refused<T>(MailboxFault fault) implements QueryResult<T> {}
}
