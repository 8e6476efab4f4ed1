package dev.ron.storage.s3.acl;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import java.io.IOException;

/**
 * Replaces the access control list of a bucket.
 *
 * <p>Threading: immutable.
 */
public record PutBucketAcl(Names names) implements S3Verb<NameCommand.ChangeBucket, NameOutcome> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT_BUCKET_ACL;
  }

  @Override
  public NameCommand.ChangeBucket parse(S3Call call) throws IOException {
    Bucket bucket = call.bucket();
    Acl acl = AclDocument.asked(call, bucket, bucket.owner());
    return new NameCommand.ChangeBucket(bucket.id(), bucket.name(), null, acl, false);
  }

  @Override
  public NameOutcome handle(NameCommand.ChangeBucket command) throws Refusal, InterruptedException {
    return names.changed(command);
  }

  @Override
  public Answer write(NameOutcome outcome) {
    return Answer.empty(200);
  }
}
