package dev.ron.storage.s3.object;

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
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.ObjectAddress;
import dev.ron.storage.s3.core.ObjectEncryption;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.encryption.ContentKey;
import dev.ron.storage.s3.encryption.ObjectKeys;
import dev.ron.storage.s3.lifecycle.ExpirationField;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.NameView;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores an object in one request: its blocks durably first, then its name.
 *
 * <p>Threading: stateless.
 */
public record PutObject() implements S3Verb<PutObject.Request, NameOutcome.Stored> {
  /** Asks for bytes behind those that are there; without it the same request replaces them. */
  private static final String APPEND = "x-amz-write-offset-bytes";

  /**
   * What the fields say; the body is still to come.
   *
   * @param sizeBytes negative for a body that says its end by ending
   */
  public record Request(
      S3Call call, Bucket bucket, long sizeBytes, ObjectDraft draft, WriteCondition condition) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    if (call.header(APPEND) != null) {
      throw Refusal.of(new S3Fault.NotImplemented(APPEND));
    }
    Bucket bucket = call.bucket();
    WriteCondition condition = RequestConditions.ofWrite(call);
    RequestConditions.requireNow(call, bucket, condition);
    long sizeBytes = call.isOpenEnded() ? -1 : sizeBytes(call);
    ObjectDraft draft = ObjectDraft.of(call, bucket);
    call.context().quota().require(draft.owner(), sizeBytes);
    return new Request(call, bucket, sizeBytes, draft, condition);
  }

  @Override
  public Answer answer(S3Call call) throws IOException, InterruptedException {
    Request request = parse(call);
    NameOutcome.Stored stored = handle(request);
    return expiring(call, request.bucket(), stored, encrypted(call, stored, write(stored)));
  }

  /** Says how the object is encrypted. */
  public static Answer encrypted(S3Call call, NameOutcome.Stored stored, Answer answer) {
    RequestEncryption.add(answer.headers(), call, stored.version().encryption());
    return answer;
  }

  /** Says when the object goes by itself, where a rule of the bucket lets it go. */
  public static Answer expiring(
      S3Call call, Bucket bucket, NameOutcome.Stored stored, Answer answer) throws Refusal {
    NameView view = call.view();
    Optional<String> expiration = ExpirationField.of(view, bucket, call.key(), stored.version());
    return expiration.isEmpty() ? answer : answer.with(ExpirationField.NAME, expiration.get());
  }

  /** What was announced, which the body must have. */
  public static long sizeBytes(S3Call call) throws Refusal {
    long sizeBytes = call.bodyBytes();
    long max = call.context().config().sizes().objectBytes().bytes();
    if (sizeBytes < 0 || call.isSilent()) {
      throw Refusal.of(new S3Fault.MissingContentLength());
    }
    if (sizeBytes > max) {
      throw Refusal.of(new S3Fault.EntityTooLarge(max));
    }
    return sizeBytes;
  }

  @Override
  public NameOutcome.Stored handle(Request request) throws IOException, InterruptedException {
    try (InputStream in = request.call().body()) {
      return store(request, in);
    }
  }

  /** The same with a body that comes from elsewhere, such as the file of a form. */
  public static NameOutcome.Stored store(Request request, InputStream in)
      throws IOException, InterruptedException {
    S3Call call = request.call();
    var digest = BodyDigest.of(call);
    ObjectKeys.NewKey key = call.context().keys().make(request.draft().encryption());
    BodyWriter.StoredBody body = receive(call, in, digest, request.sizeBytes(), key.key(), true);
    ObjectEncryption.Kind kind = request.draft().encryption().kind();
    ObjectVersion version =
        request
            .draft()
            .addressed(body.address())
            .version(
                call.context().secrets().nextLong(),
                call.context().nowMillis(),
                body.sizeBytes(),
                new EntityTag(RequestEncryption.tag(digest.md5Hex(), key.key(), kind), 0),
                stored(digest.value()),
                body.content(),
                key.encryption());
    return (NameOutcome.Stored)
        NamedBody.give(
            call,
            body,
            new NameCommand.PutObject(
                request.bucket().id(),
                request.bucket().name(),
                call.key(),
                version,
                request.condition()));
  }

  /**
   * Stores a body and checks it; its blocks are pinned.
   *
   * @param sizeBytes negative if it is not known before the body ends
   * @param key what it is encrypted with, null to store it as it is
   */
  public static BodyWriter.StoredBody receive(
      S3Call call, BodyDigest digest, long sizeBytes, @Nullable ContentKey key)
      throws IOException, InterruptedException {
    try (InputStream in = call.body()) {
      return receive(call, in, digest, sizeBytes, key, false);
    }
  }

  private static BodyWriter.StoredBody receive(
      S3Call call,
      InputStream in,
      BodyDigest digest,
      long sizeBytes,
      @Nullable ContentKey key,
      boolean addressed)
      throws IOException, InterruptedException {
    BodyWriter writer = call.context().writer();
    long max = call.context().config().sizes().objectBytes().bytes();
    BodyWriter.StoredBody body =
        sizeBytes < 0
            ? writer.writeUpTo(in, max, key, addressed, digest::update)
            : writer.write(in, sizeBytes, key, addressed, digest::update);
    check(call, digest, in, body);
    call.context().metrics().bytesIn().inc(body.sizeBytes());
    return body;
  }

  private static void check(
      S3Call call, BodyDigest digest, InputStream in, BodyWriter.StoredBody body) throws Refusal {
    boolean right = false;
    try {
      digest.check(call, in);
      right = true;
    } finally {
      if (!right) {
        body.unpin();
      }
    }
  }

  static @Nullable StoredChecksum stored(@Nullable ChecksumValue value) {
    return value == null
        ? null
        : new StoredChecksum(
            value.algorithm().name(), StoredChecksum.Kind.FULL_OBJECT, value.base64());
  }

  @Override
  public Answer write(NameOutcome.Stored stored) {
    ObjectVersion version = stored.version();
    var headers = new Headers(4).add("ETag", version.etag().quoted());
    ObjectAddress.of(version).ifPresent(field -> headers.add(field.name(), field.value()));
    if (stored.versioned()) {
      headers.add("x-amz-version-id", version.versionId());
    }
    if (version.checksum() != null) {
      ObjectFields.addChecksum(headers, version.checksum());
    }
    return new Answer(200, headers, Body.Bytes.NONE);
  }
}
