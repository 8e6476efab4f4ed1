package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.sigv4.CredentialScope;
import dev.ron.sigv4.DerivedKey;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.s3.api.SignedDoor.Caller;
import dev.ron.testkit.RawClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Key pairs that end while they are used, that are used too often, and floods of wrong ones. */
@Timeout(120)
final class DoorAdmissionTest {
  private static final int LARGE = 48 << 20;

  /**
   * More than the buffers of both sockets hold. A door reads so much only of a body whose pair it
   * has found good, so once it is sent, the transfer is under way.
   */
  private static final int UNDER_WAY = 24 << 20;

  private static String head(SignedRequest request, int bodyBytes) {
    var head = new StringBuilder(request.method() + " " + request.rawPath() + " HTTP/1.1\r\n");
    request
        .headers()
        .forEach(each -> head.append(each.name()).append(": ").append(each.value()).append("\r\n"));
    return head.append("Content-Length: ").append(bodyBytes).append("\r\n\r\n").toString();
  }

  @Test
  void anUploadEndsWithItsPair() throws Exception {
    try (var door = new SignedDoor("storage.s3.object_bytes", "64MiB")) {
      Caller main = door.tenant("main");
      assertThat(main.put("/b12", "")).isEqualTo("200");
      Caller leaver = door.tenant("main");
      SignedRequest put = leaver.signed(leaver.unsigned("PUT", "/b12/half"));
      try (var client = new RawClient(door.port())) {
        client.send(head(put, LARGE)).send("x".repeat(UNDER_WAY));
        door.revoke(leaver);
        String answer = client.rest();
        assertThat(SignedDoor.brief(answer)).isEqualTo("403 AccessDenied");
      }
      assertThat(main.get("/b12/half")).isEqualTo("404 NoSuchKey");
    }
  }

  @Test
  void aDownloadEndsWithItsPair() throws Exception {
    try (var door = new SignedDoor("storage.s3.object_bytes", "64MiB")) {
      Caller main = door.tenant("main");
      assertThat(main.put("/b12", "")).isEqualTo("200");
      assertThat(
              main.send("PUT", "/b12/large", BodyPublishers.ofByteArray(new byte[LARGE])).status())
          .isEqualTo(200);
      Caller leaver = door.tenant("main");
      SignedRequest get = leaver.signed(leaver.unsigned("GET", "/b12/large"));
      try (var client = new RawClient(door.port())) {
        client.socket().setReceiveBufferSize(64 << 10);
        client.send(head(get, 0));
        assertThat(client.head()).startsWith("HTTP/1.1 200");
        door.revoke(leaver);
        // The client's own connection stays; the other ends though nothing is read from it.
        door.awaitConnections(1);
        assertThat(read(client.socket().getInputStream())).isLessThan(LARGE);
      }
    }
  }

  /** Until the door has ended it, in whichever way. */
  private static int read(InputStream in) {
    byte[] piece = new byte[64 << 10];
    int count = 0;
    try {
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        count += read;
      }
    } catch (IOException reset) {
      // as good as an end
    }
    return count;
  }

  @Test
  void aFormIsHeldToThePairThatSignedIt() throws Exception {
    try (var door = new SignedDoor("storage.s3.object_bytes", "64MiB")) {
      Caller main = door.tenant("main");
      assertThat(main.put("/b12", "")).isEqualTo("200");
      Caller slow = door.tenant("main", new Caveat.Rate(1));
      var told = new HashSet<String>();
      for (int i = 0; i < 5; i++) {
        told.add(post(door, form(slow, "x"), form(slow, "x").length()));
      }
      assertThat(told).containsExactlyInAnyOrder("204", "503 SlowDown");

      Caller small = door.tenant("main", new Caveat.Bytes(2000));
      assertThat(post(door, form(small, "x"), form(small, "x").length())).isEqualTo("204");
      String large = form(small, "x".repeat(3000));
      assertThat(post(door, large, large.length())).isIn("403 AccessDenied", "400 EntityTooLarge");

      Caller leaver = door.tenant("main");
      String whole = form(leaver, "x".repeat(UNDER_WAY));
      try (var client = new RawClient(door.port())) {
        client.send(postHead(door, LARGE)).send(whole.substring(0, UNDER_WAY));
        door.revoke(leaver);
        assertThat(SignedDoor.brief(client.rest())).startsWith("403 ");
      }
    }
  }

  /** Who signed a form is known once its fields are read; only then is a limit asked for. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void aSignedFormIsNoStrangersRequest(long strangersPerSecond) throws Exception {
    try (var door = SignedDoor.among(strangers(strangersPerSecond))) {
      Caller main = door.tenant("main");
      assertThat(main.put("/b12", "")).isEqualTo("200");
      String signed = form(main, "x");
      for (int i = 0; i < 5; i++) {
        assertThat(post(door, signed, signed.length())).isEqualTo("204");
      }
      assertThat(main.get("/b12/form")).isEqualTo("200");
    }
  }

  /** What shows no key pair is held to the limits of those, whatever it asks. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET",
        "none such",
        "many parameters",
        "form",
        "cut form",
        "half signed form",
        "preflight"
      })
  void aStrangersRequestsAreBound(String asked) throws Exception {
    String form =
        RawClient.http(
            "--B",
            "Content-Disposition: form-data; name=\"key\"",
            "",
            "form",
            "--B",
            "Content-Disposition: form-data; name=\"file\"",
            "",
            "x",
            "--B--",
            "");
    String cut = form.substring(0, form.indexOf("file"));
    String half = form.replaceFirst("key", "policy");
    try (var door = SignedDoor.among(strangers(1))) {
      assertThat(door.tenant("main").put("/b12", "")).isEqualTo("200");
      var told = new HashSet<String>();
      for (int i = 0; i < 20; i++) {
        told.add(
            switch (asked) {
              case "GET" -> door.anonymous().get("/b12");
              case "none such" -> door.anonymous().send("PUT", "/b12?website", "").brief();
              case "many parameters" -> door.anonymous().get("/b12?" + "a=1&".repeat(129));
              case "form" -> post(door, form, form.length());
              case "cut form" -> post(door, cut, cut.length());
              case "half signed form" -> post(door, half, half.length());
              default -> preflight(door);
            });
      }
      assertThat(told).contains("503 SlowDown");
    }
  }

  private static TenantTerms strangers(long perSecond) {
    return new TenantTerms(Payer.ANONYMOUS, 1, Map.of(TenantLimit.REQUESTS_PER_SECOND, perSecond));
  }

  private static String preflight(SignedDoor door) throws Exception {
    try (var client = new RawClient(door.port())) {
      client.send(
          RawClient.http(
              "OPTIONS /b12/k HTTP/1.1",
              "Host: 127.0.0.1:" + door.port(),
              "Origin: http://page.example",
              "Access-Control-Request-Method: GET",
              "Content-Length: 0",
              "",
              ""));
      return SignedDoor.brief(client.answer());
    }
  }

  private static String postHead(SignedDoor door, int bytes) {
    return RawClient.http(
        "POST /b12 HTTP/1.1",
        "Host: 127.0.0.1:" + door.port(),
        "Content-Type: multipart/form-data; boundary=B",
        "Content-Length: " + bytes,
        "",
        "");
  }

  private static String post(SignedDoor door, String form, int bytes) throws Exception {
    try (var client = new RawClient(door.port())) {
      return SignedDoor.brief(client.send(postHead(door, bytes)).sendAnyway(form).answer());
    }
  }

  private static String form(Caller caller, String file) {
    Instant now = Instant.now();
    String date =
        DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").format(now.atOffset(ZoneOffset.UTC));
    var scope = new CredentialScope(date.substring(0, 8), "us-east-1", "s3");
    String credential = caller.pair().accessKeyId() + "/" + scope.text();
    String json =
        """
        {"expiration":"%s","conditions":[{"x-amz-credential":"%s"},{"x-amz-date":"%s"},
        {"x-amz-algorithm":"AWS4-HMAC-SHA256"},{"bucket":"b12"},{"key":"form"}]}\
        """
            .formatted(now.plusSeconds(60), credential, date);
    String policy = Base64.getEncoder().encodeToString(json.getBytes(UTF_8));
    String[] fields = {
      "policy",
      policy,
      "x-amz-credential",
      credential,
      "x-amz-date",
      date,
      "x-amz-algorithm",
      "AWS4-HMAC-SHA256",
      "x-amz-signature",
      DerivedKey.of(caller.pair().secret(), scope).sign(policy),
      "key",
      "form"
    };
    var body = new StringBuilder();
    for (int i = 0; i < fields.length; i += 2) {
      body.append(
          "--B\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
              .formatted(fields[i], fields[i + 1]));
    }
    return body.append("--B\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n")
        .append(file)
        .append("\r\n--B--\r\n")
        .toString();
  }

  /** Made-up pairs are turned away before their key is computed; a known pair is not. */
  @Test
  void aFloodOfWrongSignaturesSlowsDownStrangersAlone() throws Exception {
    try (var door = SignedDoor.hardened()) {
      Caller main = door.tenant("main");
      assertThat(main.put("/b12", "")).isEqualTo("200");
      Caller late = door.tenant("main");
      var told = new HashSet<String>();
      for (int i = 0; i < 400; i++) {
        var wrong =
            new RequestSigner(
                ServiceRules.S3, late.pair().accessKeyId(), "wrong", Optional.empty(), "us-east-1");
        SignedRequest request =
            wrong
                .sign(late.unsigned("GET", "/b12"), new PayloadMode.Unsigned(), Instant.now())
                .request();
        told.add(door.raw(request, ""));
      }
      assertThat(told).isEqualTo(Set.of("403 SignatureDoesNotMatch", "503 SlowDown"));
      assertThat(main.get("/b12")).isEqualTo("200");
      assertThat(door.anonymous().get("/b12")).isEqualTo("403 AccessDenied");
    }
  }
}
