package dev.ron.client.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.ServiceRefusal;
import dev.ron.client.StorageClient.Progress;
import dev.ron.client.bucket.SignedCalls.Call;
import dev.ron.http.Headers;
import dev.ron.http.client.ClientAnswer;
import dev.ron.kernel.Scope;
import dev.ron.sigv4.RequestSigner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Buckets and objects of a server that speaks S3, by path and not by host name.
 *
 * <p>What a server refuses is a {@link ServiceRefusal} with the code of its document.
 *
 * <p>Threading: thread-safe; for virtual threads, since calls block.
 */
public final class BucketClient implements AutoCloseable {
  private final SignedCalls calls;
  private final Scope scope;
  private final ObjectPayload nothing;

  public BucketClient(Scope scope, BucketEndpoint endpoint) throws IOException {
    this(scope, endpoint, Optional.empty());
  }

  /**
   * @param trusted PEM file of the only certificates to trust; empty for those the JDK trusts
   */
  public BucketClient(Scope scope, BucketEndpoint endpoint, Optional<Path> trusted)
      throws IOException {
    this.scope = scope;
    this.calls = new SignedCalls(scope, endpoint, trusted);
    this.nothing = ObjectPayload.of(new byte[0], 0);
  }

  /** A bucket of the caller's. */
  public record OwnBucket(String name, Instant created) {}

  /**
   * A page of a listing.
   *
   * @param folders common prefixes, with their slash
   * @param next where the next page goes on; empty after the last
   */
  public record Page(List<ListedObject> objects, List<String> folders, Optional<String> next) {}

  /** A tag of an object. */
  public record Tag(String key, String value) {}

  Scope scope() {
    return scope;
  }

  public List<OwnBucket> buckets() throws IOException, InterruptedException {
    AnswerElement document = calls.document(new Call("GET", "/", ""), nothing);
    return document.first("Buckets").map(all -> all.all("Bucket")).orElse(List.of()).stream()
        .map(each -> new OwnBucket(each.text("Name"), time(each.text("CreationDate"))))
        .toList();
  }

  public void createBucket(String bucket) throws IOException, InterruptedException {
    calls.done(new Call("PUT", path(bucket), ""), nothing);
  }

  public void deleteBucket(String bucket) throws IOException, InterruptedException {
    calls.done(new Call("DELETE", path(bucket), ""), nothing);
  }

  /** Whether the bucket is there and may be looked at. */
  public boolean hasBucket(String bucket) throws IOException, InterruptedException {
    return found(new Call("HEAD", path(bucket), "")).isPresent();
  }

  /**
   * @param delimiter what cuts keys into folders; empty to list all that begins with the prefix
   * @param from what the page before answered as its next
   */
  public Page list(BucketPath prefix, String delimiter, Optional<String> from)
      throws IOException, InterruptedException {
    var query = new StringBuilder("encoding-type=url&list-type=2&max-keys=1000");
    query.append("&prefix=").append(escaped(prefix.key()));
    if (!delimiter.isEmpty()) {
      query.append("&delimiter=").append(escaped(delimiter));
    }
    from.ifPresent(token -> query.append("&continuation-token=").append(escaped(token)));
    AnswerElement document =
        calls.document(new Call("GET", path(prefix.bucket()), query.toString()), nothing);
    boolean encoded = document.text("EncodingType").equals("url");
    List<ListedObject> objects = new ArrayList<>();
    for (AnswerElement each : document.all("Contents")) {
      objects.add(
          new ListedObject(
              key(each.text("Key"), encoded),
              number(each.text("Size")),
              ObjectHead.unquoted(each.text("ETag")),
              time(each.text("LastModified"))));
    }
    List<String> folders =
        document.all("CommonPrefixes").stream()
            .map(each -> key(each.text("Prefix"), encoded))
            .toList();
    boolean more = document.text("IsTruncated").strip().equals("true");
    String next = document.text("NextContinuationToken");
    if (more && (next.isEmpty() || from.equals(Optional.of(next)))) {
      throw new IOException("the server's listing goes on, but does not say where");
    }
    return new Page(objects, folders, more ? Optional.of(next) : Optional.empty());
  }

  /** Empty if there is no such object. */
  public Optional<ObjectHead> head(BucketPath object) throws IOException, InterruptedException {
    var own = Headers.of("x-amz-checksum-mode", "ENABLED");
    Optional<Headers> found = found(new Call("HEAD", path(object), "", own));
    return found.isPresent() ? Optional.of(ObjectHead.of(found.get())) : Optional.empty();
  }

  /** The size of the first part of an object that was put in parts, where the server says it. */
  OptionalLong firstPart(BucketPath object) throws IOException, InterruptedException {
    try {
      Headers head = calls.done(new Call("HEAD", path(object), "partNumber=1"), nothing);
      String parts = head.first("x-amz-mp-parts-count");
      String length = head.first("Content-Length");
      return parts == null || length == null
          ? OptionalLong.empty()
          : OptionalLong.of(number(length));
    } catch (ServiceRefusal unsupported) {
      return OptionalLong.empty();
    }
  }

  private Optional<Headers> found(Call call) throws IOException, InterruptedException {
    try {
      return Optional.of(calls.done(call, nothing));
    } catch (ServiceRefusal refused) {
      if (refused.status() == 404) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  /** The bytes from an offset on; after the first try only of the same version. */
  ClientAnswer get(BucketPath object, long offset, String etag)
      throws IOException, InterruptedException {
    var own = new Headers();
    if (offset > 0) {
      own.add("range", "bytes=" + offset + "-").add("if-match", "\"" + etag + "\"");
    } else {
      own.add("x-amz-checksum-mode", "ENABLED");
    }
    return calls.send(new Call("GET", path(object), "", own), nothing);
  }

  /** Stores a small object whole. */
  public void put(BucketPath object, byte[] bytes) throws IOException, InterruptedException {
    var _ = put(object, new Headers(), ObjectPayload.of(bytes, bytes.length));
  }

  /** Reads a small object whole. */
  public byte[] bytes(BucketPath object, int bytesMax) throws IOException, InterruptedException {
    var bytes = new ByteArrayOutputStream();
    var download = new ObjectDownload(this, object, Progress.NONE);
    if (download.head().size() > bytesMax) {
      throw new IOException("%s has more than %d bytes".formatted(object, bytesMax));
    }
    var _ = download.to(bytes);
    return bytes.toByteArray();
  }

  /** The entity tag of what was stored. */
  String put(BucketPath object, Headers fields, ObjectPayload body)
      throws IOException, InterruptedException {
    Headers own = fields.copy().set("content-md5", body.md5Base64());
    return stored(calls.done(new Call("PUT", path(object), "", own), body), body);
  }

  String createUpload(BucketPath object, Headers fields) throws IOException, InterruptedException {
    String id =
        calls
            .document(new Call("POST", path(object), "uploads=", fields), nothing)
            .text("UploadId");
    if (id.isEmpty()) {
      throw new IOException("the server began an upload without a name");
    }
    return id;
  }

  /** The entity tag of the part. */
  String putPart(BucketPath object, String upload, int number, ObjectPayload body)
      throws IOException, InterruptedException {
    var own = Headers.of("content-md5", body.md5Base64());
    String query = "partNumber=" + number + "&uploadId=" + escaped(upload);
    return stored(calls.done(new Call("PUT", path(object), query, own), body), body);
  }

  /** The server hashed what it stored; what it answers is held against what was sent. */
  private static String stored(Headers answer, ObjectPayload body) throws IOException {
    String etag = ObjectHead.unquoted(answer.first("ETag"));
    boolean keyed =
        answer.has("x-amz-server-side-encryption-customer-algorithm")
            || String.valueOf(answer.first("x-amz-server-side-encryption")).startsWith("aws:kms");
    if (!keyed && ContentCheck.isMd5(etag) && !etag.equalsIgnoreCase(body.md5Hex())) {
      throw new IOException(
          "the server stored other bytes than were sent: MD5 %s, entity tag %s"
              .formatted(body.md5Hex(), etag));
    }
    return etag;
  }

  /** The entity tag of the whole. */
  String complete(BucketPath object, String upload, List<String> etags)
      throws IOException, InterruptedException {
    var document = new StringBuilder("<CompleteMultipartUpload>");
    for (int i = 0; i < etags.size(); i++) {
      document
          .append("<Part><PartNumber>")
          .append(i + 1)
          .append("</PartNumber><ETag>\"")
          .append(etags.get(i))
          .append("\"</ETag></Part>");
    }
    byte[] bytes = document.append("</CompleteMultipartUpload>").toString().getBytes(UTF_8);
    var own = Headers.of("content-type", "application/xml");
    var call = new Call("POST", path(object), "uploadId=" + escaped(upload), own);
    return ObjectHead.unquoted(
        calls.document(call, ObjectPayload.of(bytes, bytes.length)).text("ETag"));
  }

  void abort(BucketPath object, String upload) throws IOException, InterruptedException {
    calls.done(new Call("DELETE", path(object), "uploadId=" + escaped(upload)), nothing);
  }

  /** Copies within the server; metadata and tags go along. */
  public void copy(BucketPath from, BucketPath to) throws IOException, InterruptedException {
    var own = Headers.of("x-amz-copy-source", path(from));
    calls.document(new Call("PUT", path(to), "", own), nothing);
  }

  public void delete(BucketPath object) throws IOException, InterruptedException {
    calls.done(new Call("DELETE", path(object), ""), nothing);
  }

  public List<Tag> tags(BucketPath object) throws IOException, InterruptedException {
    AnswerElement document = calls.document(new Call("GET", path(object), "tagging="), nothing);
    return document.first("TagSet").map(set -> set.all("Tag")).orElse(List.of()).stream()
        .map(each -> new Tag(each.text("Key"), each.text("Value")))
        .toList();
  }

  /** Replaces all tags of an object. */
  public void tag(BucketPath object, List<Tag> tags) throws IOException, InterruptedException {
    String set =
        tags.stream()
            .map(
                tag ->
                    "<Tag><Key>%s</Key><Value>%s</Value></Tag>"
                        .formatted(xml(tag.key()), xml(tag.value())))
            .collect(Collectors.joining());
    byte[] bytes = ("<Tagging><TagSet>" + set + "</TagSet></Tagging>").getBytes(UTF_8);
    ObjectPayload body = ObjectPayload.of(bytes, bytes.length);
    var own = Headers.of("content-md5", body.md5Base64());
    calls.done(new Call("PUT", path(object), "tagging=", own), body);
  }

  private static String xml(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Tags as a put carries them. */
  static String tagging(List<Tag> tags) {
    return tags.stream()
        .map(tag -> escaped(tag.key()) + "=" + escaped(tag.value()))
        .collect(Collectors.joining("&"));
  }

  /**
   * An address that works without a key until it expires.
   *
   * @param method GET to read it, PUT to write it
   */
  public String presigned(String method, BucketPath object, Duration life) {
    return calls.presigned(new Call(method, path(object), ""), life);
  }

  private static String path(String bucket) {
    return "/" + escaped(bucket);
  }

  private static String path(BucketPath object) {
    return path(object.bucket()) + "/" + RequestSigner.escaped(object.key(), true);
  }

  private static String escaped(String text) {
    return RequestSigner.escaped(text, false);
  }

  private static String key(String text, boolean encoded) {
    return encoded ? URLDecoder.decode(text, UTF_8) : text;
  }

  private static long number(String text) throws IOException {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException bad) {
      throw new IOException("the server answered a size that is none: " + text, bad);
    }
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text.strip());
    } catch (DateTimeException _) {
      return Instant.EPOCH;
    }
  }

  @Override
  public void close() {
    calls.close();
  }
}
