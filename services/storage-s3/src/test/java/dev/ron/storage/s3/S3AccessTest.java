package dev.ron.storage.s3;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.config.Section;
import dev.ron.config.Settings;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import dev.ron.sigv4.CredentialScope;
import dev.ron.sigv4.DerivedKey;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.StorageConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies, public access blocks, CORS, lifecycle rules and forms, over sockets. */
@Timeout(120)
final class S3AccessTest {
  private final KeyRing ring = KeyRing.generate(new Random(1));
  private final TokenMint mint = new TokenMint(ring, new Random(2));
  private final HttpClient client = HttpClient.newHttpClient();
  private final World world = World.real(Log.silent());
  private final KeyPair acme = pair("acme");
  private final KeyPair other = pair("other");
  private @Nullable Tree tree;
  private int port;

  private KeyPair pair(String tenant) {
    return KeyPair.of(mint.mint(List.of(new Caveat.Tenant(tenant))));
  }

  private record Both(StorageConfig storage, StorageS3Config s3) {
    static Both read(Section section) {
      return new Both(
          StorageConfig.read(section), StorageS3Config.read(section.section("s3"), "127.0.0.1:0"));
    }
  }

  @BeforeEach
  void start() throws Exception {
    Scope scope = Scope.of("storage", world);
    Settings settings =
        Settings.load(
            Map.of(
                "storage.bind", "127.0.0.1:0",
                "storage.amnesia", "true",
                "storage.s3.lifecycle.day", "1s",
                "storage.s3.lifecycle.period", "100ms"),
            Map.of(),
            Optional.empty());
    var storage = settings.read("storage", Both::read);
    settings.check();
    StorageS3Service.Wired wired =
        StorageS3Service.wire(
            storage.value().s3(),
            storage.value().storage(),
            scope,
            Limits.OPEN,
            List.of(),
            new Verifier(new Trust(ring, Revocations.NONE)));
    tree = wired.supervisor().start(scope);
    port = wired.door().port();
    assertThat(send(acme, "PUT", "/photos", "", "").statusCode()).isEqualTo(200);
    assertThat(send(acme, "PUT", "/photos/cat", "", "meow").statusCode()).isEqualTo(200);
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    if (tree != null) {
      tree.drain();
    }
  }

  /** Signed in the query by the pair; not at all if it is null. */
  private HttpResponse<String> send(
      @Nullable KeyPair pair,
      String method,
      String path,
      String query,
      String body,
      String... fields)
      throws Exception {
    String host = "127.0.0.1:" + port;
    String signed = query;
    if (pair != null) {
      var signer =
          new RequestSigner(
              ServiceRules.S3, pair.accessKeyId(), pair.secret(), Optional.empty(), "us-east-1");
      signed =
          signer
              .presign(
                  new SignedRequest(
                      method, path, query, List.of(new SignedRequest.Header("host", host))),
                  Duration.ofMinutes(5),
                  world.time().wall())
              .rawQuery();
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://" + host + path + (signed.isEmpty() ? "" : "?" + signed)))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private int status(@Nullable KeyPair pair, String method, String path, String query, String body)
      throws Exception {
    return send(pair, method, path, query, body).statusCode();
  }

  private static String policy(String effect, String principal, String action, String resource) {
    return """
        {"Version":"2012-10-17","Statement":[{"Effect":"%s","Principal":%s,"Action":"%s",
        "Resource":"arn:aws:s3:::%s"}]}"""
        .formatted(effect, principal, action, resource);
  }

  @Test
  void aPolicyLetsInAndShutsOutAlsoTheOwnerButForThePolicyItself() throws Exception {
    assertThat(status(other, "GET", "/photos/cat", "", "")).isEqualTo(403);
    assertThat(status(null, "GET", "/photos/cat", "", "")).isEqualTo(403);
    String named = policy("Allow", "{\"AWS\":\"other\"}", "s3:GetObject", "photos/*");
    assertThat(status(acme, "PUT", "/photos", "policy", named)).isEqualTo(204);
    assertThat(send(acme, "GET", "/photos", "policy", "").body()).isEqualTo(named);
    assertThat(status(other, "GET", "/photos/cat", "", "")).isEqualTo(200);
    assertThat(status(null, "GET", "/photos/cat", "", "")).isEqualTo(403);
    assertThat(status(other, "PUT", "/photos/cat", "", "x")).isEqualTo(403);
    assertThat(status(other, "PUT", "/photos", "policy", named)).isEqualTo(403);

    assertThat(status(acme, "PUT", "/photos", "policy", policy("Deny", "\"*\"", "s3:*", "photos*")))
        .isEqualTo(204);
    assertThat(status(acme, "GET", "/photos/cat", "", "")).isEqualTo(403);
    assertThat(status(acme, "GET", "/photos", "policy", "")).isEqualTo(200);
    assertThat(status(acme, "DELETE", "/photos", "policy", "")).isEqualTo(204);
    assertThat(status(acme, "GET", "/photos/cat", "", "")).isEqualTo(200);
    assertThat(status(acme, "GET", "/photos", "policy", "")).isEqualTo(404);
  }

  @Test
  void noFieldOfARequestSaysWhereItComesFrom() throws Exception {
    String policy =
        """
        {"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":"*","Action":"s3:GetObject",
        "Resource":"*","Condition":{"IpAddress":{"aws:SourceIp":"%s"}}}}""";
    assertThat(status(acme, "PUT", "/photos", "policy", policy.formatted("10.0.0.0/8")))
        .isEqualTo(204);
    assertThat(
            send(
                    null,
                    "GET",
                    "/photos/cat",
                    "",
                    "",
                    "X-Forwarded-For",
                    "10.1.1.1",
                    "X-Real-IP",
                    "10.1.1.1",
                    "Forwarded",
                    "for=10.1.1.1")
                .statusCode())
        .isEqualTo(403);
    assertThat(status(acme, "PUT", "/photos", "policy", policy.formatted("127.0.0.0/8")))
        .isEqualTo(204);
    assertThat(status(null, "GET", "/photos/cat", "", "")).isEqualTo(200);
  }

  @Test
  void aPublicAccessBlockIsAboveThePolicy() throws Exception {
    String open = policy("Allow", "\"*\"", "s3:GetObject", "photos/*");
    assertThat(status(acme, "PUT", "/photos", "policy", open)).isEqualTo(204);
    assertThat(status(null, "GET", "/photos/cat", "", "")).isEqualTo(200);
    assertThat(send(acme, "GET", "/photos", "policyStatus", "").body())
        .contains("<IsPublic>true</IsPublic>");
    String block =
        """
        <PublicAccessBlockConfiguration><BlockPublicPolicy>true</BlockPublicPolicy>
        <RestrictPublicBuckets>true</RestrictPublicBuckets></PublicAccessBlockConfiguration>""";
    assertThat(status(acme, "PUT", "/photos", "publicAccessBlock", block)).isEqualTo(200);
    assertThat(status(null, "GET", "/photos/cat", "", "")).isEqualTo(403);
    assertThat(status(acme, "GET", "/photos/cat", "", "")).isEqualTo(200);
    assertThat(status(acme, "PUT", "/photos", "policy", open)).isEqualTo(403);
    assertThat(send(acme, "GET", "/photos", "policyStatus", "").body())
        .contains("<IsPublic>false</IsPublic>");
    assertThat(status(acme, "DELETE", "/photos", "publicAccessBlock", "")).isEqualTo(204);
    assertThat(status(acme, "GET", "/photos", "publicAccessBlock", "")).isEqualTo(404);
  }

  @Test
  void otherOriginsAreToldWhatTheRulesSayAlsoByRefusals() throws Exception {
    String rules =
        """
        <CORSConfiguration><CORSRule><AllowedOrigin>http://*.example</AllowedOrigin>
        <AllowedMethod>GET</AllowedMethod><AllowedHeader>x-amz-*</AllowedHeader>
        <MaxAgeSeconds>60</MaxAgeSeconds></CORSRule></CORSConfiguration>""";
    assertThat(status(acme, "PUT", "/photos", "cors", rules)).isEqualTo(200);
    HttpResponse<String> refused =
        send(null, "GET", "/photos/cat", "", "", "Origin", "http://a.example");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.headers().firstValue("Access-Control-Allow-Origin"))
        .contains("http://a.example");
    assertThat(refused.headers().firstValue("Access-Control-Allow-Credentials")).isEmpty();
    assertThat(
            send(acme, "GET", "/photos/cat", "", "", "Origin", "http://evil")
                .headers()
                .firstValue("Access-Control-Allow-Origin"))
        .isEmpty();
    HttpResponse<String> preflight =
        send(
            null,
            "OPTIONS",
            "/photos/cat",
            "",
            "",
            "Origin",
            "http://a.example",
            "Access-Control-Request-Method",
            "GET",
            "Access-Control-Request-Headers",
            "x-amz-date");
    assertThat(preflight.statusCode()).isEqualTo(200);
    assertThat(preflight.headers().firstValue("Access-Control-Allow-Headers"))
        .contains("x-amz-date");
    assertThat(preflight.headers().firstValue("Access-Control-Max-Age")).contains("60");
    assertThat(
            send(
                    null,
                    "OPTIONS",
                    "/photos/cat",
                    "",
                    "",
                    "Origin",
                    "http://a.example",
                    "Access-Control-Request-Method",
                    "PUT")
                .statusCode())
        .isEqualTo(403);
    assertThat(
            send(
                    null,
                    "OPTIONS",
                    "/nothing/cat",
                    "",
                    "",
                    "Origin",
                    "http://a.example",
                    "Access-Control-Request-Method",
                    "GET")
                .statusCode())
        .isEqualTo(403);
    assertThat(send(null, "OPTIONS", "/photos/cat", "", "").statusCode()).isEqualTo(400);
  }

  @Test
  void aLifecycleRuleDeletesWhatItFitsAndNothingElse() throws Exception {
    assertThat(status(acme, "PUT", "/photos/tmp/a", "", "x")).isEqualTo(200);
    String rules =
        """
        <LifecycleConfiguration><Rule><Status>Enabled</Status><Prefix>tmp/</Prefix>
        <Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>""";
    assertThat(status(acme, "PUT", "/photos", "lifecycle", rules)).isEqualTo(200);
    assertThat(send(acme, "GET", "/photos", "lifecycle", "").body()).contains("<ID>rule-1</ID>");
    assertThat(send(acme, "PUT", "/photos/tmp/b", "", "x").headers().firstValue("x-amz-expiration"))
        .hasValueSatisfying(value -> assertThat(value).contains("rule-id=\"rule-1\""));
    for (int look = 0; look < 3000 && status(acme, "GET", "/photos/tmp/b", "", "") == 200; look++) {
      LockSupport.parkNanos(2_000_000);
    }
    assertThat(status(acme, "GET", "/photos/tmp/a", "", "")).isEqualTo(404);
    assertThat(status(acme, "GET", "/photos/tmp/b", "", "")).isEqualTo(404);
    assertThat(status(acme, "GET", "/photos/cat", "", "")).isEqualTo(200);
  }

  private List<String> signed(KeyPair pair, String conditions) {
    Instant now = world.time().wall();
    String date =
        DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").format(now.atOffset(ZoneOffset.UTC));
    var scope = new CredentialScope(date.substring(0, 8), "us-east-1", "s3");
    String credential = pair.accessKeyId() + "/" + scope.text();
    String json =
        """
        {"expiration":"%s","conditions":[{"x-amz-credential":"%s"},{"x-amz-date":"%s"},
        {"x-amz-algorithm":"AWS4-HMAC-SHA256"},%s]}"""
            .formatted(now.plusSeconds(60), credential, date, conditions);
    String policy = Base64.getEncoder().encodeToString(json.getBytes(UTF_8));
    return new ArrayList<>(
        List.of(
            "policy", policy,
            "x-amz-credential", credential,
            "x-amz-date", date,
            "x-amz-algorithm", "AWS4-HMAC-SHA256",
            "x-amz-signature", DerivedKey.of(pair.secret(), scope).sign(policy)));
  }

  private HttpResponse<String> post(List<String> fields, String file) throws Exception {
    var body = new StringBuilder();
    for (int i = 0; i < fields.size(); i += 2) {
      body.append("--B\r\nContent-Disposition: form-data; name=\"")
          .append(fields.get(i))
          .append("\"\r\n\r\n")
          .append(fields.get(i + 1))
          .append("\r\n");
    }
    body.append(
            "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"dog.png\"\r\n\r\n")
        .append(file)
        .append("\r\n--B--\r\n");
    return send(
        null,
        "POST",
        "/photos",
        "",
        body.toString(),
        "Content-Type",
        "multipart/form-data; boundary=B");
  }

  /** A name of a file in any script, some of whose characters end in the byte of a line feed. */
  @ParameterizedTest
  @ValueSource(strings = {"\u00e9", "\u20ac", "\u4e0a\u6d77.png", "\ud83d\ude00"})
  void aFormStoresMetadataInAnyScript(String text) throws Exception {
    String conditions =
        """
        {"bucket":"photos"},["starts-with","$key","up/"],["starts-with","$x-amz-meta-by",""]""";
    List<String> fields = signed(acme, conditions);
    fields.addAll(List.of("key", "up/dog", "x-amz-meta-by", text));
    assertThat(post(fields, "woof").statusCode()).isEqualTo(204);
    String by =
        send(acme, "HEAD", "/photos/up/dog", "", "").headers().firstValue("x-amz-meta-by").get();
    assertThat(new String(by.getBytes(ISO_8859_1), UTF_8)).isEqualTo(text);
  }

  @Test
  void aFormStoresWhatItsPolicyLetsIt() throws Exception {
    String conditions =
        """
        {"bucket":"photos"},["starts-with","$key","up/"],["starts-with","$x-amz-meta-by",""],
        ["content-length-range",2,9000000]""";
    List<String> fields = signed(acme, conditions);
    fields.addAll(List.of("key", "up/${filename}", "x-amz-meta-by", "me"));
    assertThat(post(fields, "woof").statusCode()).isEqualTo(204);
    HttpResponse<String> stored = send(acme, "GET", "/photos/up/dog.png", "", "");
    assertThat(stored.body()).isEqualTo("woof");
    assertThat(stored.headers().firstValue("x-amz-meta-by")).contains("me");
    String large = "0123456789".repeat(500_000);
    assertThat(post(fields, large).statusCode()).isEqualTo(204);
    assertThat(send(acme, "GET", "/photos/up/dog.png", "", "").body()).isEqualTo(large);
    assertThat(post(fields, "w").statusCode()).isEqualTo(400);
    List<String> small = signed(acme, conditions.replace("9000000", "9"));
    small.addAll(List.of("key", "up/x", "x-amz-meta-by", "me"));
    assertThat(post(small, "0123456789").statusCode()).isEqualTo(400);

    List<String> wrongKey = signed(acme, conditions);
    wrongKey.addAll(List.of("key", "cat", "x-amz-meta-by", "me"));
    assertThat(post(wrongKey, "woof").statusCode()).isEqualTo(403);
    List<String> extra = new ArrayList<>(fields);
    extra.addAll(List.of("acl", "public-read"));
    assertThat(post(extra, "woof").statusCode()).isEqualTo(403);
    List<String> forged = new ArrayList<>(fields);
    forged.set(9, "0".repeat(64));
    assertThat(post(forged, "woof").statusCode()).isEqualTo(403);
    List<String> stranger = signed(other, conditions);
    stranger.addAll(List.of("key", "up/x", "x-amz-meta-by", "me"));
    assertThat(post(stranger, "woof").statusCode()).isEqualTo(403);
    assertThat(post(List.of("key", "up/x"), "woof").statusCode()).isEqualTo(403);
    assertThat(
            post(
                    List.of("key", "up/x", "AWSAccessKeyId", "a", "signature", "b", "policy", "c"),
                    "x")
                .body())
        .contains("version 2");
  }
}
