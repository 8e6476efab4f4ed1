package dev.ron.storage.s3.object;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Resource;
import dev.ron.storage.s3.api.S3Rights;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;

/**
 * Deletes a version, or hides an object behind a marker.
 *
 * <p>Threading: immutable.
 */
public record DeleteObject(Names names)
    implements S3Verb<NameCommand.DeleteObject, NameOutcome.Deleted> {
  @Override
  public S3Action action(S3Call call) {
    return call.query().has("versionId") ? S3Action.DELETE_VERSION : S3Action.DELETE;
  }

  @Override
  public NameCommand.DeleteObject parse(S3Call call) throws Refusal {
    return command(
        call,
        call.bucket(),
        call.key(),
        call.version(),
        RequestConditions.ofDelete(call),
        bypasses(call, S3Resource.of(call)));
  }

  static NameCommand.DeleteObject command(
      S3Call call,
      Bucket bucket,
      ObjectKey key,
      VersionRef version,
      WriteCondition condition,
      boolean bypasses) {
    return new NameCommand.DeleteObject(
        bucket.id(),
        bucket.name(),
        key,
        version,
        condition,
        call.owner(),
        bypasses,
        call.context().secrets().nextLong(),
        call.context().nowMillis());
  }

  /** Asked for, and allowed: the one without the other changes nothing. */
  public static boolean bypasses(S3Call call, S3Resource resource) throws Refusal {
    return "true".equalsIgnoreCase(call.header("x-amz-bypass-governance-retention"))
        && S3Rights.may(call, S3Action.BYPASS_GOVERNANCE, resource);
  }

  @Override
  public NameOutcome.Deleted handle(NameCommand.DeleteObject command)
      throws Refusal, InterruptedException {
    return (NameOutcome.Deleted) names.changed(command);
  }

  @Override
  public Answer write(NameOutcome.Deleted deleted) {
    var headers = new Headers(2);
    if (!deleted.versionId().isEmpty()) {
      headers.add("x-amz-version-id", deleted.versionId());
    }
    if (deleted.marker()) {
      headers.add("x-amz-delete-marker", "true");
    }
    return new Answer(204, headers, Body.Bytes.NONE);
  }
}
