package dev.ron.mailbox.api;

import dev.ron.http.json.Field;
import dev.ron.mailbox.core.Command;
import java.time.Duration;

/** {@code POST /v1/nack}: the message was not handled and shall come again, later or at last. */
final class Nack {
  private static final String OP = "nack";
  private static final int REASON_CHARS_MAX = 500;
  private static final long DELAY_MILLIS_MAX = Duration.ofDays(1).toMillis();

  private Nack() {}

  static Settle on(MailboxContext context) {
    return Settle.of(
        context,
        OP,
        (caller, id, form) ->
            new Command.Nack(
                id,
                MailboxContext.receipt(form),
                form.has("reason") ? form.text("reason") : "nack",
                form.has("delay_ms") ? form.number("delay_ms") : null,
                context.rights().reach(caller, OP)),
        MailboxContext.RECEIPT,
        MailboxContext.plain("reason", REASON_CHARS_MAX).optional(),
        Field.number("delay_ms", 0, DELAY_MILLIS_MAX).optional());
  }
}
