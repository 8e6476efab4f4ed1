package dev.ron.sigv4.payload;

import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.SignatureFault;
import dev.ron.sigv4.SignedRequest;
import dev.ron.sigv4.Verification;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The body behind a request, checked as its payload mode promises.
 *
 * <p>The mode is the verification's, never the request's: that is how a body whose signature was
 * not checked cannot be read as if it had been.
 *
 * <p>Threading: immutable.
 */
public final class PayloadStreams {
  private static final String DECODED_LENGTH = "x-amz-decoded-content-length";
  private static final int DIGITS_MAX = 18;

  private PayloadStreams() {}

  /**
   * The plain bytes; a {@link ChunkedPayloadStream} where the body is in chunks, so that its
   * trailers can be asked for.
   *
   * @throws PayloadFailure if the announcement itself cannot be; the stream throws it too
   */
  public static InputStream open(
      Verification.Verified verified, SignedRequest request, InputStream wire)
      throws PayloadFailure {
    return open(verified.mode(), verified.seed(), request, wire);
  }

  /** The same for a request without a signature. */
  public static InputStream open(
      Verification.Anonymous anonymous, SignedRequest request, InputStream wire)
      throws PayloadFailure {
    return open(anonymous.mode(), null, request, wire);
  }

  private static InputStream open(
      PayloadMode mode,
      ChunkSignatures.@Nullable Seed seed,
      SignedRequest request,
      InputStream wire)
      throws PayloadFailure {
    return switch (mode) {
      case PayloadMode.Unsigned() -> wire;
      case PayloadMode.Hashed hashed -> new HashedPayloadStream(wire, hashed);
      case PayloadMode.SignedChunks _, PayloadMode.UnsignedChunks _ ->
          new ChunkedPayloadStream(
              wire, new ChunkedPayload(mode, seed, required(request), announced(request)));
    };
  }

  /** How long the body is without its chunks; empty if the request does not say, or not once. */
  public static OptionalLong decodedLength(SignedRequest request) {
    List<String> values = request.values(DECODED_LENGTH);
    if (values.size() != 1) {
      return OptionalLong.empty();
    }
    String digits = values.getFirst().strip();
    return !digits.isEmpty()
            && digits.length() <= DIGITS_MAX
            && digits.chars().allMatch(c -> c >= '0' && c <= '9')
        ? OptionalLong.of(Long.parseLong(digits))
        : OptionalLong.empty();
  }

  private static long required(SignedRequest request) throws PayloadFailure {
    OptionalLong length = decodedLength(request);
    if (length.isEmpty()) {
      throw new PayloadFailure(new SignatureFault.NoDecodedLength());
    }
    return length.getAsLong();
  }

  private static Set<String> announced(SignedRequest request) throws PayloadFailure {
    Set<String> names =
        request.values("x-amz-trailer").stream()
            .flatMap(value -> Arrays.stream(value.split(",", -1)))
            .map(name -> name.strip().toLowerCase(Locale.ROOT))
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toUnmodifiableSet());
    if (names.size() > PayloadTrailer.FIELDS_MAX) {
      throw new PayloadFailure(
          new SignatureFault.MalformedTrailer(
              "x-amz-trailer announces more than " + PayloadTrailer.FIELDS_MAX + " fields"));
    }
    return names;
  }
}
