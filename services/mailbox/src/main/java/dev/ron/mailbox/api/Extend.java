package dev.ron.mailbox.api;

import dev.ron.mailbox.core.Command;

/** {@code POST /v1/extend}: the consumer needs more time, counted from now. */
final class Extend {
  private static final String OP = "extend";

  private Extend() {}

  static Settle on(MailboxContext context) {
    return Settle.of(
        context,
        OP,
        (caller, id, form) ->
            new Command.Extend(
                id,
                MailboxContext.receipt(form),
                context.visibilityMillis(form),
                context.rights().reach(caller, OP)),
        MailboxContext.RECEIPT,
        context.visibility());
  }
}
