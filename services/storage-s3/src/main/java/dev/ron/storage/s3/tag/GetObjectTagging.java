package dev.ron.storage.s3.tag;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.object.FoundVersion;

/**
 * Shows the tags of a version; one without tags has an empty set.
 *
 * <p>Threading: stateless.
 */
public record GetObjectTagging() implements S3Verb<FoundVersion, FoundVersion> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.GET_OBJECT_TAGS;
  }

  @Override
  public FoundVersion parse(S3Call call) throws Refusal {
    return FoundVersion.of(call, call.bucket());
  }

  @Override
  public FoundVersion handle(FoundVersion found) {
    return found;
  }

  @Override
  public Answer write(FoundVersion found) {
    return found.document(TagDocument.write(found.version().tags()));
  }
}
