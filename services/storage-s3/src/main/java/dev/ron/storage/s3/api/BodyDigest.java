package dev.ron.storage.s3.api;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.checksum.ChecksumValue;
import dev.ron.checksum.ObjectChecksum;
import dev.ron.http.Refusal;
import dev.ron.sigv4.payload.ChunkedPayloadStream;
import dev.ron.storage.s3.S3Fault;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * MD5 and, if the client announced one, a checksum of a body as it comes, compared with what the
 * client says they are.
 *
 * <p>Threading: owned by the thread that reads the body.
 */
public final class BodyDigest {
  private static final int MD5_BYTES = 16;

  private final MessageDigest md5;
  private final @Nullable ObjectChecksum checksum;
  private final @Nullable ChecksumAlgorithm algorithm;
  private byte @Nullable [] md5Value;
  private @Nullable ChecksumValue value;

  private BodyDigest(@Nullable ChecksumAlgorithm algorithm) {
    this.md5 = md5();
    this.algorithm = algorithm;
    this.checksum = algorithm == null ? null : new ObjectChecksum(algorithm);
  }

  /** As the request announces in fields, or in those that follow the body. */
  public static BodyDigest of(S3Call call) throws Refusal {
    return new BodyDigest(announced(call).orElse(null));
  }

  /** With this checksum, or none, of bytes that no request carries. */
  public static BodyDigest of(@Nullable ChecksumAlgorithm algorithm) {
    return new BodyDigest(algorithm);
  }

  /** With this checksum, whether the request announces one or not. */
  public static BodyDigest with(S3Call call, @Nullable ChecksumAlgorithm usual) throws Refusal {
    return new BodyDigest(announced(call).orElse(usual));
  }

  /** The checksum that a request carries or promises; at most one. */
  public static Optional<ChecksumAlgorithm> announced(S3Call call) throws Refusal {
    List<String> fields =
        call.request().headers().stream()
            .map(header -> header.name())
            .filter(name -> name.startsWith("x-amz-checksum-"))
            .filter(name -> !isControl(name))
            .distinct()
            .toList();
    List<String> trailers = promised(call);
    if (!trailers.isEmpty() && !call.isChunked()) {
      throw Refusal.of(
          new S3Fault.InvalidRequest(
              "x-amz-trailer is for a body in chunks, which this one is not"));
    }
    if (fields.size() + trailers.size() > 1) {
      throw Refusal.of(
          new S3Fault.InvalidRequest("Expecting a single x-amz-checksum- header; found several"));
    }
    Optional<String> name =
        fields.isEmpty() ? trailers.stream().findFirst() : fields.stream().findFirst();
    return name.isPresent() ? Optional.of(ofField(name.get())) : named(call);
  }

  private static ChecksumAlgorithm ofField(String name) throws Refusal {
    return ChecksumAlgorithm.ofHeader(name)
        .orElseThrow(
            () ->
                Refusal.of(
                    new S3Fault.InvalidRequest(
                        "The algorithm type you specified in x-amz-checksum- header is invalid.")));
  }

  /** By its name alone, without a value. */
  private static Optional<ChecksumAlgorithm> named(S3Call call) throws Refusal {
    Optional<String> named =
        call.field("x-amz-sdk-checksum-algorithm").or(() -> call.field("x-amz-checksum-algorithm"));
    if (named.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        ChecksumAlgorithm.parse(named.get())
            .orElseThrow(
                () ->
                    Refusal.of(
                        new S3Fault.InvalidRequest(
                            "Checksum algorithm " + named.get() + " is not supported"))));
  }

  /** The checksums that are to follow the body. */
  private static List<String> promised(S3Call call) {
    return call.request().values("x-amz-trailer").stream()
        .flatMap(text -> Arrays.stream(text.split(",", -1)))
        .map(name -> name.strip().toLowerCase(Locale.ROOT))
        .filter(name -> name.startsWith("x-amz-checksum-"))
        .toList();
  }

  private static boolean isControl(String name) {
    return name.equals("x-amz-checksum-algorithm")
        || name.equals("x-amz-checksum-mode")
        || name.equals("x-amz-checksum-type");
  }

  public void update(ByteBuffer bytes) {
    md5.update(bytes.duplicate());
    if (checksum != null) {
      checksum.update(bytes.duplicate());
    }
  }

  /**
   * Compares what came with what was announced; once, at the end of the body.
   *
   * @param in as {@link S3Call#body} gave it, read to its end
   */
  public void check(S3Call call, InputStream in) throws Refusal {
    byte[] sum = finish();
    Optional<String> contentMd5 = call.field("Content-MD5");
    if (contentMd5.isPresent() && !MessageDigest.isEqual(sum, contentMd5(contentMd5.get()))) {
      throw Refusal.of(new S3Fault.BadDigest("Content-MD5"));
    }
    ChecksumValue computed = value;
    if (computed == null || algorithm == null) {
      return;
    }
    String field = algorithm.header();
    String said = call.header(field) == null ? trailers(in).get(field) : call.header(field);
    if (said == null && promised(call).isEmpty()) {
      return;
    }
    if (said == null || !said.strip().equals(computed.base64())) {
      throw Refusal.of(new S3Fault.BadDigest(field));
    }
  }

  /** The fields after the body; a bound around it does not hide them. */
  private static Map<String, String> trailers(InputStream in) {
    return switch (in) {
      case ChunkedPayloadStream chunked -> chunked.trailers();
      case BoundedBody bounded -> trailers(bounded.source());
      default -> Map.of();
    };
  }

  /** Ends the sums, once, at the end of the bytes. */
  public byte[] finish() {
    byte[] sum = md5.digest();
    md5Value = sum;
    value = checksum == null ? null : checksum.value();
    return sum;
  }

  private static byte[] contentMd5(String text) throws Refusal {
    try {
      byte[] bytes = Base64.getDecoder().decode(text.strip());
      if (bytes.length == MD5_BYTES) {
        return bytes;
      }
    } catch (IllegalArgumentException _) {
      // said below
    }
    throw Refusal.of(
        new S3Fault.InvalidDigest("The Content-MD5 you specified was invalid: not base64 of 16"));
  }

  /** 32 hex digits, after {@link #check} or {@link #finish}. */
  public String md5Hex() {
    byte[] sum = md5Value;
    if (sum == null) {
      throw new IllegalStateException("the body was not checked");
    }
    return HexFormat.of().formatHex(sum);
  }

  /** The checksum, after {@link #check} or {@link #finish}; null if none was asked for. */
  public @Nullable ChecksumValue value() {
    return value;
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }
}
