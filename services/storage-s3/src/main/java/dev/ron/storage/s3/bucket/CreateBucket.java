package dev.ron.storage.s3.bucket;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Rights;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.ObjectOwnership;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.object.RequestAcl;
import dev.ron.storage.s3.xml.XmlReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Makes a bucket. One that is the caller's already is made again without a change.
 *
 * <p>Threading: immutable.
 */
public record CreateBucket(Names names, String region)
    implements S3Verb<NameCommand.CreateBucket, BucketName> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.CREATE_BUCKET;
  }

  @Override
  public NameCommand.CreateBucket parse(S3Call call) throws IOException {
    BucketName name =
        BucketName.of(call.target().bucket())
            .orElseThrow(() -> Refusal.of(new S3Fault.InvalidBucketName(call.target().bucket())));
    byte[] document = call.document();
    String location = "";
    if (document.length > 0) {
      location =
          XmlReader.read(document, "CreateBucketConfiguration")
              .text("LocationConstraint")
              .orElse("");
    }
    if (!location.isEmpty() && !location.equals(region)) {
      throw Refusal.of(new S3Fault.IllegalLocationConstraintException(location));
    }
    Acl acl = RequestAcl.of(call, call.owner(), call.owner());
    ObjectOwnership ownership = ownership(call, acl);
    if (!acl.isOnlyFor(call.owner())) {
      S3Rights.requireCapability(call, S3Action.PUT_BUCKET_ACL);
    }
    return new NameCommand.CreateBucket(
        name,
        call.owner(),
        "true".equalsIgnoreCase(call.header("x-amz-bucket-object-lock-enabled")),
        acl,
        location,
        ownership,
        call.context().nowMillis());
  }

  private static @Nullable ObjectOwnership ownership(S3Call call, Acl acl) throws Refusal {
    String text = call.header("x-amz-object-ownership");
    if (text == null) {
      return null;
    }
    ObjectOwnership ownership =
        ObjectOwnership.of(text)
            .orElseThrow(
                () -> Refusal.of(new S3Fault.InvalidArgument("x-amz-object-ownership = " + text)));
    if (ownership == ObjectOwnership.BUCKET_OWNER_ENFORCED && !acl.isOnlyFor(call.owner())) {
      throw Refusal.of(new S3Fault.InvalidBucketAclWithObjectOwnership(call.target().bucket()));
    }
    return ownership;
  }

  @Override
  public BucketName handle(NameCommand.CreateBucket command) throws Refusal, InterruptedException {
    NameOutcome outcome = names.change(command);
    if (outcome instanceof NameOutcome.Refused(S3Fault fault)
        && !(fault instanceof S3Fault.BucketAlreadyOwnedByYou)) {
      throw Refusal.of(fault);
    }
    return command.name();
  }

  @Override
  public Answer write(BucketName name) {
    return new Answer(200, new Headers(1).add("Location", "/" + name), Body.Bytes.NONE);
  }
}
