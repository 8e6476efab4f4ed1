package dev.ron.storage.s3.upload;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.xml.XmlTime;
import dev.ron.storage.s3.xml.XmlWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the parts that an upload has so far.
 *
 * <p>Threading: immutable.
 */
public record ListParts(NameView view) implements S3Verb<ListParts.Request, ListParts.Reply> {
  private static final int MAX = 1000;

  /**
   * @param after the number that the page begins behind
   */
  public record Request(OpenUpload open, int after, int max) {}

  /** A page. */
  public record Reply(Request request, List<UploadPart> parts, boolean truncated) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.LIST_PARTS;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    return new Request(
        OpenUpload.of(call),
        call.query().number("part-number-marker", 0, 0, UploadPart.NUMBER_MAX),
        call.query().number("max-parts", MAX, 0, MAX));
  }

  @Override
  public Reply handle(Request request) {
    var parts = new ArrayList<UploadPart>();
    boolean[] truncated = new boolean[1];
    view.parts(
        request.open().upload().id(),
        part -> {
          if (part.number() > request.after()) {
            truncated[0] = parts.size() == request.max();
            if (!truncated[0]) {
              parts.add(part.withoutContent());
            }
          }
          return !truncated[0];
        });
    return new Reply(request, parts, truncated[0] && request.max() > 0);
  }

  @Override
  public Answer write(Reply reply) {
    Request request = reply.request();
    MultipartUpload upload = request.open().upload();
    XmlWriter xml =
        XmlWriter.document("ListPartsResult")
            .text("Bucket", request.open().bucket().name().text())
            .text("Key", request.open().key().toString())
            .text("UploadId", upload.id().toString())
            .number("PartNumberMarker", request.after());
    if (!reply.parts().isEmpty()) {
      xml.number("NextPartNumberMarker", reply.parts().getLast().number());
    }
    xml.number("MaxParts", request.max()).flag("IsTruncated", reply.truncated());
    if (upload.checksum() != null) {
      xml.text("ChecksumAlgorithm", upload.checksum().algorithm())
          .text("ChecksumType", upload.checksum().kind().name());
    }
    reply.parts().forEach(part -> write(xml, upload, part));
    for (String role : List.of("Initiator", "Owner")) {
      xml.begin(role).text("ID", upload.owner()).text("DisplayName", upload.owner()).end();
    }
    return Answer.bytes(200, "application/xml", xml.text("StorageClass", "STANDARD").bytes());
  }

  private static void write(XmlWriter xml, MultipartUpload upload, UploadPart part) {
    xml.begin("Part")
        .number("PartNumber", part.number())
        .text("LastModified", XmlTime.of(part.modifiedMillis()))
        .text("ETag", '"' + part.md5() + '"')
        .number("Size", part.sizeBytes());
    if (upload.checksum() != null && part.checksum() != null) {
      xml.text("Checksum" + upload.checksum().algorithm(), part.checksum());
    }
    xml.end();
  }
}
