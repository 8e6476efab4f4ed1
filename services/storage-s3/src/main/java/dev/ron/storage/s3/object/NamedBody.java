package dev.ron.storage.s3.object;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.block.BodyWriter;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;

/**
 * Gives a name to a body that is durable, and lets go of its blocks once it is known what came of
 * that.
 *
 * <p>Threading: stateless.
 */
public final class NamedBody {
  private NamedBody() {}

  /** To an object, whose version says whose it is. */
  public static NameOutcome give(
      S3Call call, BodyWriter.StoredBody body, NameCommand.PutObject command)
      throws Refusal, InterruptedException {
    return give(call, body, command, command.version().owner(), command.version().sizeBytes());
  }

  /**
   * The blocks are let go when it is known what came of it, also if the client is gone by then. If
   * that stays unknown they stay pinned: the name may still be given.
   *
   * @param owner for whom so many bytes are stored then
   */
  public static NameOutcome give(
      S3Call call, BodyWriter.StoredBody body, NameCommand command, String owner, long bytes)
      throws Refusal, InterruptedException {
    NameOutcome outcome;
    try (StoredQuota.Room _ = room(call, body, owner, bytes)) {
      outcome = call.context().names().change(command, body::unpin);
    }
    if (outcome instanceof NameOutcome.Refused(S3Fault fault)) {
      throw Refusal.of(fault);
    }
    return outcome;
  }

  private static StoredQuota.Room room(
      S3Call call, BodyWriter.StoredBody body, String owner, long bytes) throws Refusal {
    try {
      return call.context().quota().reserve(owner, bytes);
    } catch (Refusal full) {
      body.unpin();
      throw full;
    }
  }
}
