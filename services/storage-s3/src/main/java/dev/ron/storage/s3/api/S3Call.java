package dev.ron.storage.s3.api;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.wire.RequestHead;
import dev.ron.sigv4.SignedRequest;
import dev.ron.sigv4.Verification;
import dev.ron.sigv4.payload.PayloadFailure;
import dev.ron.sigv4.payload.PayloadStreams;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.names.NameView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request whose signature was checked, with who sent it and what it is about.
 *
 * <p>Threading: owned by the request's thread.
 *
 * @param view what it reads names by
 * @param headers what is asked for besides: the fields of the request, or those of a form in it
 * @param verification who sent it and how its body is framed; never read from the request again
 * @param form what {@link S3Verb#admit} read of the body, for the same verb; null for most
 */
public record S3Call(
    S3Context context,
    NameView view,
    Exchange exchange,
    SignedRequest request,
    Verification verification,
    S3Caller caller,
    S3Target target,
    S3Query query,
    Headers headers,
    @Nullable Object form) {
  /** The field that names an object to copy from. */
  public static final String COPY_SOURCE = "x-amz-copy-source";

  /** What comes before the version in it. */
  public static final String COPY_VERSION = "?versionId=";

  /** The same by another view of the names. */
  public S3Call by(NameView other) {
    return new S3Call(
        context, other, exchange, request, verification, caller, target, query, headers, form);
  }

  public String method() {
    return exchange.method();
  }

  /** Whether it came over TLS. */
  public boolean isSecure() {
    return exchange.server().config().tls() != null;
  }

  /** A field of the request, null if there is none. */
  public @Nullable String header(String name) {
    return headers.first(name);
  }

  public Optional<String> field(String name) {
    return Optional.ofNullable(headers.first(name));
  }

  public BucketName bucketName() throws Refusal {
    return BucketName.of(target.bucket())
        .orElseThrow(() -> Refusal.of(new S3Fault.NoSuchBucket(target.bucket())));
  }

  /** The bucket; a refusal if there is none. */
  public Bucket bucket() throws Refusal {
    return view.bucket(bucketName())
        .orElseThrow(() -> Refusal.of(new S3Fault.NoSuchBucket(target.bucket())));
  }

  public ObjectKey key() {
    ObjectKey key = target.key();
    if (key == null) {
      throw new IllegalStateException("an operation on objects was routed without a key");
    }
    return key;
  }

  /** Which version is meant. */
  public VersionRef version() throws Refusal {
    Optional<String> text = query.value("versionId");
    return text.isEmpty()
        ? new VersionRef.Current()
        : VersionRef.parse(text.get())
            .orElseThrow(
                () -> Refusal.of(new S3Fault.InvalidArgument("Invalid version id specified")));
  }

  /** The tenant that what is made now belongs to. */
  public String owner() {
    String tenant = caller.tenant();
    return tenant == null ? S3Caller.ANONYMOUS : tenant;
  }

  /**
   * Bucket and key of a copy's source as they are looked up, without the slash before and the
   * version behind them. Split before it is decoded, and decoded once: a key may have a slash, a
   * question mark or a percent sign in it.
   */
  public static byte[] copyPath(String field) throws Refusal {
    String text = field.strip();
    int version = text.indexOf(COPY_VERSION);
    String path = version < 0 ? text : text.substring(0, version);
    return S3Query.decoded(path.startsWith("/") ? path.substring(1) : path);
  }

  /** How many bytes the body has without its framing; negative if the request does not say. */
  public long bodyBytes() throws Refusal {
    return isChunked()
        ? PayloadStreams.decodedLength(request).orElse(-1)
        : exchange.head().bodyLength();
  }

  /** Whether the body is plain bytes that end where the sender says so, without a length. */
  public boolean isOpenEnded() throws Refusal {
    return !isChunked() && exchange.head().bodyLength() == RequestHead.UNKNOWN;
  }

  /** Whether the request has no body and does not say so, as HTTP/1 must where one belongs. */
  public boolean isSilent() {
    return exchange.head().bodyLength() == 0
        && header("Content-Length") == null
        && exchange.head().protocol() == RequestHead.Protocol.HTTP_1_1;
  }

  /** Whether the body is in chunks, which fields may follow. */
  boolean isChunked() throws Refusal {
    return switch (verification) {
      case Verification.Verified verified -> verified.mode().chunked();
      case Verification.Anonymous anonymous -> anonymous.mode().chunked();
      case Verification.Refused(var fault) -> throw Refusal.of(fault);
    };
  }

  /** The plain bytes of the body, checked as its payload mode promises. */
  public InputStream body() throws Refusal {
    try {
      InputStream wire = exchange.body().stream();
      InputStream plain =
          switch (verification) {
            case Verification.Verified verified -> PayloadStreams.open(verified, request, wire);
            case Verification.Anonymous anonymous -> PayloadStreams.open(anonymous, request, wire);
            case Verification.Refused(var fault) -> throw Refusal.of(fault);
          };
      return caller.bytesMax() == Long.MAX_VALUE
          ? plain
          : new BoundedBody(plain, 0, caller.bytesMax());
    } catch (PayloadFailure failure) {
      throw Refusal.of(failure.fault());
    }
  }

  /** A small document, whole and checked against its digests. */
  public byte[] document() throws IOException {
    return document(BodyDigest.of(this));
  }

  /** The same where the checksums among the fields are not the document's. */
  public byte[] documentAboutObject() throws IOException {
    return document(BodyDigest.of((ChecksumAlgorithm) null));
  }

  private byte[] document(BodyDigest digest) throws IOException {
    int max = context.config().documentBytes();
    try (InputStream in = body()) {
      byte[] bytes = in.readNBytes(max + 1);
      if (bytes.length > max) {
        throw Refusal.of(new S3Fault.MaxMessageLengthExceeded(max));
      }
      digest.update(ByteBuffer.wrap(bytes));
      digest.check(this, in);
      return bytes;
    } catch (PayloadFailure failure) {
      throw Refusal.of(failure.fault());
    }
  }
}
