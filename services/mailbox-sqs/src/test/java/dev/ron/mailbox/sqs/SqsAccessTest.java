package dev.ron.mailbox.sqs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Macaroon;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenId;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.http.server.Limits;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who gets in, and what they may do. */
final class SqsAccessTest {
  private static final KeyRing RING = KeyRing.generate(new SplittableRandom(7));
  private static final TokenMint MINT = new TokenMint(RING, new SplittableRandom(8));

  private static Verifier verifier;
  private static SqsRig rig;

  @BeforeAll
  static void start() throws Exception {
    verifier = new Verifier(new Trust(RING, Revocations.NONE));
    rig = new SqsRig(null, verifier);
    assertThat(signed(pair(), "CreateQueue", "QueueName=orders").statusCode()).isEqualTo(200);
  }

  @AfterAll
  static void stop() throws Exception {
    rig.close();
  }

  private static KeyPair pair(Caveat... caveats) {
    return KeyPair.of(MINT.mint(List.of(caveats)));
  }

  private static HttpResponse<String> signed(KeyPair pair, String action, String form)
      throws Exception {
    return signed(pair, action, form, Instant.now(), "us-east-1", ServiceRules.SQS);
  }

  private static HttpResponse<String> signed(
      KeyPair pair, String action, String form, Instant at, String region, ServiceRules rules)
      throws Exception {
    byte[] body = ("Action=" + action + "&" + form).getBytes(UTF_8);
    String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    var signer =
        new RequestSigner(rules, pair.accessKeyId(), pair.secret(), pair.sessionToken(), region);
    return sent(rig, signer, new PayloadMode.Hashed(hash), body, at);
  }

  private static HttpResponse<String> sent(
      SqsRig rig, RequestSigner signer, PayloadMode mode, byte[] body, Instant at)
      throws Exception {
    var form = new SignedRequest.Header("content-type", "application/x-www-form-urlencoded");
    return sent(rig, signer, mode, body, at, form);
  }

  private static HttpResponse<String> sent(
      SqsRig rig,
      RequestSigner signer,
      PayloadMode mode,
      byte[] body,
      Instant at,
      SignedRequest.Header... more)
      throws Exception {
    var headers = new ArrayList<>(List.of(more));
    headers.addFirst(new SignedRequest.Header("host", "127.0.0.1:" + rig.port()));
    var request = new SignedRequest("POST", "/", "", headers);
    SignedRequest done = signer.sign(request, mode, at).request();
    var fields = new ArrayList<String>();
    for (SignedRequest.Header header : done.headers()) {
      if (!header.name().equals("host")) {
        fields.add(header.name());
        fields.add(header.value());
      }
    }
    return rig.query().send("/", body, fields.toArray(String[]::new));
  }

  private static String code(HttpResponse<String> said) {
    int at = said.body().indexOf("<Code>");
    return said.statusCode()
        + " "
        + (at < 0 ? "" : said.body().substring(at + 6, said.body().indexOf("</Code>")));
  }

  @Test
  void aSignatureLetsInAndAWrongOneDoesNot() throws Exception {
    assertThat(code(signed(pair(), "ListQueues", "a=1"))).isEqualTo("200 ");
    assertThat(
            code(
                signed(
                    pair(),
                    "ListQueues",
                    "a=1",
                    Instant.now(),
                    "us-east-1",
                    ServiceRules.of("sqs_query"))))
        .isEqualTo("200 ");
    KeyPair other =
        KeyPair.of(
            new TokenMint(KeyRing.generate(new SplittableRandom(9)), new SplittableRandom(1))
                .mint(List.of()));
    assertThat(code(signed(other, "ListQueues", ""))).isEqualTo("403 InvalidClientTokenId");
    Instant old = Instant.now().minus(Duration.ofMinutes(16));
    assertThat(code(signed(pair(), "ListQueues", "", old, "us-east-1", ServiceRules.SQS)))
        .isEqualTo("400 RequestExpired");
    assertThat(
            code(
                signed(
                    pair(), "ListQueues", "", Instant.now(), "us-east-1", ServiceRules.of("s3"))))
        .isEqualTo("400 IncompleteSignature");
  }

  @Test
  void aBodyThatIsNotTheSignedOneIsRefused() throws Exception {
    byte[] body = "Action=ListQueues".getBytes(UTF_8);
    String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    KeyPair pair = pair();
    var signer =
        new RequestSigner(
            ServiceRules.SQS, pair.accessKeyId(), pair.secret(), Optional.empty(), "us-east-1");
    for (boolean announced : List.of(true, false)) {
      var request =
          new SignedRequest(
              "POST",
              "/",
              "",
              List.of(new SignedRequest.Header("host", "127.0.0.1:" + rig.port())));
      SignedRequest done =
          signer.sign(request, new PayloadMode.Hashed(hash), Instant.now()).request();
      var fields = new ArrayList<String>();
      for (SignedRequest.Header header : done.headers()) {
        boolean sum = header.name().equals("x-amz-content-sha256");
        if (!header.name().equals("host") && (announced || !sum)) {
          fields.add(header.name());
          fields.add(header.value());
        }
      }
      HttpResponse<String> said =
          rig.query()
              .send("/", "Action=ListQueues&x=1".getBytes(UTF_8), fields.toArray(String[]::new));
      assertThat(code(said)).as("announced " + announced).isEqualTo("403 SignatureDoesNotMatch");
    }
  }

  /** A signature that leaves the body out would let in every other body under it. */
  @Test
  void aSignatureCoversTheBody() throws Exception {
    KeyPair pair = pair();
    var signer =
        new RequestSigner(
            ServiceRules.SQS, pair.accessKeyId(), pair.secret(), Optional.empty(), "us-east-1");
    byte[] body = "Action=ListQueues".getBytes(UTF_8);
    assertThat(code(sent(rig, signer, new PayloadMode.Unsigned(), body, Instant.now())))
        .isEqualTo("403 SignatureDoesNotMatch");
  }

  /** Made-up signatures slow down their address; a key that was proven before is not held up. */
  @Test
  void aFloodOfWrongSignaturesSlowsDownStrangersAlone() throws Exception {
    try (var hardened = new SqsRig(null, verifier, Limits.HARDENED)) {
      byte[] body = "Action=ListQueues".getBytes(UTF_8);
      String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
      var mode = new PayloadMode.Hashed(hash);
      KeyPair known = pair();
      var good =
          new RequestSigner(
              ServiceRules.SQS, known.accessKeyId(), known.secret(), Optional.empty(), "us-east-1");
      assertThat(code(sent(hardened, good, mode, body, Instant.now()))).isEqualTo("200 ");
      var wrong =
          new RequestSigner(
              ServiceRules.SQS, pair().accessKeyId(), "wrong", Optional.empty(), "us-east-1");
      var told = new HashSet<String>();
      for (int i = 0; i < 400; i++) {
        told.add(code(sent(hardened, wrong, mode, body, Instant.now())));
      }
      assertThat(told)
          .containsExactlyInAnyOrder("403 SignatureDoesNotMatch", "403 RequestThrottled");
      assertThat(code(sent(hardened, good, mode, body, Instant.now()))).isEqualTo("200 ");
    }
  }

  @Test
  void aPolicySendsNoMessagesWhereItsWriterMaySendNone() throws Exception {
    KeyPair one = pair(new Caveat.Tenant("source"));
    String theirs = "arn:aws:sqs:us-east-1:000000000000:orders";
    String policy = "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":1}";
    String named = "Attribute.1.Name=RedrivePolicy&Attribute.1.Value=";
    HttpResponse<String> said =
        signed(one, "CreateQueue", "QueueName=q&" + named + escaped(policy.formatted(theirs)));
    assertThat(code(said)).isEqualTo("400 InvalidParameterValue");
    assertThat(said.body()).contains("Dead-letter queue owner should be same as the source.");
    assertThat(code(signed(pair(), "CreateQueue", "QueueName=narrow"))).isEqualTo("200 ");
    KeyPair narrow = pair(new Caveat.Prefix("sqs/000000000000/narrow"));
    String set = "QueueUrl=narrow&" + named + escaped(policy.formatted(theirs));
    assertThat(code(signed(narrow, "SetQueueAttributes", set))).isEqualTo("403 AccessDenied");
    assertThat(code(signed(pair(), "SetQueueAttributes", set))).isEqualTo("200 ");
    String west = theirs.replace("us-east-1", "us-west-2");
    said =
        signed(
            pair(),
            "SetQueueAttributes",
            "QueueUrl=narrow&" + named + escaped(policy.formatted(west)));
    assertThat(said.body()).contains("Dead-letter queue must be in same region as the source.");
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  @Test
  void aPresignedRequestNeedsNoFields() throws Exception {
    KeyPair pair = pair();
    var signer =
        new RequestSigner(
            ServiceRules.SQS, pair.accessKeyId(), pair.secret(), Optional.empty(), "us-east-1");
    var request =
        new SignedRequest(
            "GET",
            "/000000000000/orders",
            "Action=GetQueueAttributes&AttributeName.1=QueueArn",
            List.of(new SignedRequest.Header("host", "127.0.0.1:" + rig.port())));
    SignedRequest done = signer.presign(request, Duration.ofMinutes(5), Instant.now());
    HttpResponse<String> said =
        rig.query().send(done.rawPath() + "?" + done.rawQuery(), new byte[0]);
    assertThat(said.body()).contains("arn:aws:sqs:us-east-1:000000000000:orders");
  }

  @Test
  void aTokenIsTakenTooAndNothingAtAllIsNot() throws Exception {
    Macaroon token = MINT.mint(List.of());
    byte[] body = "Action=ListQueues".getBytes(UTF_8);
    HttpResponse<String> said =
        rig.query().send("/", body, "Authorization", "Bearer " + token.token());
    assertThat(code(said)).isEqualTo("200 ");
    assertThat(code(rig.query().send("/", body))).isEqualTo("403 MissingAuthenticationToken");
    assertThat(code(rig.query().send("/", body, "Authorization", "Bearer nonsense")))
        .isEqualTo("403 InvalidClientTokenId");
    assertThat(rig.query().send("/health", new byte[0]).statusCode()).isEqualTo(200);
    assertThat(
            code(rig.query().send("/_aws/sqs/messages/us-east-1/000000000000/orders", new byte[0])))
        .isEqualTo("403 MissingAuthenticationToken");
  }

  /** Clients tell by the shape whether to ask for other keys. */
  @Test
  void whoIsNotLetInIsToldWhyInBothProtocols() throws Exception {
    record Refused(String header, int status, String code, String shape, String message) {}
    String sender = "Bearer " + MINT.mint(List.of(new Caveat.Operation(Set.of("send")))).token();
    String ended =
        "Bearer "
            + MINT.mint(
                    List.of(
                        Caveat.Expiry.after(Instant.now().minusSeconds(60), Duration.ofSeconds(1))))
                .token();
    for (Refused each :
        List.of(
            new Refused(
                sender,
                403,
                "AccessDenied",
                "AccessDeniedException",
                "Access to the resource is denied."),
            new Refused(
                "Bearer nonsense",
                403,
                "InvalidClientTokenId",
                "UnrecognizedClientException",
                "The security token included in the request is invalid."),
            new Refused(
                ended,
                403,
                "ExpiredToken",
                "ExpiredTokenException",
                "The security token included in the request is expired"),
            new Refused(
                "",
                403,
                "MissingAuthenticationToken",
                "MissingAuthenticationTokenException",
                "Request is missing Authentication Token"))) {
      List<String> key =
          each.header().isEmpty() ? List.of() : List.of("Authorization", each.header());
      HttpResponse<String> form =
          rig.query().send("/", "Action=ListQueues".getBytes(UTF_8), key.toArray(String[]::new));
      assertThat(code(form)).isEqualTo(each.status() + " " + each.code());
      assertThat(form.body()).contains("<Message>" + each.message() + "</Message>");
      var fields = new ArrayList<>(key);
      fields.addAll(List.of("Content-Type", "application/x-amz-json-1.0"));
      fields.addAll(List.of("X-Amz-Target", "AmazonSQS.ListQueues"));
      HttpResponse<String> json =
          rig.json().send("/", "{}".getBytes(UTF_8), fields.toArray(String[]::new));
      assertThat(json.statusCode()).isEqualTo(each.status());
      assertThat(json.body())
          .isEqualTo(
              "{\"__type\":\"com.amazon.coral.service#%s\",\"message\":\"%s\"}"
                  .formatted(each.shape(), each.message()));
      assertThat(json.headers().firstValue("x-amzn-query-error")).hasValue(each.code() + ";Sender");
    }
  }

  @Test
  void aWrongSignatureHasItsShapeInJson() throws Exception {
    record Wrong(String secret, ServiceRules rules, Duration ago, String told) {}
    KeyPair pair = pair();
    for (Wrong each :
        List.of(
            new Wrong(
                "wrong",
                ServiceRules.SQS,
                Duration.ZERO,
                "403 InvalidSignatureException SignatureDoesNotMatch;Sender"),
            new Wrong(
                pair.secret(),
                ServiceRules.SQS,
                Duration.ofMinutes(16),
                "400 InvalidSignatureException RequestExpired;Sender"),
            new Wrong(
                pair.secret(),
                ServiceRules.of("s3"),
                Duration.ZERO,
                "400 IncompleteSignatureException IncompleteSignature;Sender"))) {
      byte[] body = "{}".getBytes(UTF_8);
      String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
      HttpResponse<String> said =
          sent(
              rig,
              new RequestSigner(
                  each.rules(), pair.accessKeyId(), each.secret(), Optional.empty(), "us-east-1"),
              new PayloadMode.Hashed(hash),
              body,
              Instant.now().minus(each.ago()),
              new SignedRequest.Header("content-type", "application/x-amz-json-1.0"),
              new SignedRequest.Header("x-amz-target", "AmazonSQS.ListQueues"));
      String type = said.body().replaceAll(".*com.amazon.coral.service#([A-Za-z]+)\".*", "$1");
      String code = said.headers().firstValue("x-amzn-query-error").orElse("");
      assertThat(said.statusCode() + " " + type + " " + code).isEqualTo(each.told());
    }
  }

  @Test
  void aKeyDoesWhatItsCapabilityAllowsAndNoMore() throws Exception {
    KeyPair sender = pair(new Caveat.Operation(Set.of("send")));
    assertThat(code(signed(sender, "SendMessage", "QueueUrl=orders&MessageBody=b")))
        .isEqualTo("200 ");
    for (String action : List.of("ReceiveMessage", "PurgeQueue", "DeleteQueue", "ListQueueTags")) {
      assertThat(code(signed(sender, action, "QueueUrl=orders")))
          .as(action)
          .isEqualTo("403 AccessDenied");
    }
    assertThat(code(signed(sender, "ListQueues", ""))).isEqualTo("403 AccessDenied");
    assertThat(code(signed(sender, "CreateQueue", "QueueName=x"))).isEqualTo("403 AccessDenied");
    KeyPair there = pair(new Caveat.Prefix("sqs/000000000000/orders"));
    assertThat(code(signed(there, "ReceiveMessage", "QueueUrl=orders"))).isEqualTo("200 ");
    assertThat(code(signed(there, "CreateQueue", "QueueName=other"))).isEqualTo("403 AccessDenied");
    assertThat(code(signed(pair(new Caveat.Service(Set.of("sqs"))), "ListQueues", "")))
        .isEqualTo("200 ");
    assertThat(code(signed(pair(new Caveat.Service(Set.of("s3"))), "ListQueues", "")))
        .isEqualTo("403 AccessDenied");
  }

  @Test
  void aTenantHasAnAccountOfItsOwn() throws Exception {
    KeyPair one = pair(new Caveat.Tenant("one"));
    String url = signed(one, "CreateQueue", "QueueName=mine").body();
    assertThat(url).containsPattern("/[0-9]{12}/mine<").doesNotContain("/000000000000/");
    assertThat(signed(one, "CreateQueue", "QueueName=mine").body()).contains("/mine<");
    String path = url.replaceAll("(?s).*<QueueUrl>http://[^/]+", "").replaceAll("(?s)<.*", "");
    KeyPair two = pair(new Caveat.Tenant("two"));
    assertThat(code(signed(two, "ReceiveMessage", "QueueUrl=" + path)))
        .isEqualTo("403 AccessDenied");
    assertThat(signed(two, "ListQueues", "").body()).doesNotContain("QueueUrl");
    assertThat(code(signed(pair(), "ReceiveMessage", "QueueUrl=" + path)))
        .as("an operator's key reaches all accounts")
        .isEqualTo("200 ");
  }

  @Test
  void revocationExpiryAndRatesHold() throws Exception {
    Macaroon token = MINT.mint(List.of());
    KeyPair pair = KeyPair.of(token);
    assertThat(code(signed(pair, "ListQueues", ""))).isEqualTo("200 ");
    TokenId id = TokenId.parse(token.identifier()).orElseThrow();
    verifier.trust(_ -> new Trust(RING, Revocations.NONE.with(id)));
    assertThat(code(signed(pair, "ListQueues", ""))).isEqualTo("403 InvalidClientTokenId");
    verifier.trust(_ -> new Trust(RING, Revocations.NONE));
    KeyPair ended =
        pair(Caveat.Expiry.after(Instant.now().minusSeconds(60), Duration.ofSeconds(1)));
    assertThat(code(signed(ended, "ListQueues", ""))).isEqualTo("403 ExpiredToken");
    KeyPair slow = pair(new Caveat.Rate(1));
    var codes = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      codes.add(code(signed(slow, "ListQueues", "")));
    }
    assertThat(codes).contains("200 ", "403 RequestThrottled");
  }

  @Test
  void anyKeyIsTakenWhereThatIsSaid() throws Exception {
    try (var open = new SqsRig(null, verifier, "sqs.any_key=true", "danger_ok=true")) {
      assertThat(open.json().call("ListQueues").status()).isEqualTo(200);
      assertThat(open.sqsScope().readiness().notes()).containsKey("keys");
    }
  }

  @Test
  void largeBodiesAreHeldToALimit() throws Exception {
    byte[] body = ("Action=SendMessage&MessageBody=" + "a".repeat(9 << 20)).getBytes(ISO_8859_1);
    assertThat(rig.query().send("/", body).statusCode()).isEqualTo(400);
  }
}
