package dev.ron.content.s3;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.content.ContentStat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.S3Request;

/**
 * The requests, and where things lie in the bucket.
 *
 * <p>{@code o/} and the hash: the object, byte for byte, so that any tool can fetch it and {@code
 * b3sum} names it. {@code v/} and the hash: the chaining values of its groups, if it has more than
 * one. {@code incoming/}: objects whose address is not known yet.
 *
 * <p>Threading: thread-safe.
 */
final class S3Bucket {
  private static final String IF_ABSENT = "*";
  private static final int PAGE_MAX = 1000;

  /** Tells a try that was not answered from another writer. */
  private static final String MARK = "ron-put";

  private final S3Calls calls;
  private final String bucket;
  private final String prefix;

  S3Bucket(S3Calls calls) {
    this.calls = calls;
    this.bucket = calls.config().bucket();
    this.prefix = calls.config().prefix();
  }

  String object(Address address) {
    return prefix + "o/" + address.hash().hex();
  }

  String values(Address address) {
    return prefix + "v/" + address.hash().hex();
  }

  String incoming(long name) {
    return prefix + "incoming/" + Long.toHexString(name);
  }

  /** Asks for nothing but the bucket itself. */
  void check() throws S3Failure, InterruptedException {
    calls.call("check", (s3, limit) -> s3.headBucket(r -> in(r.bucket(bucket), limit)));
  }

  private static <B extends S3Request.Builder> B in(
      B request, AwsRequestOverrideConfiguration limit) {
    request.overrideConfiguration(limit);
    return request;
  }

  /** How long the object is; empty if there is none. */
  OptionalLong length(String key) throws S3Failure, InterruptedException {
    OptionalLong found = peek(key);
    if (found.isEmpty()) {
      check(); // the answer to a HEAD has no room to say that it is the bucket that is missing
    }
    return found;
  }

  /** The same for a caller that goes on to write, and so learns of a missing bucket anyway. */
  OptionalLong peek(String key) throws S3Failure, InterruptedException {
    Optional<Long> found =
        calls.call(
            "head",
            (s3, limit) -> {
              try {
                return Optional.of(
                    s3.headObject(r -> in(r.bucket(bucket).key(key), limit)).contentLength());
              } catch (S3Exception e) {
                return ifStatus(e, 404);
              }
            });
    return found.isPresent() ? OptionalLong.of(found.get()) : OptionalLong.empty();
  }

  private static <T> Optional<T> ifStatus(S3Exception e, int status) {
    if (e.statusCode() != status || e instanceof NoSuchBucketException) {
      throw e;
    }
    return Optional.empty();
  }

  /** What a GET found. */
  sealed interface Got {
    /**
     * @param stream begins where the range does; to be closed
     * @param lengthBytes of the whole object
     */
    record Body(ResponseInputStream<GetObjectResponse> stream, long lengthBytes) implements Got {}

    record Missing() implements Got {}

    /** The range begins at the end or behind it. */
    record Beyond() implements Got {}
  }

  /** From {@code first} up to and with {@code last}. */
  Got get(String key, long first, long last) throws S3Failure, InterruptedException {
    String range = "bytes=" + first + "-" + (last == Long.MAX_VALUE ? "" : last);
    Got got =
        calls.call(
            "get",
            (s3, limit) -> {
              try {
                return body(s3.getObject(r -> in(r.bucket(bucket).key(key).range(range), limit)));
              } catch (S3Exception e) {
                return e.statusCode() == 416
                    ? new Got.Beyond()
                    : ifStatus(e, 404).map(_ -> (Got) new Got.Beyond()).orElse(new Got.Missing());
              }
            });
    if (got instanceof Got.Body(var stream, _) && stream.response().contentRange() == null) {
      skip(stream, first);
    }
    return got;
  }

  private static Got body(ResponseInputStream<GetObjectResponse> stream) {
    String range = stream.response().contentRange();
    long length =
        range == null
            ? stream.response().contentLength()
            : Long.parseLong(range.substring(range.lastIndexOf('/') + 1));
    return new Got.Body(stream, length);
  }

  /** The store does not know ranges and sent everything. */
  private void skip(InputStream stream, long bytes) throws S3Failure, InterruptedException {
    try {
      stream.skipNBytes(bytes);
    } catch (IOException e) {
      throw S3Failure.broken(e, calls.config());
    }
  }

  /**
   * Stores a whole object.
   *
   * @param overwrite false to leave alone what is there
   * @return false if there was something and it was left alone
   */
  boolean put(String key, byte[] bytes, int length, boolean overwrite)
      throws S3Failure, InterruptedException {
    String md5 = md5(bytes, length);
    String mark = Long.toHexString(calls.scope().secrets().nextLong());
    var unsure = new AtomicBoolean();
    return calls.call(
        "put",
        (s3, limit) -> {
          try {
            s3.putObject(
                r -> {
                  in(r.bucket(bucket).key(key).contentMD5(md5), limit);
                  r.metadata(Map.of(MARK, mark));
                  r.ifNoneMatch(overwrite ? null : IF_ABSENT);
                },
                body(bytes, length));
            return true;
          } catch (S3Exception e) {
            return ifStatus(e, 412).isPresent() || (unsure.get() && marked(s3, limit, key, mark));
          } catch (SdkClientException unanswered) {
            // It may have been stored all the same: a later try may find its own work.
            unsure.set(true);
            throw unanswered;
          }
        });
  }

  private boolean marked(
      S3Client s3, AwsRequestOverrideConfiguration limit, String key, String mark) {
    return mark.equals(
        s3.headObject(r -> in(r.bucket(bucket).key(key), limit)).metadata().get(MARK));
  }

  private static RequestBody body(byte[] bytes, int length) {
    return RequestBody.fromByteBuffer(ByteBuffer.wrap(bytes, 0, length));
  }

  /** What S3 has always checked an upload with; against accidents, not against attacks. */
  @SuppressWarnings("InsecureCryptoUsage")
  private static String md5(byte[] bytes, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      digest.update(bytes, 0, length);
      return Base64.getEncoder().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new LinkageError("every Java platform has MD5", e);
    }
  }

  String beginParts(String key) throws S3Failure, InterruptedException {
    return calls
        .call(
            "begin-parts",
            (s3, limit) -> s3.createMultipartUpload(r -> in(r.bucket(bucket).key(key), limit)))
        .uploadId();
  }

  CompletedPart part(String key, String upload, int number, byte[] bytes, int length)
      throws S3Failure, InterruptedException {
    String md5 = md5(bytes, length);
    var answer =
        calls.call(
            "part",
            (s3, limit) ->
                s3.uploadPart(
                    r ->
                        in(
                            r.bucket(bucket)
                                .key(key)
                                .uploadId(upload)
                                .partNumber(number)
                                .contentMD5(md5),
                            limit),
                    body(bytes, length)));
    return CompletedPart.builder().partNumber(number).eTag(answer.eTag()).build();
  }

  /** From now on the object is there, whole. */
  void endParts(String key, String upload, List<CompletedPart> parts)
      throws S3Failure, InterruptedException {
    calls.call(
        "end-parts",
        (s3, limit) ->
            s3.completeMultipartUpload(
                r ->
                    in(
                        r.bucket(bucket)
                            .key(key)
                            .uploadId(upload)
                            .multipartUpload(all -> all.parts(parts)),
                        limit)));
  }

  void dropParts(String key, String upload) throws S3Failure, InterruptedException {
    calls.call(
        "drop-parts",
        (s3, limit) ->
            s3.abortMultipartUpload(r -> in(r.bucket(bucket).key(key).uploadId(upload), limit)));
  }

  void copy(String from, String to) throws S3Failure, InterruptedException {
    calls.call(
        "copy",
        (s3, limit) ->
            s3.copyObject(
                r ->
                    in(
                        r.sourceBucket(bucket)
                            .sourceKey(from)
                            .destinationBucket(bucket)
                            .destinationKey(to),
                        limit)));
  }

  void delete(String key) throws S3Failure, InterruptedException {
    calls.call("delete", (s3, limit) -> s3.deleteObject(r -> in(r.bucket(bucket).key(key), limit)));
  }

  /** Up to {@code max} objects in the order of their addresses; keys of others are passed over. */
  List<ContentStat> list(@Nullable Address after, int max) throws S3Failure, InterruptedException {
    var found = new ArrayList<ContentStat>();
    String from = after == null ? prefix + "o/" : object(after);
    while (found.size() < max) {
      String start = from;
      int count = Math.min(PAGE_MAX, max - found.size());
      ListObjectsV2Response page =
          calls.call(
              "list",
              (s3, limit) ->
                  s3.listObjectsV2(
                      r ->
                          in(
                              r.bucket(bucket)
                                  .prefix(prefix + "o/")
                                  .startAfter(start)
                                  .maxKeys(count),
                              limit)));
      for (S3Object object : page.contents()) {
        stat(object).ifPresent(found::add);
        from = object.key();
      }
      if (!Boolean.TRUE.equals(page.isTruncated()) || page.contents().isEmpty()) {
        break;
      }
    }
    return found;
  }

  private Optional<ContentStat> stat(S3Object object) {
    String hex = object.key().substring(prefix.length() + 2);
    return Address.parse(Address.PREFIX + hex) instanceof CheckResult.Good<Address>(Address address)
        ? Optional.of(new ContentStat(address, object.size()))
        : Optional.empty();
  }
}
