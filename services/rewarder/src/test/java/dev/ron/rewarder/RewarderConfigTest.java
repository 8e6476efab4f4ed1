package dev.ron.rewarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.Settings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class RewarderConfigTest {
  @Test
  void everyKeyAndEveryDefault() {
    Settings settings = Settings.load(Map.of(), Map.of(), Optional.empty());
    settings.read("rewarder", RewarderConfig::read);
    settings.check();
    assertThat(
            settings.catalogue().of("rewarder").entries().stream()
                .map(entry -> entry.path() + " = " + entry.text())
                .collect(Collectors.joining("\n", "", "\n")))
        .isEqualTo(
            """
            rewarder.danger_ok = false
            rewarder.bind = "127.0.0.1:8084"
            rewarder.tls_certificate = ""
            rewarder.tls_key = ""
            rewarder.uds = ""
            rewarder.uds_uids = ["0"]
            rewarder.server.read_timeout = "5s"
            rewarder.server.write_timeout = "5s"
            rewarder.server.idle_timeout = "1m"
            rewarder.server.max_connections = 1024
            rewarder.server.max_inflight = 512
            rewarder.server.max_rps = 500
            rewarder.server.max_body_bytes = "1MiB"
            rewarder.workers = 0
            rewarder.queue = 512
            rewarder.events = 1024
            rewarder.artifacts = "./data/rewarder"
            rewarder.inputs = "storage"
            rewarder.storage_url = "http://127.0.0.1:8083"
            rewarder.storage_cap = ""
            rewarder.inputs_folder = "./data/rewarder/inputs"
            rewarder.amnesia = false
            rewarder.require_signed_policy = true
            rewarder.post_quantum = false
            rewarder.policy_keys = []
            rewarder.memory_bytes = "64MiB"
            rewarder.decoded_bytes = "256GiB"
            rewarder.decoded_ratio = 200
            rewarder.amnesia_bytes = "256MiB"
            rewarder.upstream_timeout = "5s"
            rewarder.epoch_duration = "1d"
            rewarder.ledger.sink = "embedded"
            rewarder.ledger.url = ""
            rewarder.ledger.topic = "settlements"
            rewarder.ledger.cap = ""
            rewarder.ledger.accounts = 1000000
            """);
  }

  @Test
  void relationsAreChecked() {
    refused("ledger.url = \"\" must be an http address", "ledger.sink=http");
    refused("ledger.url = \"ftp://x\"", "ledger.sink=mailbox", "ledger.url=ftp://x");
    refused("storage_url = \"\"", "inputs=storage", "storage_url=");
  }

  private static void refused(String words, String... settings) {
    assertThatThrownBy(() -> Rig.config(Path.of("unused"), Rig.table(settings)))
        .hasMessageContaining(words);
  }
}
