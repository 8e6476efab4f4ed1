package dev.ron.mailbox.api;

import dev.ron.mailbox.core.Command;
import java.time.Duration;

/** {@code POST /v1/nack}: the message was not handled and shall come again, later or at last. */
final class Nack {
  private static final String OP = "nack";
  private static final int REASON_CHARS_MAX = 500;
  private static final long DELAY_MILLIS_MAX = Duration.ofDays(1).toMillis();

  private Nack() {}

  static Settle on(MailboxContext desk) {
    return new Settle(
        desk,
        OP,
        (caller, id, form) -> {
          String reason = form.textOrNull("reason");
          return new Command.Nack(
              id,
              MailboxContext.receipt(form),
              reason == null
                  ? "nack"
                  : MailboxContext.plain(reason, form.place("reason"), REASON_CHARS_MAX),
              form.numberOrNull("delay_ms", 0, DELAY_MILLIS_MAX),
              desk.rights().on(caller, OP));
        });
  }
}
