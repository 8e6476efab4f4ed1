package dev.ron.storage.s3.upload;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.checksum.ChecksumValue;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.BodyDigest;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.block.BodyWriter;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.encryption.ContentKey;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.object.NamedBody;
import dev.ron.storage.s3.object.PutObject;
import dev.ron.storage.s3.object.RequestEncryption;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores a part of an upload; the last one of its number counts.
 *
 * <p>Whether the upload is open is asked before the body is read, and again where the part gets its
 * name: it may be completed or aborted meanwhile.
 *
 * <p>Threading: stateless.
 */
public record PutUploadPart() implements S3Verb<PutUploadPart.Request, PutUploadPart.Reply> {
  /** What the fields say; the body is still to come. */
  public record Request(
      S3Call call,
      OpenUpload open,
      int number,
      long sizeBytes,
      @Nullable ChecksumAlgorithm algorithm,
      @Nullable ContentKey key) {}

  /**
   * @param checksum null if the request asked for none and the upload has none
   */
  public record Reply(Request request, String md5, @Nullable ChecksumValue checksum) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    int number = OpenUpload.partNumber(call);
    OpenUpload open = OpenUpload.of(call);
    ChecksumAlgorithm planned = UploadChecksum.algorithm(open.upload().checksum());
    Optional<ChecksumAlgorithm> announced = BodyDigest.announced(call);
    if (planned != null && announced.isPresent() && announced.get() != planned) {
      throw Refusal.of(
          new S3Fault.InvalidRequest(
              "Checksum Type mismatch occurred, expected checksum Type: %s, actual checksum Type: %s"
                  .formatted(lower(planned), lower(announced.get()))));
    }
    long sizeBytes = PutObject.sizeBytes(call);
    call.context().quota().require(open.upload().owner(), sizeBytes);
    return new Request(call, open, number, sizeBytes, planned, open.key(call));
  }

  private static String lower(ChecksumAlgorithm algorithm) {
    return algorithm.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Reply handle(Request request) throws IOException, InterruptedException {
    S3Call call = request.call();
    var digest = BodyDigest.with(call, request.algorithm());
    BodyWriter.StoredBody body =
        PutObject.receive(call, digest, request.sizeBytes(), request.key());
    ChecksumValue checksum = digest.value();
    var part =
        new UploadPart(
            request.number(),
            request.sizeBytes(),
            request.open().tag(digest.md5Hex(), request.key()),
            call.context().nowMillis(),
            request.algorithm() == null || checksum == null ? null : checksum.base64(),
            body.content());
    NamedBody.give(
        call,
        body,
        command(request.open(), part),
        request.open().upload().owner(),
        part.sizeBytes());
    return new Reply(request, part.md5(), checksum);
  }

  static NameCommand.PutPart command(OpenUpload open, UploadPart part) {
    return new NameCommand.PutPart(
        open.bucket().id(), open.bucket().name(), open.key(), open.upload().id(), part);
  }

  @Override
  public Answer write(Reply reply) {
    var headers = new Headers(4).add("ETag", '"' + reply.md5() + '"');
    ChecksumValue checksum = reply.checksum();
    if (checksum != null) {
      headers.add(checksum.algorithm().header(), checksum.base64());
    }
    RequestEncryption.add(
        headers, reply.request().call(), reply.request().open().upload().encryption());
    return new Answer(200, headers, Body.Bytes.NONE);
  }
}
