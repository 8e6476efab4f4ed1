package dev.ron.client;

import java.io.IOException;

/**
 * The mailbox said no.
 *
 * <p>A 429 and a 503 may be tried again, a send with the same {@code idem_key}.
 */
public final class MailboxRefusal extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;

  MailboxRefusal(int status, String problem) {
    super("the mailbox answered " + status + ": " + problem);
    this.status = status;
  }

  public int status() {
    return status;
  }
}
