package dev.ron.node.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.tls.DevCertificate;
import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@ResourceLock(Resources.SYSTEM_OUT)
final class StatusCommandTest {
  @TempDir private Path data;

  @Test
  void aNodeThatIsReadyIsWellAndOneThatIsGoneIsNot() throws Exception {
    String admin;
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "mailbox,storage"))) {
      admin = node.node().adminUrl();
      Said said = Said.by("status", "--url", admin);
      assertThat(said.exit()).as(said.out() + said.err()).isZero();
      assertThat(said.out())
          .containsPattern("mailbox +http://127.0.0.1:\\d+ +yes")
          .containsPattern("s3 +http://127.0.0.1:\\d+ +yes")
          .endsWith("it is well\n");
      assertThat(Said.by("status", "--json", "--url", admin).out())
          .startsWith("{\"well\":true,\"services\":[{\"service\":");
    }
    Said gone = Said.by("status", "--url", admin);
    assertThat(gone.exit()).isEqualTo(1);
    assertThat(gone.err()).contains("no node answers at " + admin);
  }

  /** The door's name is not the address that is dialled, and nothing here trusts who signed it. */
  @Test
  void aDoorWithACertificateOfItsOwnIsWell() throws Exception {
    DevCertificate pair = DevCertificate.make(data.resolve("tls"), Instant.now());
    try (RunningNode node =
        RunningNode.start(
            data.resolve("node"),
            Map.of(
                "gateway.tls_certificate",
                pair.certificate().toString(),
                "gateway.tls_key",
                pair.key().toString()))) {
      Said said = Said.by("status", "--admin", node.node().adminUrl());
      assertThat(said.out())
          .containsPattern("gateway +https://127.0.0.1:\\d+ +yes")
          .endsWith("it is well\n");
      assertThat(said.exit()).isZero();
      assertThat(Said.by("top", "--json", "--admin", node.node().adminUrl()).out())
          .contains("{\"service\":\"gateway\",\"ready\":true,");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "top"})
  void anotherDoorIsNamedAsSuch(String command) throws Exception {
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "mailbox"))) {
      String wrong = node.url("mailbox");
      Said said = Said.by(command, "--admin", wrong);
      assertThat(said.exit()).isEqualTo(1);
      assertThat(said.out()).isEmpty();
      assertThat(said.err())
          .startsWith("ron: " + wrong + " is no admin door (")
          .contains("--admin");
    }
  }

  @Test
  void whatIsNotReadyIsNamedWithWhatItLacks() {
    List<ServiceState> sick =
        ServiceState.of(
            """
            {"services":[{"service":"admin","url":"","tasks":[],"ready":true,"missing":""},\
            {"service":"storage","url":"http://s","ready":false,"missing":"disk: is full"}]}\
            """);
    assertThat(StatusCommand.text(sick, false, false))
        .contains("storage  http://s  NO     disk: is full")
        .endsWith("it is NOT well: 1 of 1");
    assertThat(ServiceState.of("nonsense")).isEmpty();
  }
}
