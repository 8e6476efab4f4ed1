package dev.ron.mailbox.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.Settings;
import dev.ron.mailbox.Rig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class MailboxClusterConfigTest {
  @Test
  void everyKeyAndEveryDefault() {
    Settings settings = Settings.load(Map.of(), Map.of(), Optional.empty());
    settings.read("mailbox", MailboxClusterConfig::read);
    settings.check();
    assertThat(
            settings.catalogue().of("mailbox").entries().stream()
                .filter(entry -> entry.path().startsWith("mailbox.cluster."))
                .map(entry -> entry.path() + " = " + entry.text())
                .collect(Collectors.joining("\n", "", "\n")))
        .isEqualTo(
            """
            mailbox.cluster.engine = "local"
            mailbox.cluster.node = "a"
            mailbox.cluster.peers = { a = "127.0.0.1:7101", b = "127.0.0.1:7102", c = "127.0.0.1:7103" }
            mailbox.cluster.bind = ""
            mailbox.cluster.groups = 3
            mailbox.cluster.election = "1s"
            mailbox.cluster.spread = true
            mailbox.cluster.join = false
            mailbox.cluster.founders = []
            mailbox.cluster.log_segment = "32MiB"
            mailbox.cluster.log_entries = 20000
            mailbox.cluster.follower = "forward"
            mailbox.cluster.doors = {}
            mailbox.cluster.tls.cert = ""
            mailbox.cluster.tls.key = ""
            mailbox.cluster.tls.ca = ""
            mailbox.cluster.tls.revoked = ""
            mailbox.cluster.tls.plaintext = false
            """);
  }

  @Test
  void relationsAreChecked() {
    refused(
        "cluster.node = d is not among cluster.peers", "cluster.engine=ratis", "cluster.node=d");
    refused("cluster.engine = ratis needs flush = always", "cluster.engine=ratis", "amnesia=true");
    refused(
        "cluster.follower = redirect needs cluster.doors for each of",
        "cluster.engine=ratis",
        "cluster.follower=redirect",
        "cluster.doors={ a = \"http://127.0.0.1:8082\" }");
  }

  @Test
  void thePeersPortIsNotOpenedToOthersInTheClear() {
    String words = "the peers' port 10.0.0.1:7101 can be reached from elsewhere";
    String ratis = "cluster.engine=ratis";
    String peers = "cluster.peers={ a = \"10.0.0.1:7101\", b = \"10.0.0.2:7101\" }";
    refused(words, ratis, peers);
    refused("must be set together", ratis, peers, "cluster.tls.cert=a.pem");
    refused("danger_ok", ratis, peers, "cluster.tls.plaintext=true");
    refused("port 0.0.0.0:7101 can be reached", ratis, "cluster.bind=0.0.0.0:7101");
    refused("port a.example:7101 can be reached", ratis, "cluster.bind=a.example:7101");
    List<String[]> taken =
        List.of(
            new String[] {ratis, peers, "cluster.tls.plaintext=true", "danger_ok=true"},
            new String[] {
              ratis, peers, "cluster.tls.cert=c", "cluster.tls.key=k", "cluster.tls.ca=a"
            },
            new String[] {ratis, peers, "cluster.bind=127.0.0.1:7101"},
            new String[] {"cluster.engine=local", peers});
    for (String[] each : taken) {
      assertThat(config(each).peers()).hasSize(2);
    }
  }

  private static MailboxClusterConfig config(String... settings) {
    return Rig.config(Path.of("unused"), Rig.table(settings), MailboxClusterConfig::read);
  }

  private static void refused(String words, String... settings) {
    assertThatThrownBy(() -> config(settings)).hasMessageContaining(words);
  }
}
