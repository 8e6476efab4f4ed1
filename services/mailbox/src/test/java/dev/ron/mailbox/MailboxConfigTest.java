package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.Settings;
import dev.ron.testkit.SeedRow;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class MailboxConfigTest {
  @Test
  @SeedRow({"M41", "M42", "M93", "M94", "M95", "M96", "M97"})
  void everyKeyAndEveryDefault() {
    Settings settings = Settings.load(Map.of(), Map.of(), Optional.empty());
    settings.read("mailbox", MailboxConfig::read);
    settings.check();
    assertThat(
            settings.catalogue().of("mailbox").entries().stream()
                .map(entry -> entry.path() + " = " + entry.text())
                .collect(Collectors.joining("\n", "", "\n")))
        .isEqualTo(
            """
            mailbox.danger_ok = false
            mailbox.bind = "127.0.0.1:8082"
            mailbox.tls_certificate = ""
            mailbox.tls_key = ""
            mailbox.uds = ""
            mailbox.uds_uids = ["0"]
            mailbox.server.read_timeout = "5s"
            mailbox.server.write_timeout = "5s"
            mailbox.server.idle_timeout = "1m"
            mailbox.server.max_connections = 1024
            mailbox.server.max_inflight = 512
            mailbox.server.max_rps = 500
            mailbox.server.max_body_bytes = "1MiB"
            mailbox.data = "./data/mailbox"
            mailbox.shard_count = 8
            mailbox.shard_capacity = 4096
            mailbox.dead_capacity = 65536
            mailbox.inbox = 1024
            mailbox.events = 1024
            mailbox.global_inflight = 8192
            mailbox.payload_bytes = "1MiB"
            mailbox.memory_bytes = "32MiB"
            mailbox.index_bytes = "128MiB"
            mailbox.idem_bytes = "128MiB"
            mailbox.visibility_min = "250ms"
            mailbox.visibility_default = "5s"
            mailbox.visibility_max = "12h"
            mailbox.t_replay = "5m"
            mailbox.max_attempts = 5
            mailbox.backoff_base = "200ms"
            mailbox.backoff_max = "1m"
            mailbox.flush = "always"
            mailbox.flush_interval = "20ms"
            mailbox.amnesia = false
            mailbox.snapshot_bytes = "64MiB"
            mailbox.retention.ready = "7d"
            mailbox.retention.dead = "14d"
            mailbox.retention.disk_bytes = "10GiB"
            """);
  }

  @Test
  void relationsAreChecked() {
    refused("visibility_min = PT6S, visibility_default = PT5S", "visibility_min=6s");
    refused("backoff_base = PT2M is more than backoff_max = PT1M", "backoff_base=2m");
    refused(
        "idem_bytes = 1MiB is less than 64KiB for each of shard_count = 32",
        "idem_bytes=1MiB",
        "shard_count=32");
    refused("payload_bytes", "payload_bytes=2MiB");
  }

  private static void refused(String words, String... settings) {
    assertThatThrownBy(() -> Rig.config(Path.of("unused"), Rig.table(settings)))
        .hasMessageContaining(words);
  }
}
