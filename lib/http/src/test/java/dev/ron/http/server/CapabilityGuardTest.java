package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.Caveat;
import dev.ron.capability.Grant;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Minting;
import dev.ron.capability.Revocations;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.RawClient;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets past the door. */
@Timeout(60)
class CapabilityGuardTest {
  private final KeyRing keys = KeyRing.generate(new SplittableRandom(1));
  private final Minting minting = new Minting(keys, new SplittableRandom(2));
  private HttpServer server;

  @BeforeEach
  void open() throws Exception {
    var scope = Scope.of("storage", World.real(Log.silent()));
    Inline tenant =
        exchange -> {
          Grant grant = exchange.attachment(Grant.class);
          String name = grant == null ? "anonymous" : grant.tenant().orElse("anybody");
          exchange.answer(Answer.text(200, name));
        };
    server =
        new HttpServer(
            scope,
            HttpServerConfig.on("127.0.0.1", 0),
            Routes.of().get("/o/{address}", "get", tenant).put("/o/{address}", "put", tenant),
            new CapabilityGuard(
                scope,
                new Verifier(new Trust(keys, Revocations.NONE)),
                CapabilityGuard.Needed.FOR_MUTATIONS),
            Decoders.NONE);
    server.open();
  }

  @AfterEach
  void close() throws InterruptedException {
    server.close(Deadline.NEVER);
  }

  @Test
  void readingNeedsNoneAndWritingDoes() throws Exception {
    assertThat(ask("GET", "")).startsWith("HTTP/1.1 200 ").endsWith("anonymous");
    assertThat(ask("PUT", ""))
        .startsWith("HTTP/1.1 401 ")
        .contains("WWW-Authenticate: Bearer", "\"code\":\"unauth\"", "No capability was shown");
  }

  @Test
  void aTokenForTheOperationAndPathIsLetOnWithItsTenant() throws Exception {
    String token = mint(new Caveat.Tenant("acme"), new Caveat.Prefix("/o/"));
    assertThat(ask("PUT", "Bearer " + token)).startsWith("HTTP/1.1 200 ").endsWith("acme");
    assertThat(ask("PUT", "bearer " + token)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void aTokenForSomethingElseIsForbidden() throws Exception {
    assertThat(ask("PUT", "Bearer " + mint(new Caveat.Operation(Set.of("get")))))
        .startsWith("HTTP/1.1 403 ")
        .contains("\"code\":\"forbidden\"");
    assertThat(ask("PUT", "Bearer " + mint(new Caveat.Service(Set.of("mailbox")))))
        .startsWith("HTTP/1.1 403 ");
    assertThat(ask("PUT", "Bearer " + mint(new Caveat.Prefix("/p/")))).startsWith("HTTP/1.1 403 ");
    assertThat(ask("PUT", "Bearer " + mint(new Caveat.Bytes(1)))).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void aBadTokenIsRefusedEvenWhereNoneIsNeededAndNeverRepeated() throws Exception {
    String token = mint();
    String altered = token.substring(0, token.length() - 2) + "AA";
    assertThat(ask("GET", "Bearer " + altered))
        .startsWith("HTTP/1.1 401 ")
        .doesNotContain(altered)
        .doesNotContain(token);
    assertThat(ask("PUT", "Basic " + token)).startsWith("HTTP/1.1 401 ");
  }

  private String mint(Caveat... caveats) {
    return minting.mint(List.of(caveats)).token();
  }

  private String ask(String method, String authorization) throws Exception {
    try (var client = new RawClient(server.port())) {
      String body = method.equals("PUT") ? "Content-Length: 2\r\n" : "";
      String shown = authorization.isEmpty() ? "" : "Authorization: " + authorization + "\r\n";
      return client
          .send(
              "%s /o/b3 HTTP/1.1\r\nHost: a\r\n%s%s\r\n%s"
                  .formatted(method, shown, body, body.isEmpty() ? "" : "ok"))
          .answer();
    }
  }
}
