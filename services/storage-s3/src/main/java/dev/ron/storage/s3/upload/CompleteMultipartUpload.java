package dev.ron.storage.s3.upload;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.MultipartUpload.ChecksumPlan;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.object.ObjectFields;
import dev.ron.storage.s3.object.RequestConditions;
import dev.ron.storage.s3.object.RequestEncryption;
import dev.ron.storage.s3.xml.XmlWriter;
import java.io.IOException;
import java.util.Optional;

/**
 * Makes an object of the parts of an upload, whose bytes stay where they are.
 *
 * <p>Who asks again for what was done hears the same answer again. Of two that name other parts the
 * first has the upload, and for the second it is gone: the object is not the one it asked for.
 *
 * <p>Threading: immutable.
 */
public record CompleteMultipartUpload(Names names)
    implements S3Verb<CompleteMultipartUpload.Request, CompleteMultipartUpload.Reply> {
  /** The largest object. */
  private static final long BYTES_MAX = 5L << 40;

  /** What the client says of parts and object. */
  public record Request(
      S3Call call,
      Bucket bucket,
      Uid upload,
      PartList parts,
      ObjectClaim claim,
      WriteCondition condition) {}

  /** The object. */
  public record Reply(Request request, NameOutcome.Stored stored) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT;
  }

  @Override
  public Request parse(S3Call call) throws IOException {
    PartList parts = PartList.read(call.documentAboutObject());
    return new Request(
        call,
        call.bucket(),
        OpenUpload.id(call),
        parts,
        ObjectClaim.of(call),
        RequestConditions.ofWrite(call));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    S3Call call = request.call();
    NameView view = names.view();
    Optional<MultipartUpload> upload =
        view.upload(request.bucket().id(), call.key(), request.upload());
    return upload.isPresent()
        ? new Reply(request, complete(request, upload.get()))
        : new Reply(request, again(request));
  }

  private NameOutcome.Stored again(Request request) throws Refusal {
    ObjectVersion version =
        names
            .view()
            .completed(request.bucket().id(), request.call().key(), request.upload())
            .orElseThrow(() -> OpenUpload.absent(request.call()));
    if (!version.etag().equals(request.parts().entityTag())) {
      throw OpenUpload.absent(request.call());
    }
    return new NameOutcome.Stored(version, request.bucket().versioning() != Bucket.Versioning.OFF);
  }

  private NameOutcome.Stored complete(Request request, MultipartUpload upload)
      throws Refusal, InterruptedException {
    S3Call call = request.call();
    RequestEncryption.openUpload(call, upload.encryption());
    ChecksumPlan plan = upload.checksum();
    PartSummary object =
        PartSummary.of(request.parts(), number -> names.view().part(upload.id(), number), plan);
    if (object.sizeBytes() > BYTES_MAX) {
      throw Refusal.of(new S3Fault.EntityTooLarge(BYTES_MAX));
    }
    request.claim().require(object, Optional.ofNullable(plan));
    return (NameOutcome.Stored)
        names.changed(
            new NameCommand.CompleteUpload(
                request.bucket().id(),
                request.bucket().name(),
                call.key(),
                upload.id(),
                object.parts(),
                object.md5(),
                object.checksum(),
                request.condition(),
                call.context().secrets().nextLong(),
                call.context().nowMillis()));
  }

  @Override
  public Answer write(Reply reply) {
    S3Call call = reply.request().call();
    ObjectVersion version = reply.stored().version();
    String bucket = reply.request().bucket().name().text();
    XmlWriter xml =
        XmlWriter.document("CompleteMultipartUploadResult")
            .text("Location", location(call))
            .text("Bucket", bucket)
            .text("Key", call.key().toString())
            .text("ETag", version.etag().quoted());
    if (version.checksum() != null) {
      ObjectFields.write(xml, version.checksum());
    }
    Headers headers = Headers.of("Content-Type", "application/xml");
    RequestEncryption.add(headers, call, version.encryption());
    if (reply.stored().versioned()) {
      headers.add("x-amz-version-id", version.versionId());
    }
    return new Answer(200, headers, new Body.Bytes(xml.bytes()));
  }

  private static String location(S3Call call) {
    String scheme = call.isSecure() ? "https://" : "http://";
    return scheme + call.exchange().head().authority() + call.exchange().head().rawPath();
  }
}
