package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.Envelope;
import java.util.List;

/** Result of a receive. */
public sealed interface ReceiveResult {
  /** Maybe none. */
  record Messages(List<Envelope> envelopes) implements ReceiveResult {
    public Messages {
      envelopes = List.copyOf(envelopes);
    }
  }

  record Refused(MailboxFault fault) implements ReceiveResult {}
}
