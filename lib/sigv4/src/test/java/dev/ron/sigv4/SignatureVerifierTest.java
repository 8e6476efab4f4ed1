package dev.ron.sigv4;

import static dev.ron.sigv4.Requests.fault;
import static dev.ron.sigv4.Requests.replaced;
import static dev.ron.sigv4.Requests.verified;
import static dev.ron.sigv4.Requests.without;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureVerifierTest {
  private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");
  private static final PayloadMode EMPTY = new PayloadMode.Hashed(SignatureText.EMPTY_SHA256);
  private static final SignedRequest PLAIN =
      Requests.of("GET /bucket/a%20b?list-type=2&prefix=x/y\nHost: 127.0.0.1:9000");

  private final RequestSigner signer = Requests.signer(ServiceRules.S3);
  private final SignatureVerifier verifier = new SignatureVerifier(ServiceRules.S3, Requests.KEYS);
  private final SignedRequest signed = signer.sign(PLAIN, EMPTY, NOW).request();

  private SignatureFault refused(SignedRequest request) {
    return fault(verifier.verify(request, NOW));
  }

  private SignatureFault withAuthorization(String from, String to) {
    String value = signed.values("authorization").getFirst();
    assertThat(value).contains(from);
    return refused(replaced(signed, "authorization", value.replace(from, to)));
  }

  @Test
  void aRequestWithoutAnySignatureIsAnonymous() {
    assertThat(verifier.verify(PLAIN, NOW))
        .isEqualTo(new Verification.Anonymous(new PayloadMode.Unsigned()));
    assertThat(
            verifier.verify(
                PLAIN.with("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"), NOW))
        .isEqualTo(new Verification.Anonymous(new PayloadMode.UnsignedChunks()));
  }

  /** Chunk signatures that go on from no signature prove nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
      })
  void signedChunksWithoutASignatureAreRefused(String mode) {
    assertThat(refused(PLAIN.with("x-amz-content-sha256", mode)))
        .isInstanceOf(SignatureFault.BadPayloadMode.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD",
        "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER",
        "STREAMING-UNSIGNED-PAYLOAD",
        "streaming-unsigned-payload-trailer",
        "UNSIGNED",
        "",
        "abc",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b85",
      })
  void unknownPayloadModesAreRefusedSignedOrNot(String mode) {
    assertThat(refused(PLAIN.with("x-amz-content-sha256", mode)))
        .isInstanceOf(SignatureFault.BadPayloadMode.class);
    assertThat(refused(replaced(signed, "x-amz-content-sha256", mode)))
        .isInstanceOf(SignatureFault.BadPayloadMode.class);
  }

  @Test
  void theBodysFormMustBeAnnounced() {
    assertThat(refused(without(signed, "x-amz-content-sha256")))
        .isInstanceOf(SignatureFault.Invalid.class);
  }

  @Test
  void aMismatchShowsBothTexts() {
    SignatureFault fault = refused(replaced(signed, "host", "127.0.0.1:9001"));
    assertThat(fault.status()).isEqualTo(403);
    assertThat(fault.code()).isEqualTo("SignatureDoesNotMatch");
    assertThat(fault.members().get("StringToSign"))
        .startsWith("AWS4-HMAC-SHA256\n20261115T100000Z\n20261115/us-east-1/s3/aws4_request\n");
    assertThat(fault.members().get("CanonicalRequest"))
        .startsWith("GET\n/bucket/a%20b\nlist-type=2&prefix=x%2Fy\nhost:127.0.0.1:9001\n");
    assertThat(fault.toString()).doesNotContain(Requests.SECRET);
  }

  /** Added on the way, it would change what is done: copy another object, make it public. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-amz-copy-source",
        "x-amz-acl",
        "X-Amz-Meta-Owner",
        "x-amz-security-token",
        "x-amz-tagging"
      })
  void everyAmzFieldMustBeSigned(String name) {
    assertThat(refused(signed.with(name, "x")))
        .isEqualTo(new SignatureFault.HeadersNotSigned(name.toLowerCase(java.util.Locale.ROOT)));
    SignedRequest presigned = signer.presign(PLAIN, Duration.ofMinutes(1), NOW).with(name, "x");
    assertThat(refused(presigned).status()).isGreaterThanOrEqualTo(400);
  }

  @Test
  void otherFieldsAreFreeUnlessTheyAreSigned() {
    verified(verifier.verify(signed.with("user-agent", "x").with("content-type", "y"), NOW));
    var typed = signer.sign(PLAIN.with("content-type", "text/plain"), EMPTY, NOW).request();
    assertThat(refused(replaced(typed, "content-type", "text/html")))
        .isInstanceOf(SignatureFault.Mismatch.class);
    assertThat(refused(without(typed, "content-type"))).isInstanceOf(SignatureFault.Mismatch.class);
    assertThat(refused(typed.with("content-type", "text/html")))
        .isInstanceOf(SignatureFault.Mismatch.class);
  }

  @Test
  void theHostMustBeSigned() {
    SignedRequest hostless = Requests.of("GET /\nx-amz-meta-a: b");
    assertThat(refused(signer.sign(hostless, EMPTY, NOW).request()))
        .isInstanceOf(SignatureFault.Malformed.class);
    assertThat(refused(signer.sign(hostless, EMPTY, NOW).request().with("host", "a")))
        .isEqualTo(new SignatureFault.HeadersNotSigned("host"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /s3/                      | /sqs/                  | AuthorizationHeaderMalformed
          /s3/                      | /S3/                   | AuthorizationHeaderMalformed
          /s3/                      | //                     | AuthorizationHeaderMalformed
          /us-east-1/               | //                     | AuthorizationHeaderMalformed
          /us-east-1/               | /eu-west-1/            | SignatureDoesNotMatch
          /20261115/                | /20261114/             | AuthorizationHeaderMalformed
          /20261115/                | /2026111/              | AuthorizationHeaderMalformed
          aws4_request              | aws4_requesT           | AuthorizationHeaderMalformed
          Credential=AKIA           | Credential=            | InvalidAccessKeyId
          Credential=AKIAIOSFODNN7EXAMPLE | Credential=      | AuthorizationHeaderMalformed
          Credential=               | credential=            | AuthorizationHeaderMalformed
          SignedHeaders=host;       | SignedHeaders=         | AccessDenied
          SignedHeaders=host;       | SignedHeaders=host;host; | AuthorizationHeaderMalformed
          SignedHeaders=host;       | SignedHeaders=Host;    | AuthorizationHeaderMalformed
          SignedHeaders=host;       | SignedHeaders=z;host;  | AuthorizationHeaderMalformed
          SignedHeaders=host;       | SignedHeaders=aa;host; | SignatureDoesNotMatch
          Signature=                | Signature=0            | AuthorizationHeaderMalformed
          Signature=                | Signature=, Signature= | AuthorizationHeaderMalformed
          Signature=                | Extra=1, Signature=    | AuthorizationHeaderMalformed
          AWS4-HMAC-SHA256          | AWS4-ECDSA-P256-SHA256 | InvalidRequest
          AWS4-HMAC-SHA256          | AWS                    | InvalidRequest
          AWS4-HMAC-SHA256          | Bearer                 | InvalidRequest
          AWS4-HMAC-SHA256          | aws4-hmac-sha256       | InvalidRequest
          """)
  void whatTheSignatureSaysOfItselfIsReadStrictly(String from, String to, String code) {
    assertThat(withAuthorization(from, to == null ? "" : to).code()).isEqualTo(code);
  }

  @Test
  void anEmptyAuthorizationIsNotAnonymous() {
    assertThat(refused(PLAIN.with("authorization", ""))).isEqualTo(new SignatureFault.Empty());
    assertThat(refused(PLAIN.with("authorization", "AWS " + Requests.ID + ":c2ln")).code())
        .isEqualTo("InvalidRequest");
    assertThat(refused(PLAIN.withQuery("AWSAccessKeyId=a&Signature=b&Expires=1")).code())
        .isEqualTo("InvalidRequest");
  }

  @Test
  void oneWayToAuthenticate() {
    SignedRequest presigned = signer.presign(PLAIN, Duration.ofMinutes(5), NOW);
    var two = new SignatureFault.TwoSignatures();
    assertThat(refused(signed.withQuery(presigned.rawQuery()))).isEqualTo(two);
    assertThat(refused(signed.with("authorization", signed.values("authorization").getFirst())))
        .isEqualTo(two);
    for (String mark :
        new String[] {"X-Amz-Credential=x", "x-amz-signature=x", "X-Amz-Algorithm", "X-Amz-Date"}) {
      assertThat(refused(signed.withQuery(PLAIN.rawQuery() + "&" + mark))).isEqualTo(two);
    }
  }

  /** The credential in the query and the payload's mode in a field, with no Authorization. */
  @Test
  void aCredentialInTheQueryIsNeverTakenAtItsWord() {
    SignedRequest request =
        PLAIN
            .withQuery(
                "X-Amz-Credential=" + Requests.ID + "%2F20261115%2Fus-east-1%2Fs3%2Faws4_request")
            .with("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER")
            .with("x-amz-date", "20261115T100000Z");
    assertThat(refused(request)).isInstanceOf(SignatureFault.Malformed.class);
  }

  @ParameterizedTest
  @CsvSource({"-901, false", "-900, true", "0, true", "900, true", "901, false"})
  void aSignatureInAFieldHoldsFor15Minutes(int secondsLater, boolean holds) {
    var outcome = verifier.verify(signed, NOW.plusSeconds(secondsLater));
    if (holds) {
      verified(outcome);
    } else {
      assertThat(fault(outcome).code()).isEqualTo("RequestTimeTooSkewed");
      assertThat(fault(outcome).members()).containsEntry("RequestTime", "20261115T100000Z");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-901, AccessDenied",
    "-900, ok",
    "0, ok",
    "299, ok",
    "300, AccessDenied",
    "86400, AccessDenied"
  })
  void aPresignedRequestHoldsFromItsTimeToItsEnd(int secondsLater, String expected) {
    SignedRequest presigned = signer.presign(PLAIN, Duration.ofMinutes(5), NOW);
    var outcome = verifier.verify(presigned, NOW.plusSeconds(secondsLater));
    assertThat(outcome instanceof Verification.Refused(var fault) ? fault.code() : "ok")
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-7", "604801", "609901", "", "1e3", "00000300", "5m", "%31%30x"})
  void thePresignedTimeHasBounds(String expires) {
    SignedRequest presigned = signer.presign(PLAIN, Duration.ofMinutes(5), NOW);
    String query = presigned.rawQuery().replace("X-Amz-Expires=300", "X-Amz-Expires=" + expires);
    assertThat(refused(presigned.withQuery(query)).status()).isEqualTo(403);
    var week = signer.presign(PLAIN, Duration.ofDays(7), NOW);
    verified(verifier.verify(week, NOW.plus(Duration.ofDays(7)).minusSeconds(1)));
  }

  @Test
  void aPresignedRequestCannotBeTurnedIntoAnother() {
    SignedRequest presigned = signer.presign(PLAIN, Duration.ofMinutes(5), NOW);
    verified(verifier.verify(presigned, NOW));
    var query = presigned.rawQuery();
    var changed =
        new SignedRequest[] {
          new SignedRequest("DELETE", presigned.rawPath(), query, presigned.headers()),
          new SignedRequest("GET", "/bucket/a%20c", query, presigned.headers()),
          replaced(presigned, "host", "evil.example"),
          presigned.withQuery(query + "&response-content-type=text/html"),
          presigned.withQuery(query + "&versionId=1"),
          presigned.withQuery(query.replace("prefix=x/y", "prefix=x/z")),
          presigned.withQuery(query.replace("Expires=300", "Expires=301")),
        };
    for (SignedRequest other : changed) {
      assertThat(refused(other)).isInstanceOf(SignatureFault.Mismatch.class);
    }
    assertThat(refused(presigned.withQuery(query + "&X-Amz-Signature=" + "0".repeat(64))))
        .isInstanceOf(SignatureFault.Malformed.class);
    assertThat(
            refused(
                presigned.withQuery(query.replace("AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256"))))
        .isEqualTo(new SignatureFault.OtherScheme("the asymmetric signature version 4"));
    assertThat(refused(presigned.withQuery(query.replaceFirst("&X-Amz-Signature=.*", ""))))
        .isInstanceOf(SignatureFault.Malformed.class);
  }

  /** The parameter of the signature is not signed itself, so its name has one spelling. */
  @Test
  void theParametersOfASignatureHaveOneSpelling() {
    SignedRequest presigned = signer.presign(PLAIN, Duration.ofMinutes(5), NOW);
    for (String name :
        new String[] {"Algorithm", "Credential", "Date", "Expires", "SignedHeaders", "Signature"}) {
      String query =
          presigned
              .rawQuery()
              .replace(
                  "X-Amz-" + name + "=", "x-amz-" + name.toLowerCase(java.util.Locale.ROOT) + "=");
      assertThat(refused(presigned.withQuery(query))).isInstanceOf(SignatureFault.Malformed.class);
    }
  }

  @Test
  void thePayloadModeOfAPresignedRequestMustBeSigned() {
    var announced = PLAIN.with("x-amz-content-sha256", SignatureText.EMPTY_SHA256);
    SignedRequest unsignedMode =
        signer
            .presign(PLAIN, Duration.ofMinutes(5), NOW)
            .with("x-amz-content-sha256", SignatureText.EMPTY_SHA256);
    assertThat(refused(unsignedMode)).isInstanceOf(SignatureFault.HeadersNotSigned.class);
    assertThat(
            refused(
                replaced(
                    signer.presign(announced, Duration.ofMinutes(5), NOW),
                    "x-amz-content-sha256",
                    "STREAMING-AWS4-HMAC-SHA256-PAYLOAD")))
        .isInstanceOf(SignatureFault.BadPayloadMode.class);
  }

  @Test
  void theDateFieldCountsWhereTheOtherIsAbsent() {
    assertThat(refused(without(signed, "x-amz-date"))).isEqualTo(new SignatureFault.NoDate());
    assertThat(refused(replaced(signed, "x-amz-date", "2026-11-15T10:00:00Z")))
        .isEqualTo(new SignatureFault.NoDate());
    var dated = without(signed, "x-amz-date").with("date", "Sun, 15 Nov 2026 10:00:00 GMT");
    // Read, and then the signature does not fit, because it covered the other field.
    assertThat(refused(dated)).isInstanceOf(SignatureFault.Mismatch.class);
    assertThat(refused(signed.with("x-amz-date", "20261115T100000Z")))
        .isInstanceOf(SignatureFault.Invalid.class);
  }

  @Test
  void pathsAreTakenAsTheyAre() {
    for (String path :
        new String[] {"/b/a//b", "/b/../x", "/b/.", "/b/%2e%2e/c", "/b/a+b", "/b/%E1%88%B4"}) {
      var request = signer.sign(Requests.of("GET " + path + "\nHost: h"), EMPTY, NOW).request();
      verified(verifier.verify(request, NOW));
    }
    // Spelled with escapes or without, it is one path.
    var spelled = signer.sign(Requests.of("GET /b/a~b\nHost: h"), EMPTY, NOW).request();
    verified(verifier.verify(new SignedRequest("GET", "/b/%61%7eb", "", spelled.headers()), NOW));
    assertThat(refused(new SignedRequest("GET", "/b/a%zzb", "", spelled.headers())))
        .isInstanceOf(SignatureFault.BadTarget.class);
    assertThat(refused(new SignedRequest("GET", "/b", "a=%4", spelled.headers())))
        .isInstanceOf(SignatureFault.BadTarget.class);
  }

  @Test
  void queriesAreSortedByNameAndPlusIsAPlus() throws Exception {
    var query = RequestQuery.parse("uploads&b=2&a-=1&a=2&a=1+2&=x&c=%2f/&&%C3%A9=%20");
    var canonical = new StringBuilder();
    query.canonical(_ -> false, canonical);
    assertThat(canonical.toString())
        .isEqualTo("=x&%C3%A9=%20&a=1%2B2&a=2&a-=1&b=2&c=%2F%2F&uploads=");
  }

  @Test
  void sessionTokensReachTheSourceOfKeys() {
    var withToken =
        new RequestSigner(
            ServiceRules.S3, Requests.ID, Requests.SECRET, Optional.of("a+b/c="), "mars");
    var seen = new java.util.ArrayList<KeySource.Claim>();
    var asks =
        new SignatureVerifier(
            ServiceRules.S3,
            claim -> {
              seen.add(claim);
              return Requests.KEYS.find(claim);
            });
    verified(asks.verify(withToken.sign(PLAIN, EMPTY, NOW).request(), NOW));
    verified(asks.verify(withToken.presign(PLAIN, Duration.ofMinutes(1), NOW), NOW));
    assertThat(seen)
        .hasSize(2)
        .allSatisfy(
            claim -> {
              assertThat(claim.sessionToken()).contains("a+b/c=");
              assertThat(claim.scope().region()).isEqualTo("mars");
            });
  }

  @Test
  void sqsHashesTheBodyItself() {
    var sqs = new SignatureVerifier(ServiceRules.SQS, Requests.KEYS);
    String hash = SignatureText.sha256("Action=ListQueues");
    var request =
        Requests.signer(ServiceRules.SQS)
            .sign(Requests.of("POST /\nHost: h"), new PayloadMode.Hashed(hash), NOW)
            .request();
    assertThat(request.values("x-amz-content-sha256")).isEmpty();
    verified(sqs.verify(request, hash, NOW));
    assertThat(fault(sqs.verify(request, SignatureText.EMPTY_SHA256, NOW)))
        .isInstanceOf(SignatureFault.Mismatch.class);
  }

  @Test
  void aSourceOfKeysSaysWhyThereIsNone() {
    for (var why :
        new SignatureFault[] {
          new SignatureFault.UnknownAccessKey(),
          new SignatureFault.ExpiredToken(),
          new SignatureFault.InvalidToken("not base64")
        }) {
      var none = new SignatureVerifier(ServiceRules.S3, _ -> new KeySource.Found.None(why));
      assertThat(fault(none.verify(signed, NOW))).isEqualTo(why);
    }
  }
}
