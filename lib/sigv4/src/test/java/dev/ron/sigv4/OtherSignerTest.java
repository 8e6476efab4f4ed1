package dev.ron.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.sigv4.payload.PayloadFailure;
import dev.ron.sigv4.payload.PayloadStreams;
import dev.ron.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * The signer of the AWS SDK is the other opinion: what it signs passes, and nothing passes that was
 * changed afterwards by one character.
 */
class OtherSignerTest {
  private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");

  private static final String LETTERS = "aZ09-._~ /+&=%?\u00e9\u20ac";

  /** How the SDK is told to sign. */
  private enum Form {
    HEADER(true),
    HEADER_UNSIGNED(false),
    QUERY(false),
    CHUNKS(true),
    CHUNKS_TRAILER(true),
    UNSIGNED_TRAILER(false),
    SQS(true);

    private final boolean bodySigned;

    Form(boolean bodySigned) {
      this.bodySigned = bodySigned;
    }
  }

  /** What the SDK would send; characters are bytes. */
  private record Sent(SignedRequest request, String body, String plain, ServiceRules rules) {
    byte[] wire() {
      return body.getBytes(ISO_8859_1);
    }
  }

  @Test
  void whatTheSdkSignsPasses() {
    Seeds.forEach(
        60,
        (_, random) -> {
          for (Form form : Form.values()) {
            Sent sent = sent(form, random);
            assertThat(read(sent)).as("%s %s", form, sent.request).isEqualTo(sent.plain);
          }
        });
  }

  @Test
  void theModesAreThoseTheSdkWasToldToUse() {
    var random = new java.util.SplittableRandom(7);
    assertThat(mode(sent(Form.HEADER, random))).isInstanceOf(PayloadMode.Hashed.class);
    assertThat(mode(sent(Form.HEADER_UNSIGNED, random))).isInstanceOf(PayloadMode.Unsigned.class);
    assertThat(mode(sent(Form.QUERY, random))).isInstanceOf(PayloadMode.Unsigned.class);
    assertThat(mode(sent(Form.CHUNKS, random))).isEqualTo(new PayloadMode.SignedChunks(false));
    assertThat(mode(sent(Form.CHUNKS_TRAILER, random)))
        .isEqualTo(new PayloadMode.SignedChunks(true));
    assertThat(mode(sent(Form.UNSIGNED_TRAILER, random)))
        .isEqualTo(new PayloadMode.UnsignedChunks());
  }

  @Test
  void nothingPassesThatWasChanged() {
    Seeds.forEach(
        70,
        (_, random) -> {
          for (Form form : Form.values()) {
            Sent sent = sent(form, random);
            for (int change = 0; change < 6; change++) {
              Sent changed = changed(sent, random);
              if (meansTheSame(changed, sent)) {
                continue;
              }
              try {
                String read = read(changed);
                throw new AssertionError(
                    "%s passed: %s instead of %s, %d bytes"
                        .formatted(form, changed.request, sent.request, read.length()));
              } catch (PayloadFailure | Refusal refused) {
                assertThat(refused).isNotNull();
              }
            }
          }
        });
  }

  /** The verifier's fault, so that a test reads on in one line. */
  private static final class Refusal extends IOException {
    private static final long serialVersionUID = 1;

    Refusal(SignatureFault fault) {
      super(fault.toString());
    }
  }

  private static PayloadMode mode(Sent sent) {
    return Requests.verified(verify(sent)).mode();
  }

  private static Verification verify(Sent sent) {
    var verifier =
        new SignatureVerifier(
            sent.rules,
            claim ->
                claim.accessKeyId().equals(Requests.ID)
                    ? new KeySource.Found.Key(DerivedKey.of(Requests.SECRET, claim.scope()))
                    : new KeySource.Found.None(new SignatureFault.UnknownAccessKey()));
    return sent.rules.payloadAnnounced()
        ? verifier.verify(sent.request, NOW)
        : verifier.verify(
            sent.request, SignatureText.hex(SignatureText.sha256().digest(sent.wire())), NOW);
  }

  private static String read(Sent sent) throws IOException {
    return switch (verify(sent)) {
      case Verification.Refused(SignatureFault fault) -> throw new Refusal(fault);
      // Without a signature it is not what was sent.
      case Verification.Anonymous _ -> throw new Refusal(new SignatureFault.Empty());
      case Verification.Verified verified -> {
        try (InputStream in =
            PayloadStreams.open(verified, sent.request, new ByteArrayInputStream(sent.wire()))) {
          yield new String(in.readAllBytes(), ISO_8859_1);
        }
      }
    };
  }

  private static Sent sent(Form form, RandomGenerator random) {
    var plain = new byte[form == Form.QUERY ? 0 : random.nextInt(300_000) >> random.nextInt(18)];
    random.nextBytes(plain);
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder()
            .method(plain.length > 0 ? SdkHttpMethod.PUT : SdkHttpMethod.GET)
            // Over plain http the SDK signs every body, whatever it was told.
            .protocol(form.bodySigned ? "http" : "https")
            .host("127.0.0.1")
            .port(9000)
            .encodedPath(form == Form.SQS ? "/" : path(random));
    for (int i = random.nextInt(4); i > 0; i--) {
      request.appendRawQueryParameter(text(random, 8), text(random, 12));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      request.appendHeader("x-amz-meta-m" + i, "a  b " + Integer.toHexString(random.nextInt()));
    }
    if (random.nextBoolean()) {
      request.appendHeader("Content-Type", "text/plain");
    }
    if (form == Form.CHUNKS || form == Form.CHUNKS_TRAILER || form == Form.UNSIGNED_TRAILER) {
      request.putHeader("Content-Length", String.valueOf(plain.length));
    }
    AwsCredentialsIdentity identity =
        random.nextBoolean()
            ? AwsCredentialsIdentity.create(Requests.ID, Requests.SECRET)
            : AwsSessionCredentialsIdentity.create(Requests.ID, Requests.SECRET, "tok/en+=");
    var signed =
        AwsV4HttpSigner.create()
            .sign(
                ask -> {
                  ask.identity(identity)
                      .request(request.build())
                      .payload(() -> new ByteArrayInputStream(plain))
                      .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(NOW, ZoneOffset.UTC))
                      .putProperty(
                          AwsV4HttpSigner.SERVICE_SIGNING_NAME, form == Form.SQS ? "sqs" : "s3")
                      .putProperty(AwsV4HttpSigner.REGION_NAME, "eu-central-1")
                      .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, form == Form.SQS)
                      .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, form == Form.SQS);
                  switch (form) {
                    case HEADER, SQS -> {}
                    case HEADER_UNSIGNED ->
                        ask.putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false);
                    case QUERY ->
                        ask.putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                            .putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, Duration.ofMinutes(5))
                            .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false);
                    case CHUNKS -> ask.putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, true);
                    case CHUNKS_TRAILER ->
                        ask.putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, true)
                            .putProperty(
                                AwsV4HttpSigner.CHECKSUM_ALGORITHM, DefaultChecksumAlgorithm.CRC32);
                    case UNSIGNED_TRAILER ->
                        ask.putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, true)
                            .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                            .putProperty(
                                AwsV4HttpSigner.CHECKSUM_ALGORITHM, DefaultChecksumAlgorithm.SHA1);
                  }
                });
    byte[] body = signed.payload().map(p -> bytes(p.newStream())).orElse(new byte[0]);
    return new Sent(
        onTheWire(signed.request()),
        new String(body, ISO_8859_1),
        new String(plain, ISO_8859_1),
        form == Form.SQS ? ServiceRules.SQS : ServiceRules.S3);
  }

  private static byte[] bytes(InputStream in) {
    try (in) {
      return in.readAllBytes();
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  private static SignedRequest onTheWire(SdkHttpRequest request) {
    var headers = new ArrayList<SignedRequest.Header>();
    request.forEachHeader(
        (name, values) -> values.forEach(v -> headers.add(new SignedRequest.Header(name, v))));
    return new SignedRequest(
        request.method().name(),
        request.encodedPath(),
        SdkHttpUtils.encodeAndFlattenQueryParameters(request.rawQueryParameters()).orElse(""),
        headers);
  }

  private static String path(RandomGenerator random) {
    var path = new StringBuilder("/bucket");
    for (int i = random.nextInt(4); i > 0; i--) {
      path.append('/').append(SdkHttpUtils.urlEncodeIgnoreSlashes(text(random, 10)));
    }
    return path.toString();
  }

  private static String text(RandomGenerator random, int charsMax) {
    var text = new StringBuilder("k");
    for (int i = random.nextInt(charsMax); i > 0; i--) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }

  /** One character of method, path, query, a signed field or the body. */
  private static Sent changed(Sent sent, RandomGenerator random) {
    SignedRequest r = sent.request;
    return switch (random.nextInt(5)) {
      case 0 ->
          with(
              sent,
              new SignedRequest(flip(r.method(), random), r.rawPath(), r.rawQuery(), r.headers()));
      case 1 ->
          with(
              sent,
              new SignedRequest(r.method(), flip(r.rawPath(), random), r.rawQuery(), r.headers()));
      case 2 -> with(sent, r.withQuery(flip(r.rawQuery(), random)));
      case 3 -> {
        List<String> covered = Requests.verified(verify(sent)).signedHeaders();
        var headers = new ArrayList<>(r.headers());
        int at = random.nextInt(headers.size());
        SignedRequest.Header header = headers.get(at);
        if (covered.contains(header.name()) || header.name().equals("authorization")) {
          headers.set(at, new SignedRequest.Header(header.name(), flip(header.value(), random)));
        }
        yield with(sent, new SignedRequest(r.method(), r.rawPath(), r.rawQuery(), headers));
      }
      default -> {
        byte[] body = sent.wire();
        if (body.length > 0) {
          body[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
        }
        yield new Sent(r, new String(body, ISO_8859_1), sent.plain, sent.rules);
      }
    };
  }

  private static Sent with(Sent sent, SignedRequest request) {
    return new Sent(request, sent.body, sent.plain, sent.rules);
  }

  private static String flip(String text, RandomGenerator random) {
    if (text.isEmpty()) {
      return text;
    }
    byte[] bytes = text.getBytes(ISO_8859_1);
    int at = random.nextInt(bytes.length);
    // Control characters and bytes past ASCII do not pass the parser of heads.
    int flipped = bytes[at] ^ 1 << random.nextInt(7);
    bytes[at] = (byte) (flipped < ' ' || flipped == 0x7f ? bytes[at] : flipped);
    return new String(bytes, ISO_8859_1);
  }

  /** Nothing was changed; or only what no signature covers, or how an escape is spelled. */
  private static boolean meansTheSame(Sent changed, Sent sent) {
    PayloadMode mode = mode(sent);
    boolean bodyCovered =
        !(mode instanceof PayloadMode.Unsigned || mode instanceof PayloadMode.UnsignedChunks);
    boolean body = changed.body.equals(sent.body);
    // A size or a name in capitals is the same size and name.
    boolean framing =
        mode.chunked()
            && changed.body.toLowerCase(Locale.ROOT).equals(sent.body.toLowerCase(Locale.ROOT));
    return canonical(changed.request).equals(canonical(sent.request))
        && (body || !bodyCovered || framing);
  }

  private static String canonical(SignedRequest request) {
    try {
      String authorization = String.join("", request.values("authorization"));
      return CanonicalRequest.of(
                  ServiceRules.S3,
                  request,
                  RequestQuery.parse(request.rawQuery()),
                  _ -> false,
                  request.headers().stream().map(SignedRequest.Header::name).sorted().toList(),
                  "")
              .text()
          + authorization.replaceAll(" +", " ");
    } catch (SignatureRefusal unreadable) {
      return unreadable.fault().toString();
    }
  }
}
