package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.Fact;
import java.util.List;

/**
 * What shall happen, and what is told once it has.
 *
 * <p>Threading: immutable.
 */
public record ShardDecision(List<Fact> facts, Outcome outcome) {
  public ShardDecision {
    facts = List.copyOf(facts);
  }

  static ShardDecision of(Outcome outcome, Fact... facts) {
    return new ShardDecision(List.of(facts), outcome);
  }

  static ShardDecision refused(MailboxFault fault) {
    return of(new Outcome.Refused(fault));
  }
}
