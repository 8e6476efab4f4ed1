package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRing;
import dev.ron.capability.TokenMint;
import dev.ron.capability.caveat.Caveat;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import dev.ron.sigv4.payload.ChunkSignatures;
import dev.ron.storage.s3.api.SignedDoor.Caller;
import dev.ron.testkit.RawHttp2;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signatures that other servers of S3 let pass, against a door that runs. */
@Timeout(120)
final class DoorSignatureTest {
  private static final String STREAMED = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
  private static final String FORGED = "0".repeat(64);

  private SignedDoor door;
  private Caller main;

  @BeforeEach
  void open() throws Exception {
    door = new SignedDoor();
    main = door.tenant("main");
    assertThat(main.put("/b12", "")).isEqualTo("200");
    assertThat(main.put("/b12/k", "secret")).isEqualTo("200");
  }

  @AfterEach
  void close() {
    door.close();
  }

  /** Every operation, and not only the one that a handler of its own was forgotten for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /",
        "PUT /b12",
        "PUT /new-bucket",
        "HEAD /b12",
        "DELETE /b12",
        "GET /b12",
        "GET /b12?list-type=2",
        "GET /b12?versions",
        "GET /b12?uploads",
        "GET /b12?location",
        "POST /b12?delete",
        "POST /b12",
        "PUT /b12?acl",
        "PUT /b12?policy",
        "DELETE /b12?policy",
        "PUT /b12?cors",
        "DELETE /b12?cors",
        "PUT /b12?encryption",
        "DELETE /b12?encryption",
        "PUT /b12?lifecycle",
        "DELETE /b12?lifecycle",
        "PUT /b12?versioning",
        "PUT /b12?tagging",
        "DELETE /b12?tagging",
        "PUT /b12?object-lock",
        "PUT /b12?publicAccessBlock",
        "DELETE /b12?publicAccessBlock",
        "PUT /b12?ownershipControls",
        "DELETE /b12?ownershipControls",
        "DELETE /b12?website",
        "DELETE /b12?replication",
        "PUT /b12/k",
        "GET /b12/k",
        "HEAD /b12/k",
        "DELETE /b12/k",
        "GET /b12/k?attributes",
        "GET /b12/k?versionId=null",
        "PUT /b12/k?acl",
        "PUT /b12/k?tagging",
        "DELETE /b12/k?tagging",
        "PUT /b12/k?retention",
        "PUT /b12/k?legal-hold",
        "POST /b12/k?uploads",
        "PUT /b12/k?partNumber=1&uploadId=00000000000000000000000000000000",
        "POST /b12/k?uploadId=00000000000000000000000000000000",
        "DELETE /b12/k?uploadId=00000000000000000000000000000000",
        "GET /b12/k?uploadId=00000000000000000000000000000000",
        "PUT /b12/k x-amz-copy-source: /b12/other",
        "PUT /b12/k?partNumber=1&uploadId=00000000000000000000000000000000"
            + " x-amz-copy-source: /b12/other",
      })
  void aMadeUpSignatureOpensNothing(String line) throws Exception {
    assertThat(main.put("/b12/other", "other")).isEqualTo("200");
    String[] words = line.split(" |: ", -1);
    String method = words[0];
    String[] fields = Arrays.copyOfRange(words, 2, words.length);
    for (String mode : List.of("UNSIGNED-PAYLOAD", STREAMED)) {
      SignedRequest unsigned = main.unsigned(method, words[1], fields);
      SignedRequest right =
          main.signer()
              .sign(
                  unsigned.with("x-amz-decoded-content-length", "4"),
                  PayloadMode.parse(mode).orElseThrow(),
                  Instant.now())
              .request();
      String body = mode.equals(STREAMED) ? "4\r\nevil\r\n0\r\n\r\n" : "evil";
      String told = door.raw(forged(right), method.equals("HEAD") ? "" : body);
      assertThat(told)
          .as(mode)
          .isIn("403 SignatureDoesNotMatch", method.equals("HEAD") ? "403" : "");
    }
    assertThat(main.send("GET", "/b12/k", "").text()).isEqualTo("secret");
  }

  private static SignedRequest forged(SignedRequest right) {
    var headers = new ArrayList<SignedRequest.Header>();
    for (SignedRequest.Header each : right.headers()) {
      headers.add(
          each.name().equals("authorization")
              ? new SignedRequest.Header(
                  each.name(), each.value().replaceFirst("Signature=.*", "Signature=" + FORGED))
              : each);
    }
    return new SignedRequest(right.method(), right.rawPath(), right.rawQuery(), headers);
  }

  /** The identity in the query, the mode in a field, and no signature at all. */
  @Test
  void aCredentialWithoutASignatureIsNoIdentity() throws Exception {
    String credential =
        "X-Amz-Credential="
            + main.pair().accessKeyId()
            + "%2F20260101%2Fus-east-1%2Fs3%2Faws4_request";
    assertThat(
            door.raw(
                main.unsigned("PUT", "/b12/k?" + credential),
                "4\r\nevil\r\n0\r\n\r\n",
                "x-amz-content-sha256",
                STREAMED,
                "x-amz-decoded-content-length",
                "4"))
        .startsWith("400 ");
    assertThat(main.send("GET", "/b12/k", "").text()).isEqualTo("secret");
  }

  @Test
  void oneRequestHasOneSignature() throws Exception {
    SignedRequest inQuery =
        main.signer().presign(main.unsigned("GET", "/b12/k"), Duration.ofMinutes(1), Instant.now());
    SignedRequest inField = main.signed(main.unsigned("GET", "/b12/k"));
    assertThat(door.raw(inQuery, "")).isEqualTo("200");
    assertThat(door.raw(inField, "")).isEqualTo("200");
    assertThat(door.raw(inField.withQuery(inQuery.rawQuery()), "")).startsWith("400 ");
    assertThat(door.raw(inField, "", "Authorization", "Basic eDp5")).startsWith("400 ");
    assertThat(door.raw(main.unsigned("GET", "/b12/k"), "", "Authorization", "Bearer x"))
        .startsWith("400 ");
    assertThat(door.raw(main.unsigned("GET", "/b12/k"), "", "Authorization", "")).startsWith("4");
    assertThat(door.raw(main.unsigned("GET", "/b12/k?AWSAccessKeyId=a&Signature=b&Expires=9"), ""))
        .startsWith("400 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        STREAMED,
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
        "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD",
        "STREAMING-ANYTHING",
        "UNSIGNED-PAYLOAD",
      })
  void withoutAKeyNoModeStores(String mode) throws Exception {
    String told =
        door.raw(
            main.unsigned("PUT", "/b12/k"),
            "4;chunk-signature=" + FORGED + "\r\nevil\r\n0;chunk-signature=" + FORGED + "\r\n\r\n",
            "x-amz-content-sha256",
            mode,
            "x-amz-decoded-content-length",
            "4");
    assertThat(told).startsWith("40");
    assertThat(main.send("GET", "/b12/k", "").text()).isEqualTo("secret");
  }

  /** A body in chunks that are signed as the script says; the last line is the last chunk. */
  private String streamed(int announced, String... chunks) throws Exception {
    RequestSigner.Signing signing =
        main.signer()
            .sign(
                main.unsigned(
                    "PUT",
                    "/b12/streamed",
                    "x-amz-decoded-content-length",
                    Integer.toString(announced)),
                PayloadMode.parse("STREAMING-AWS4-HMAC-SHA256-PAYLOAD").orElseThrow(),
                Instant.now());
    var signatures = new ChunkSignatures(signing.seed());
    var body = new StringBuilder();
    for (String chunk : chunks) {
      String data = chunk.startsWith("!") ? chunk.substring(1) : chunk;
      String signature =
          signatures.chunk(MessageDigest.getInstance("SHA-256").digest(data.getBytes(UTF_8)));
      body.append(Integer.toHexString(data.length()))
          .append(";chunk-signature=")
          .append(chunk.startsWith("!") ? FORGED : signature)
          .append("\r\n")
          .append(data)
          .append("\r\n");
    }
    return door.raw(signing.request(), body.toString());
  }

  @Test
  void everyChunkIsSignedToTheLast() throws Exception {
    assertThat(streamed(8, "good", "data", "")).isEqualTo("200");
    assertThat(main.delete("/b12/streamed")).isEqualTo("204");
    assertThat(streamed(8, "!good", "data", "")).isEqualTo("403 SignatureDoesNotMatch");
    assertThat(streamed(8, "good", "!data", "")).isEqualTo("403 SignatureDoesNotMatch");
    assertThat(streamed(8, "good", "data", "!")).isEqualTo("403 SignatureDoesNotMatch");
    assertThat(streamed(8, "good", "data")).startsWith("400 ");
    assertThat(streamed(8, "good", "")).startsWith("400 ");
    assertThat(streamed(4, "good", "data", "")).startsWith("400 ");
    assertThat(main.get("/b12/streamed")).isEqualTo("404 NoSuchKey");
  }

  /** Fields that a machine between could add, and that would mean something. */
  @ParameterizedTest
  @CsvSource({
    "x-amz-copy-source, /b12/k",
    "x-amz-acl, public-read",
    "x-amz-meta-evil, 1",
    "x-amz-tagging, a=b",
    "x-amz-object-lock-legal-hold, ON",
    "x-amz-bypass-governance-retention, true",
    "x-amz-security-token, abc",
    "X-AMZ-Anything, 1",
  })
  void whatIsNotSignedIsNotTaken(String name, String value) throws Exception {
    assertThat(door.raw(main.signed(main.unsigned("PUT", "/b12/new")), "x", name, value))
        .startsWith("40");
    SignedRequest link =
        main.signer()
            .presign(main.unsigned("PUT", "/b12/new"), Duration.ofMinutes(1), Instant.now());
    assertThat(door.raw(link, "x", name, value)).startsWith("40");
    assertThat(main.get("/b12/new")).isEqualTo("404 NoSuchKey");
  }

  @Test
  void aScopeIsForThisServiceAndThisDay() throws Exception {
    SignedRequest right = main.signed(main.unsigned("GET", "/b12/k"));
    for (String[] change :
        List.of(
            new String[] {"/s3/aws4", "/sqs/aws4"},
            new String[] {"/s3/aws4", "/S3/aws4"},
            new String[] {"/us-east-1/", "/eu-west-1/"},
            new String[] {"aws4_request", "aws4_reques"})) {
      var headers = new ArrayList<SignedRequest.Header>();
      right
          .headers()
          .forEach(
              each ->
                  headers.add(
                      new SignedRequest.Header(
                          each.name(),
                          each.name().equals("authorization")
                              ? each.value().replace(change[0], change[1])
                              : each.value())));
      assertThat(door.raw(new SignedRequest("GET", "/b12/k", "", headers), ""))
          .as(change[1])
          .startsWith("40");
    }
    var sqs =
        new RequestSigner(
            ServiceRules.SQS,
            main.pair().accessKeyId(),
            main.pair().secret(),
            Optional.empty(),
            "us-east-1");
    SignedRequest other =
        sqs.sign(main.unsigned("GET", "/b12/k"), new PayloadMode.Unsigned(), Instant.now())
            .request();
    assertThat(door.raw(other, "")).startsWith("40");
  }

  /** A pair that its own holder made up, or whose secret is of another. */
  @Test
  void noPairIsMadeWithoutTheRing() throws Exception {
    var random = new SplittableRandom(5);
    KeyRing strange = KeyRing.generate(random);
    KeyPair own = KeyPair.of(new TokenMint(strange, random).mint(List.of()));
    assertThat(door.of(own).get("/b12/k")).isEqualTo("403 InvalidAccessKeyId");
    // The id of a narrow pair without its caveat, signed with the secret of the narrow one.
    KeyPair narrow = main.pair().attenuate(new Caveat.Tenant("main"));
    var wide =
        new RequestSigner(
            ServiceRules.S3,
            main.pair().accessKeyId(),
            narrow.secret(),
            Optional.empty(),
            "us-east-1");
    SignedRequest request =
        wide.sign(main.unsigned("GET", "/b12/k"), new PayloadMode.Unsigned(), Instant.now())
            .request();
    assertThat(door.raw(request, "")).isEqualTo("403 SignatureDoesNotMatch");
    assertThat(door.of(narrow).get("/b12/k")).isEqualTo("200");
    for (String id :
        List.of("AKIAIOSFODNN7EXAMPLE", "RON1", "RON1AAAA", "RON1" + "A".repeat(4000))) {
      var unknown = new RequestSigner(ServiceRules.S3, id, "x", Optional.empty(), "us-east-1");
      SignedRequest made =
          unknown
              .sign(main.unsigned("GET", "/b12/k"), new PayloadMode.Unsigned(), Instant.now())
              .request();
      assertThat(door.raw(made, "")).as(id).isEqualTo("403 InvalidAccessKeyId");
    }
  }

  @Test
  void aPairEndsByItsExpiryAndByItsRevocation() throws Exception {
    Caller ended =
        door.tenant(
            "main",
            new Caveat.Expiry(Instant.now().minusSeconds(1).truncatedTo(ChronoUnit.SECONDS)));
    assertThat(ended.get("/b12/k")).isEqualTo("400 ExpiredToken");
    Caller withdrawn = door.tenant("main");
    assertThat(withdrawn.get("/b12/k")).isEqualTo("200");
    SignedRequest link =
        withdrawn
            .signer()
            .presign(withdrawn.unsigned("GET", "/b12/k"), Duration.ofDays(1), Instant.now());
    Caller child = door.of(withdrawn.pair().attenuate(new Caveat.Tenant("main")));
    door.revoke(withdrawn);
    assertThat(withdrawn.get("/b12/k")).startsWith("400 InvalidToken");
    assertThat(child.get("/b12/k")).startsWith("400 InvalidToken");
    assertThat(door.raw(link, "")).startsWith("400 InvalidToken");
  }

  @Test
  void caveatsInTheSessionTokenNarrow() throws Exception {
    KeyPair narrow = main.pair().attenuateSession(new Caveat.Operation(Set.of("list")));
    Caller lists = door.of(narrow);
    assertThat(lists.get("/b12")).isEqualTo("200");
    assertThat(lists.get("/b12/k")).isEqualTo("403 AccessDenied");
    // Without the token the secret is another's.
    var wide =
        new RequestSigner(
            ServiceRules.S3, narrow.accessKeyId(), narrow.secret(), Optional.empty(), "us-east-1");
    SignedRequest request =
        wide.sign(main.unsigned("GET", "/b12/k"), new PayloadMode.Unsigned(), Instant.now())
            .request();
    assertThat(door.raw(request, "")).isEqualTo("403 SignatureDoesNotMatch");
  }

  @Test
  void aLinkIsForOneRequestForItsTime() throws Exception {
    Instant now = Instant.now();
    SignedRequest link =
        main.signer().presign(main.unsigned("GET", "/b12/k"), Duration.ofMinutes(1), now);
    String query = link.rawQuery();
    assertThat(door.raw(link, "")).isEqualTo("200");
    SignedRequest put = new SignedRequest("PUT", "/b12/k", query, link.headers());
    assertThat(door.raw(put, "evil")).isEqualTo("403 SignatureDoesNotMatch");
    for (String changed :
        List.of(
            query + "&response-content-type=text%2Fhtml",
            query + "&versionId=null",
            query + "&X-Amz-Expires=604800",
            query.replace("X-Amz-Expires=60", "X-Amz-Expires=600"),
            query.replace("X-Amz-Expires=60", "X-Amz-Expires=604801"),
            query.replace("X-Amz-Expires=60", "X-Amz-Expires=0"),
            query.replace("X-Amz-Expires=60", "X-Amz-Expires=-7"))) {
      assertThat(door.raw(link.withQuery(changed), "")).as(changed).startsWith("40");
    }
    SignedRequest host =
        new SignedRequest(
            "GET", "/b12/k", query, List.of(new SignedRequest.Header("host", "localhost")));
    assertThat(door.raw(host, "")).startsWith("40");
    Caller anonymous = door.anonymous();
    assertThat(main.put("/b12/k?acl", "", "x-amz-acl", "public-read")).isEqualTo("200");
    assertThat(anonymous.get("/b12/k")).isEqualTo("200");
    assertThat(anonymous.get("/b12/k?response-content-type=text%2Fhtml"))
        .isEqualTo("400 InvalidRequest");
  }

  @ParameterizedTest
  @CsvSource({
    // its length and when it was signed, both in seconds; what it gets
    "60,     -61,     403 AccessDenied",
    "60,     -59000,  403 AccessDenied",
    "1,      -2,      403 AccessDenied",
    "604800, -604801, 403 AccessDenied",
    "604800, -604000, 200",
    "60,     960,     403 AccessDenied",
    "604800, 86400,   403 AccessDenied",
    "60,     600,     200",
  })
  void aLinkIsRefusedBeforeAndAfterItsTime(int length, int signed, String told) throws Exception {
    Instant at = Instant.now().plusSeconds(signed);
    RequestSigner signer = main.signer();
    Duration time = Duration.ofSeconds(length);
    assertThat(door.raw(signer.presign(main.unsigned("GET", "/b12/k"), time, at), ""))
        .isEqualTo(told);
    assertThat(door.raw(signer.presign(main.unsigned("PUT", "/b12/k"), time, at), "later"))
        .isEqualTo(told);
    assertThat(main.send("GET", "/b12/k", "").text())
        .isEqualTo(told.equals("200") ? "later" : "secret");
  }

  @Test
  void aSignedRequestCannotBeSentAgainLaterOrBefore() throws Exception {
    for (int seconds : List.of(-16 * 60, 16 * 60, -86_400, 86_400)) {
      SignedRequest other =
          main.signer()
              .sign(
                  main.unsigned("GET", "/b12/k"),
                  new PayloadMode.Unsigned(),
                  Instant.now().plusSeconds(seconds))
              .request();
      assertThat(door.raw(other, "")).isEqualTo("403 RequestTimeTooSkewed");
    }
  }

  /** The answer to a wrong signature helps its sender, and tells no secret. */
  @Test
  void aRefusalTellsNoSecret() throws Exception {
    SignedRequest request = forged(main.signed(main.unsigned("GET", "/b12/k")));
    var headers = new ArrayList<String>();
    request.headers().forEach(each -> headers.addAll(List.of(each.name(), each.value())));
    String told =
        door.anonymous()
            .send("GET", "/b12/k", "", headers.subList(2, headers.size()).toArray(new String[0]))
            .text();
    assertThat(told).contains("StringToSign").doesNotContain(main.pair().secret());
  }

  @Test
  void http2IsSignedByItsAuthority() throws Exception {
    String host = "127.0.0.1:" + door.port();
    SignedRequest signed = main.signed(main.unsigned("GET", "/b12/k"));
    assertThat(ask(SignedDoor.http2(signed, host))).isEqualTo("200");
    assertThat(ask(SignedDoor.http2(signed, "localhost"))).isEqualTo("403");
    List<String> both = SignedDoor.http2(signed, host);
    both.addAll(List.of("host", "localhost"));
    assertThat(ask(both)).isNotEqualTo("200");
  }

  private String ask(List<String> fields) throws Exception {
    try (var client = new RawHttp2(door.port())) {
      return client.ask(fields, "");
    }
  }
}
