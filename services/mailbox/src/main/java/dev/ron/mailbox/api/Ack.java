package dev.ron.mailbox.api;

import dev.ron.mailbox.core.Command;

/** {@code POST /v1/ack}: the message was handled; final and idempotent. */
final class Ack {
  static final String OP = "ack";

  private Ack() {}

  static Settle on(MailboxContext context) {
    return Settle.of(
        context,
        OP,
        (caller, id, form) ->
            new Command.Ack(id, MailboxContext.receipt(form), context.rights().reach(caller, OP)),
        MailboxContext.RECEIPT);
  }
}
