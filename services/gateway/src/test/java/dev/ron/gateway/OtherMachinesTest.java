package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.route.OtherMachines;
import dev.ron.http.tls.CertificateAuthority;
import dev.ron.http.tls.PeerTls;
import dev.ron.http.tls.Pem;
import dev.ron.http.tls.PinnedCertificates;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import dev.ron.testkit.FreePorts;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.RecordingOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways of one cluster on loopback, each with a service of its own behind it. */
final class OtherMachinesTest {
  private static final String HOST = "127.0.0.1";

  @TempDir private Path folder;
  private CertificateAuthority authority;
  private RecordingOrigin here;
  private RecordingOrigin there;
  private Machine a;
  private Machine b;

  /** A gateway, as a machine of the cluster. */
  private record Machine(GatewayService.Wired wired, Tree tree) {
    String ask(String head, String body) throws Exception {
      try (var client = new RawClient(wired.door().port())) {
        return client
            .send(
                "%s HTTP/1.1\r\nHost: gate\r\nContent-Length: %d\r\n\r\n%s"
                    .formatted(head, body.length(), body))
            .answer();
      }
    }
  }

  @BeforeEach
  void begin() throws Exception {
    authority = CertificateAuthority.generate("cluster", Instant.now(), Duration.ofDays(1));
    here = new RecordingOrigin();
    there = new RecordingOrigin();
    int first = FreePorts.row(1);
    int second = FreePorts.row(1);
    a = machine("a", here.port(), first, second);
    b = machine("b", there.port(), second, first);
  }

  @AfterEach
  void end() throws Exception {
    a.tree().drain();
    b.tree().drain();
    here.close();
    there.close();
  }

  private Machine machine(String name, int service, int own, int other) throws Exception {
    Scope scope = Scope.of("gateway", World.real(Log.silent()));
    GatewayService.Wired wired =
        GatewayService.wire(
            Rig.config("routes=[" + Rig.table("/v1", "service=\"mailbox\"", service) + "]"),
            scope,
            false,
            List.of(),
            null,
            new OtherMachines(
                Optional.of(new OtherMachines.Door(HOST, own, tls(name))),
                _ -> List.of(HOST + ":" + other)),
            PinnedCertificates.besideOthers(List::of));
    return new Machine(wired, wired.supervisor().start(scope));
  }

  private PeerTls tls(String name) throws IOException {
    KeyPair key = CertificateAuthority.keyPair();
    var made =
        authority.sign(
            new CertificateAuthority.Subject(name, List.of(HOST)),
            key.getPublic(),
            Instant.now(),
            Duration.ofDays(1));
    Path chain = folder.resolve(name + ".pem");
    Path secret = folder.resolve(name + ".key");
    Path ca = folder.resolve("ca.pem");
    Files.writeString(chain, Pem.of(made, authority.certificate()));
    Files.writeString(secret, Pem.of(key.getPrivate()));
    Files.writeString(ca, Pem.of(authority.certificate()));
    return new PeerTls(chain, secret, ca);
  }

  @Test
  void aServiceThatRunsHereIsAskedHere() throws Exception {
    assertThat(a.ask("POST /v1/send", "x")).startsWith("HTTP/1.1 200");
    assertThat(here.requests().stream().filter(each -> each.target().equals("/v1/send")))
        .hasSize(1);
    assertThat(there.requests()).noneMatch(each -> each.target().equals("/v1/send"));
  }

  @Test
  void aServiceThatIsGoneHereIsAskedOnTheOtherMachineOnceAndWithItsClientsName() throws Exception {
    here.close();
    assertThat(Rig.soon(() -> passes(a))).isTrue();
    List<RecordingOrigin.Heard> heard =
        there.requests().stream().filter(each -> each.target().equals("/v1/send")).toList();
    assertThat(heard).hasSize(1);
    assertThat(heard.getFirst().values("x-forwarded-for")).containsExactly("127.0.0.1, 127.0.0.1");
    assertThat(heard.getFirst().values("via")).isNotEmpty();
  }

  /** The first answer that is not a refusal; before the machines know each other there is none. */
  private static boolean passes(Machine machine) {
    try {
      return machine.ask("POST /v1/send", "x").startsWith("HTTP/1.1 200");
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Test
  void aServiceThatIsGoneOnBothIsRefusedAndNotSentInCircles() throws Exception {
    here.close();
    there.close();
    assertThat(a.ask("POST /v1/send", "x")).containsAnyOf("HTTP/1.1 502", "HTTP/1.1 503");
  }
}
