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
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.xml.XmlTime;
import dev.ron.storage.s3.xml.XmlWriter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Lists all versions and delete markers of a bucket.
 *
 * <p>Threading: immutable.
 */
public record ListObjectVersions(Names names)
    implements S3Verb<ListObjectVersions.Request, ListObjectVersions.Reply> {
  /** Where the page begins: behind a key, or behind one of its versions. */
  public record Request(Bucket bucket, ListQuery query, String key, @Nullable String version) {}

  /** A page. */
  public record Reply(Request request, VersionListing listing) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.LIST_VERSIONS;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    return request(call.bucket(), call.query());
  }

  static Request request(Bucket bucket, S3Query query) throws Refusal {
    String key = query.value("key-marker").orElse("");
    String version = query.value("version-id-marker").orElse("");
    if (!version.isEmpty()) {
      if (key.isEmpty()) {
        throw Refusal.of(
            new S3Fault.InvalidArgument(
                "A version-id marker cannot be specified without a key marker."));
      }
      if (VersionRef.parse(version).isEmpty() || ObjectKey.of(key).isEmpty()) {
        throw Refusal.of(new S3Fault.InvalidArgument("Invalid version id specified"));
      }
    }
    return new Request(
        bucket, ListQuery.of(query, "max-keys"), key, version.isEmpty() ? null : version);
  }

  @Override
  public Reply handle(Request request) throws IOException {
    ListRequest asked = request.query().after(request.key().getBytes(UTF_8));
    return new Reply(
        request, VersionListing.of(asked, names, request.bucket().id(), request.version()));
  }

  @Override
  public Answer write(Reply reply) {
    Request request = reply.request();
    ListQuery query = request.query();
    VersionListing listing = reply.listing();
    XmlWriter xml = XmlWriter.document("ListVersionsResult");
    xml.text("Name", request.bucket().name().text())
        .text("Prefix", query.shown(query.prefix()))
        .text("KeyMarker", query.shown(request.key()))
        .text("VersionIdMarker", request.version() == null ? "" : request.version());
    if (listing.isTruncated()) {
      xml.text("NextKeyMarker", query.shown(listing.lastKey()));
      if (!listing.lastVersion().isEmpty()) {
        xml.text("NextVersionIdMarker", listing.lastVersion());
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
    for (VersionListing.Entry entry : listing.entries()) {
      switch (entry) {
        case VersionListing.Entry.Version version -> write(xml, query, version);
        case VersionListing.Entry.CommonPrefix(byte[] prefix) ->
            xml.begin("CommonPrefixes").text("Prefix", query.shown(prefix)).end();
      }
    }
    return Answer.bytes(200, "application/xml", xml.bytes());
  }

  private static void write(XmlWriter xml, ListQuery query, VersionListing.Entry.Version entry) {
    ObjectVersion version = entry.version();
    xml.begin(version.isMarker() ? "DeleteMarker" : "Version")
        .text("Key", query.shown(entry.key().bytes()))
        .text("VersionId", version.versionId())
        .flag("IsLatest", entry.latest())
        .text("LastModified", XmlTime.of(version.modifiedMillis()));
    if (!version.isMarker()) {
      xml.text("ETag", version.etag().quoted()).number("Size", version.sizeBytes());
      if (version.checksum() != null) {
        xml.text("ChecksumAlgorithm", version.checksum().algorithm());
        xml.text("ChecksumType", version.checksum().kind().name());
      }
      xml.text("StorageClass", "STANDARD");
    }
    xml.begin("Owner").text("ID", version.owner()).text("DisplayName", version.owner()).end();
    xml.end();
  }
}
