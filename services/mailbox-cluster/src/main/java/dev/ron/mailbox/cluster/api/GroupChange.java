package dev.ron.mailbox.cluster.api;

import dev.ron.http.Refusal;
import dev.ron.mailbox.MailboxFault;
import java.io.IOException;

/**
 * A verb that changes what the groups are made of, which they agree on or not.
 *
 * <p>Threading: immutable.
 */
interface GroupChange<Q> extends GroupVerb<Q, GroupChange.Reply> {
  record Reply(boolean ok) {}

  /** Has the groups agree; fails if they do not. */
  void change(Q request) throws IOException, InterruptedException;

  @Override
  default Reply handle(Q request) throws Refusal, InterruptedException {
    try {
      change(request);
      return new Reply(true);
    } catch (IOException failed) {
      throw Refusal.of(
          new MailboxFault.Unavailable("the groups did not agree: " + failed.getMessage()));
    }
  }
}
