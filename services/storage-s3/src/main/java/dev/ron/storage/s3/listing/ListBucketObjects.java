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
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.xml.XmlTime;
import dev.ron.storage.s3.xml.XmlWriter;
import java.io.IOException;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lists the objects of a bucket, in either version of the operation.
 *
 * <p>Threading: immutable.
 */
public record ListBucketObjects(Names names)
    implements S3Verb<ListBucketObjects.Request, ListBucketObjects.Reply> {
  /**
   * @param second whether it is version 2, with its tokens
   * @param from the marker, or what the listing begins behind
   * @param token the opaque continuation, null for none; an empty one is the first page's
   */
  public record Request(
      Bucket bucket,
      ListQuery query,
      boolean second,
      String from,
      @Nullable String token,
      boolean owners) {
    byte[] after() throws Refusal {
      if (token == null || token.isEmpty()) {
        return from.getBytes(UTF_8);
      }
      try {
        return Base64.getUrlDecoder().decode(token);
      } catch (IllegalArgumentException _) {
        throw Refusal.of(
            new S3Fault.InvalidArgument("The continuation token provided is incorrect"));
      }
    }
  }

  /** A page. */
  public record Reply(Request request, ObjectListing<ObjectVersion> listing) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.LIST;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    S3Query query = call.query();
    Optional<String> type = query.value("list-type");
    boolean second = type.isPresent();
    if (second && !type.get().equals("2")) {
      throw Refusal.of(new S3Fault.InvalidArgument("list-type = " + type.get() + ", must be 2"));
    }
    return new Request(
        call.bucket(),
        ListQuery.of(query, "max-keys"),
        second,
        query.value(second ? "start-after" : "marker").orElse(""),
        second ? query.value("continuation-token").orElse(null) : null,
        !second || query.value("fetch-owner").orElse("").equals("true"));
  }

  @Override
  public Reply handle(Request request) throws IOException {
    ListRequest asked = request.query().after(request.after());
    try (var rows = new ObjectRows(names, request.bucket().id())) {
      return new Reply(request, ObjectListing.of(asked, rows));
    }
  }

  @Override
  public Answer write(Reply reply) {
    Request request = reply.request();
    ListQuery query = request.query();
    ObjectListing<ObjectVersion> listing = reply.listing();
    XmlWriter xml = XmlWriter.document("ListBucketResult");
    // Clients of version 1 decode all names but this one.
    xml.text("Name", request.bucket().name().text())
        .text("Prefix", request.second() ? query.shown(query.prefix()) : query.prefix());
    if (request.second()) {
      second(xml, reply);
    } else {
      xml.text("Marker", query.shown(request.from()));
      if (listing.isTruncated() && !query.delimiter().isEmpty()) {
        xml.text("NextMarker", query.shown(listing.last()));
      }
    }
    xml.number("MaxKeys", query.max());
    if (!query.delimiter().isEmpty()) {
      xml.text("Delimiter", query.shown(query.delimiter()));
    }
    if (query.encoded()) {
      xml.text("EncodingType", "url");
    }
    xml.flag("IsTruncated", listing.isTruncated());
    listing.entries().forEach(entry -> contents(xml, request, entry));
    listing.entries().forEach(entry -> common(xml, query, entry));
    return Answer.bytes(200, "application/xml", xml.bytes());
  }

  private static void second(XmlWriter xml, Reply reply) {
    Request request = reply.request();
    if (!request.from().isEmpty()) {
      xml.text("StartAfter", request.query().shown(request.from()));
    }
    if (request.token() != null) {
      xml.text("ContinuationToken", request.token());
    }
    if (reply.listing().isTruncated()) {
      xml.text(
          "NextContinuationToken",
          Base64.getUrlEncoder().withoutPadding().encodeToString(reply.listing().last()));
    }
    xml.number("KeyCount", reply.listing().entries().size());
  }

  private static void contents(
      XmlWriter xml, Request request, ObjectListing.Entry<ObjectVersion> entry) {
    if (entry instanceof ObjectListing.Entry.Key<ObjectVersion>(byte[] key, var version)) {
      xml.begin("Contents")
          .text("Key", request.query().shown(key))
          .text("LastModified", XmlTime.of(version.modifiedMillis()))
          .text("ETag", version.etag().quoted());
      if (version.checksum() != null) {
        xml.text("ChecksumAlgorithm", version.checksum().algorithm());
        xml.text("ChecksumType", version.checksum().kind().name());
      }
      xml.number("Size", version.sizeBytes());
      if (request.owners()) {
        xml.begin("Owner").text("ID", version.owner()).text("DisplayName", version.owner()).end();
      }
      xml.text("StorageClass", "STANDARD").end();
    }
  }

  static <T> void common(XmlWriter xml, ListQuery query, ObjectListing.Entry<T> entry) {
    if (entry instanceof ObjectListing.Entry.CommonPrefix<T>(byte[] prefix)) {
      xml.begin("CommonPrefixes").text("Prefix", query.shown(prefix)).end();
    }
  }
}
