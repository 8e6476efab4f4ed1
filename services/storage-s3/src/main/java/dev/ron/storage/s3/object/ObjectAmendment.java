package dev.ron.storage.s3.object;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;

/**
 * A change of a version's tags, grants or lock, as all its verbs ask for it and answer it.
 *
 * <p>Threading: stateless.
 */
public final class ObjectAmendment {
  private ObjectAmendment() {}

  /** Refuses one of a version that is not there. */
  public static NameCommand.AmendObject command(S3Call call, NameCommand.Amendment amendment)
      throws Refusal {
    Bucket bucket = call.bucket();
    FoundVersion.of(call, bucket);
    return new NameCommand.AmendObject(
        bucket.id(),
        bucket.name(),
        call.key(),
        call.version(),
        amendment,
        call.context().nowMillis());
  }

  public static Answer answer(int status, NameOutcome.Stored stored) {
    var headers = new Headers(1);
    if (stored.versioned()) {
      headers.add("x-amz-version-id", stored.version().versionId());
    }
    return new Answer(status, headers, Body.Bytes.NONE);
  }
}
