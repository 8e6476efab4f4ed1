package dev.ron.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.Settings;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class StorageS3ConfigTest {
  private static Settings read(Map<String, String> flags) {
    Settings settings = Settings.load(flags, Map.of(), Optional.empty());
    settings.read(
        "storage", section -> StorageS3Config.read(section.section("s3"), StorageS3Config.BIND));
    settings.check();
    return settings;
  }

  @Test
  void everyKeyAndEveryDefault() {
    assertThat(
            read(Map.of()).catalogue().of("storage").entries().stream()
                .map(entry -> entry.path() + " = " + entry.text())
                .collect(Collectors.joining("\n", "", "\n")))
        .isEqualTo(
            """
            storage.danger_ok = false
            storage.s3.bind = "127.0.0.1:8085"
            storage.s3.tls_certificate = ""
            storage.s3.tls_key = ""
            storage.s3.uds = ""
            storage.s3.uds_uids = ["0"]
            storage.s3.domain = ""
            storage.s3.region = "us-east-1"
            storage.s3.object_bytes = "5GiB"
            storage.s3.inline_bytes = "4KiB"
            storage.s3.document_bytes = "2MiB"
            storage.s3.body_memory = "64MiB"
            storage.s3.names.cache_bytes = "64MiB"
            storage.s3.names.memtable_bytes = "16MiB"
            storage.s3.names.checkpoint_period = "30s"
            storage.s3.names.requests = 512
            storage.s3.garbage.grace = "1d"
            storage.s3.garbage.period = "1m"
            storage.s3.lifecycle.day = "1d"
            storage.s3.lifecycle.period = "1h"
            storage.s3.master_keys = ""
            """);
  }

  @Test
  void aCertificateNeedsItsKey() {
    assertThatThrownBy(() -> read(Map.of("storage.s3.tls_certificate", "c.pem")))
        .hasMessageContaining("tls_certificate = c.pem and tls_key = false go together");
  }
}
