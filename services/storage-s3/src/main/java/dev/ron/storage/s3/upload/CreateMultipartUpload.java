package dev.ron.storage.s3.upload;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.object.ObjectDraft;
import dev.ron.storage.s3.object.RequestEncryption;
import dev.ron.storage.s3.xml.XmlWriter;

/**
 * Begins an upload in parts.
 *
 * <p>Threading: immutable.
 */
public record CreateMultipartUpload(Names names)
    implements S3Verb<CreateMultipartUpload.Request, CreateMultipartUpload.Reply> {
  /** What was begun. */
  public record Reply(Request request, MultipartUpload upload) {}

  /** What is to be begun. */
  public record Request(S3Call call, NameCommand.CreateUpload command) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    Bucket bucket = call.bucket();
    ObjectDraft draft = ObjectDraft.of(call, bucket);
    var upload =
        new MultipartUpload(
            new Uid(0, call.context().secrets().nextLong()),
            draft.owner(),
            call.context().nowMillis(),
            UploadChecksum.plan(
                call.field(UploadChecksum.ALGORITHM), call.field(UploadChecksum.TYPE)),
            draft.fields(),
            draft.tags(),
            draft.acl(),
            draft.retention(),
            draft.legalHold(),
            call.context().keys().make(draft.encryption()).encryption());
    return new Request(
        call, new NameCommand.CreateUpload(bucket.id(), bucket.name(), call.key(), upload));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    var made = (NameOutcome.UploadMade) names.changed(request.command());
    return new Reply(request, made.upload());
  }

  @Override
  public Answer write(Reply reply) {
    XmlWriter xml =
        XmlWriter.document("InitiateMultipartUploadResult")
            .text("Bucket", reply.request().command().name().text())
            .text("Key", reply.request().command().key().toString())
            .text("UploadId", reply.upload().id().toString());
    Headers headers = Headers.of("Content-Type", "application/xml");
    UploadChecksum.add(headers, reply.upload().checksum());
    RequestEncryption.add(headers, reply.request().call(), reply.upload().encryption());
    return new Answer(200, headers, new Body.Bytes(xml.bytes()));
  }
}
