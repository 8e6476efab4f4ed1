package dev.ron.storage.s3.upload;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.checksum.ChecksumValue;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.encryption.ContentKey;
import dev.ron.storage.s3.object.CopyKey;
import dev.ron.storage.s3.object.CopySource;
import dev.ron.storage.s3.object.FoundVersion;
import dev.ron.storage.s3.object.NamedBody;
import dev.ron.storage.s3.object.RequestEncryption;
import dev.ron.storage.s3.object.SharedBody;
import dev.ron.storage.s3.object.SourceRange;
import dev.ron.storage.s3.xml.XmlTime;
import dev.ron.storage.s3.xml.XmlWriter;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes a part of an upload of bytes that are stored already; they stay where they are.
 *
 * <p>Threading: stateless.
 */
public record CopyUploadPart() implements S3Verb<CopyUploadPart.Request, CopyUploadPart.Reply> {
  /**
   * @param range as the request says it
   */
  public record Request(
      S3Call call,
      OpenUpload open,
      int number,
      CopySource source,
      Optional<String> range,
      @Nullable ContentKey key) {}

  /** The part, and what it was made of. */
  public record Reply(
      Request request,
      UploadPart part,
      @Nullable ChecksumAlgorithm algorithm,
      FoundVersion source) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    int number = OpenUpload.partNumber(call);
    OpenUpload open = OpenUpload.of(call);
    return new Request(
        call,
        open,
        number,
        CopySource.of(call),
        call.field(S3Call.COPY_SOURCE + "-range"),
        open.key(call));
  }

  @Override
  public Reply handle(Request request) throws IOException, InterruptedException {
    S3Call call = request.call();
    ChecksumAlgorithm algorithm = UploadChecksum.algorithm(request.open().upload().checksum());
    SharedBody shared =
        SharedBody.take(
            call,
            request.source(),
            version ->
                request.range().isPresent()
                    ? SourceRange.of(request.range().get(), version)
                    : SourceRange.whole(version),
            CopyKey.of(request.key()),
            algorithm);
    UploadPart part;
    boolean ready = false;
    try {
      part = part(request, shared, shared.sums(call, algorithm));
      ready = true;
    } finally {
      if (!ready) {
        shared.body().unpin();
      }
    }
    NamedBody.give(
        call,
        shared.body(),
        PutUploadPart.command(request.open(), part),
        request.open().upload().owner(),
        part.sizeBytes());
    return new Reply(request, part, algorithm, shared.source());
  }

  private static UploadPart part(Request request, SharedBody shared, SharedBody.SourceSums sums) {
    ChecksumValue checksum = sums.checksum();
    return new UploadPart(
        request.number(),
        shared.body().sizeBytes(),
        request.open().tag(sums.requireMd5(), request.key()),
        request.call().context().nowMillis(),
        checksum == null ? null : checksum.base64(),
        shared.body().content());
  }

  @Override
  public Answer write(Reply reply) {
    UploadPart part = reply.part();
    XmlWriter xml =
        XmlWriter.document("CopyPartResult")
            .text("LastModified", XmlTime.of(part.modifiedMillis()))
            .text("ETag", '"' + part.md5() + '"');
    if (reply.algorithm() != null && part.checksum() != null) {
      xml.text("Checksum" + reply.algorithm(), part.checksum());
    }
    Headers headers = Headers.of("Content-Type", "application/xml");
    CopySource.addVersion(headers, reply.source());
    RequestEncryption.add(
        headers, reply.request().call(), reply.request().open().upload().encryption());
    return new Answer(200, headers, new Body.Bytes(xml.bytes()));
  }
}
