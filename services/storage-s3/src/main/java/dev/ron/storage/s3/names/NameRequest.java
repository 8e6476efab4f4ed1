package dev.ron.storage.s3.names;

import dev.ron.kernel.time.Reply;
import dev.ron.storage.s3.S3Fault;
import java.util.Optional;

/**
 * A command on its way into the log, and where its outcome goes; empty if that cannot be told.
 *
 * <p>Threading: immutable; the reply is thread-safe.
 *
 * @param since up to where in the log the rows were that its request saw first; blocks that it
 *     names were stored or found after that
 * @param known runs once when the outcome is known, before that is told, whether it is still waited
 *     for or not; never if the outcome cannot be told
 */
public record NameRequest(
    NameCommand command, long since, Reply<Optional<NameOutcome>> reply, Runnable known) {
  public void answer(NameOutcome outcome) {
    if (reply.now() == null) {
      known.run();
    }
    reply.answer(Optional.of(outcome));
  }

  /** For a command that is not in the log and never will be. */
  public void refuse(S3Fault fault) {
    answer(new NameOutcome.Refused(fault));
  }

  /** The log may have it, and then the next start does it. */
  public void lose() {
    reply.answer(Optional.empty());
  }
}
