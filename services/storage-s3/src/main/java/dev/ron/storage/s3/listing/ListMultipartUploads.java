package dev.ron.storage.s3.listing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Query;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.xml.XmlTime;
import dev.ron.storage.s3.xml.XmlWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Lists the uploads of a bucket that are open.
 *
 * <p>Threading: immutable.
 */
public record ListMultipartUploads(Names names)
    implements S3Verb<ListMultipartUploads.Request, ListMultipartUploads.Reply> {
  /** Where the page begins: behind a key, or behind one of its uploads. */
  public record Request(Bucket bucket, ListQuery query, String key, Optional<Uid> upload) {}

  /** A page. */
  public record Reply(Request request, UploadListing listing) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.LIST_UPLOADS;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    return request(call.bucket(), call.query());
  }

  static Request request(Bucket bucket, S3Query query) throws Refusal {
    String key = query.value("key-marker").orElse("");
    String marker = query.value("upload-id-marker").orElse("");
    Optional<Uid> upload = Optional.empty();
    // Without a key there is no order among uploads that it could be a place in.
    if (!key.isEmpty() && !marker.isEmpty()) {
      upload = Uid.parse(marker);
      if (upload.isEmpty() || ObjectKey.of(key).isEmpty()) {
        throw Refusal.of(new S3Fault.InvalidArgument("Invalid uploadId marker"));
      }
    }
    return new Request(bucket, ListQuery.of(query, "max-uploads"), key, upload);
  }

  @Override
  public Reply handle(Request request) throws IOException {
    ListRequest asked = request.query().after(request.key().getBytes(UTF_8));
    return new Reply(
        request, UploadListing.of(asked, names, request.bucket().id(), request.upload()));
  }

  @Override
  public Answer write(Reply reply) {
    Request request = reply.request();
    ListQuery query = request.query();
    UploadListing listing = reply.listing();
    XmlWriter xml =
        XmlWriter.document("ListMultipartUploadsResult")
            .text("Bucket", request.bucket().name().text())
            .text("KeyMarker", query.shown(request.key()))
            .text("UploadIdMarker", request.upload().map(Uid::toString).orElse(""));
    if (listing.isTruncated()) {
      xml.text("NextKeyMarker", query.shown(listing.lastKey()))
          .text("NextUploadIdMarker", listing.lastUpload());
    }
    xml.text("Prefix", query.shown(query.prefix()));
    if (!query.delimiter().isEmpty()) {
      xml.text("Delimiter", query.shown(query.delimiter()));
    }
    if (query.encoded()) {
      xml.text("EncodingType", "url");
    }
    xml.number("MaxUploads", query.max()).flag("IsTruncated", listing.isTruncated());
    for (UploadListing.Entry entry : listing.entries()) {
      switch (entry) {
        case UploadListing.Entry.Open open -> write(xml, query, open);
        case UploadListing.Entry.CommonPrefix(byte[] prefix) ->
            xml.begin("CommonPrefixes").text("Prefix", query.shown(prefix)).end();
      }
    }
    return Answer.bytes(200, "application/xml", xml.bytes());
  }

  private static void write(XmlWriter xml, ListQuery query, UploadListing.Entry.Open entry) {
    MultipartUpload upload = entry.upload();
    xml.begin("Upload")
        .text("Key", query.shown(entry.key().bytes()))
        .text("UploadId", upload.id().toString());
    for (String role : List.of("Initiator", "Owner")) {
      xml.begin(role).text("ID", upload.owner()).text("DisplayName", upload.owner()).end();
    }
    xml.text("StorageClass", "STANDARD").text("Initiated", XmlTime.of(upload.begunMillis()));
    if (upload.checksum() != null) {
      xml.text("ChecksumAlgorithm", upload.checksum().algorithm())
          .text("ChecksumType", upload.checksum().kind().name());
    }
    xml.end();
  }
}
