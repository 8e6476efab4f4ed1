package dev.ron.mailbox.task;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Envelope;
import java.util.List;

/** What became of a wish for messages. */
public sealed interface Handed {
  /** Maybe none. */
  record Messages(List<Envelope> envelopes) implements Handed {
    public Messages {
      envelopes = List.copyOf(envelopes);
    }
  }

  record Refused(MailboxFault fault) implements Handed {}
}
