package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import java.util.List;

/**
 * What shall happen, and what is told once it has.
 *
 * <p>Threading: immutable.
 */
public record Decision(List<Fact> facts, Outcome outcome) {
  public Decision {
    facts = List.copyOf(facts);
  }

  static Decision of(Outcome outcome, Fact... facts) {
    return new Decision(List.of(facts), outcome);
  }

  static Decision refused(MailboxFault fault) {
    return of(new Outcome.Refused(fault));
  }
}
