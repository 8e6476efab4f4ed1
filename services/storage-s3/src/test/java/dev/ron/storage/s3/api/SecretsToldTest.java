package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.time.SystemTime;
import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.s3.api.SignedDoor.Caller;
import dev.ron.testkit.RawClient;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However a request goes wrong, neither the log nor the answer says a secret of it. */
@Timeout(60)
final class SecretsToldTest {
  private static final String OBJECT = "x-amz-server-side-encryption-customer-";
  private static final String SOURCE = "x-amz-copy-source-server-side-encryption-customer-";
  private static final byte[] KEY = "a key of thirty-two bytes, known".getBytes(UTF_8);
  private static final String KEY_TEXT = Base64.getEncoder().encodeToString(KEY);

  private final Queue<String> logged = new ConcurrentLinkedQueue<>();
  private final List<String> answers = new ArrayList<>();
  private final Set<String> secrets = new HashSet<>(Set.of(KEY_TEXT));

  @Test
  void noLineAndNoAnswerSaysASecret() throws Exception {
    var log =
        new Log("s3", LogLine.Level.DEBUG, new SystemTime()::wall, line -> logged.add(line.json()));
    try (var door = SignedDoor.logging(log)) {
      Caller main = door.tenant("main");
      Caller session =
          door.of(main.pair().attenuateSession(new Caveat.Operation(Set.of("get", "put"))));
      assertThat(main.put("/b12", "")).isEqualTo("200");
      for (Caller caller : List.of(main, session)) {
        secrets.add(caller.pair().secret());
        for (String target :
            List.of("/b12/k", "/b12/k?a=|^", "/none-such/k", "/b12/k?versionId=x")) {
          for (String method : List.of("PUT", "GET", "POST", "BREW")) {
            ask(door, caller, caller.unsigned(method, target));
          }
        }
        ask(door, caller, keyed(caller.unsigned("PUT", "/b12/sealed"), OBJECT, KEY_TEXT));
        ask(door, caller, keyed(caller.unsigned("GET", "/b12/sealed"), OBJECT, KEY_TEXT));
        ask(door, caller, keyed(caller.unsigned("GET", "/b12/k"), OBJECT, KEY_TEXT));
        ask(door, caller, keyed(caller.unsigned("PUT", "/b12/half"), OBJECT, KEY_TEXT + "A"));
        SignedRequest copy =
            caller.unsigned("PUT", "/b12/copy", "x-amz-copy-source", "/b12/sealed");
        ask(door, caller, keyed(copy, SOURCE, KEY_TEXT));
        ask(door, caller, keyed(keyed(copy, SOURCE, KEY_TEXT), OBJECT, KEY_TEXT));
      }
    }
    assertThat(answers)
        .hasSizeGreaterThan(100)
        .anyMatch(answer -> answer.startsWith("HTTP/1.1 200 "))
        .anyMatch(answer -> answer.contains("<CanonicalRequest>"))
        .noneMatch(answer -> answer.startsWith("HTTP/1.1 500 "));
    assertThat(answers)
        .as("stored with the client's key")
        .anyMatch(answer -> answer.contains(OBJECT + "algorithm: AES256"));
    assertThat(logged).hasSizeGreaterThan(100);
    for (String secret : secrets) {
      assertThat(answers).noneMatch(answer -> answer.contains(secret));
      assertThat(logged).noneMatch(line -> line.contains(secret));
    }
  }

  private static SignedRequest keyed(SignedRequest request, String names, String key)
      throws Exception {
    byte[] md5 = MessageDigest.getInstance("MD5").digest(KEY);
    return request
        .with(names + "algorithm", "AES256")
        .with(names + "key", key)
        .with(names + "key-md5", Base64.getEncoder().encodeToString(md5));
  }

  /** Sends it signed both ways, as it is and with something that breaks the signature. */
  private void ask(SignedDoor door, Caller caller, SignedRequest request) throws Exception {
    SignedRequest inField = caller.signed(request);
    SignedRequest inQuery = caller.signer().presign(request, Duration.ofMinutes(1), Instant.now());
    secrets.add(signature(SignedDoor.text(inField, 0)));
    secrets.add(signature(SignedDoor.text(inQuery, 0)));
    for (SignedRequest each : List.of(inField, inQuery)) {
      String text = SignedDoor.text(each, 4);
      send(door, text);
      send(door, text.replaceFirst("/b12/", "/b12/x"));
      send(door, text.replaceFirst("Signature=", "Signature=0"));
      send(door, text.replaceFirst("aws4_request", "aws4"));
      send(door, text.replaceFirst("Content-Length: 4", "Content-Length: x"));
    }
  }

  private static String signature(String text) {
    return text.replaceAll("(?s).*Signature=([0-9a-f]{64}).*", "$1");
  }

  private void send(SignedDoor door, String text) throws IOException {
    try (var client = new RawClient(door.port())) {
      client.send(text).sendAnyway("body");
      answers.add(client.answer());
    }
  }
}
