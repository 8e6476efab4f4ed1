package dev.ron.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.Settings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class StorageConfigTest {
  @Test
  void everyKeyAndEveryDefault() {
    Settings settings = Settings.load(Map.of(), Map.of(), Optional.empty());
    settings.read("storage", StorageConfig::read);
    settings.check();
    assertThat(
            settings.catalogue().of("storage").entries().stream()
                .map(entry -> entry.path() + " = " + entry.text())
                .collect(Collectors.joining("\n", "", "\n")))
        .isEqualTo(
            """
            storage.danger_ok = false
            storage.bind = "127.0.0.1:8083"
            storage.tls_certificate = ""
            storage.tls_key = ""
            storage.uds = ""
            storage.uds_uids = ["0"]
            storage.server.read_timeout = "5s"
            storage.server.write_timeout = "5s"
            storage.server.idle_timeout = "1m"
            storage.server.max_connections = 1024
            storage.server.max_inflight = 512
            storage.server.max_rps = 500
            storage.server.max_body_bytes = "1MiB"
            storage.data_dirs = ["./data/storage"]
            storage.public_read = true
            storage.verify = "always"
            storage.amnesia = false
            storage.put_bytes = "1MiB"
            storage.object_bytes = "16GiB"
            storage.body_memory = "64MiB"
            storage.memory_bytes = "64MiB"
            storage.free_min = "64MiB"
            storage.hot.memory = "64MiB"
            storage.hot.age = "10m"
            storage.transfer_limit = "1h"
            storage.disk_timeout = "30s"
            storage.pools.get = 0
            storage.pools.put = 0
            storage.pools.work = 512
            storage.events = 1024
            storage.uploads.max = 128
            storage.uploads.expire = "1d"
            storage.durability.replication = 1
            storage.durability.write_quorum = 0
            storage.durability.repair_rate = "50MiB/s"
            storage.durability.repair_workers = 2
            storage.durability.repair_queue = 256
            storage.durability.plan_period = "1m"
            storage.durability.scrub_period = "7d"
            storage.durability.delete_grace = "1d"
            storage.tier.s3_endpoint = ""
            storage.tier.bucket = ""
            storage.tier.region = "us-east-1"
            storage.tier.prefix = ""
            storage.tier.access_key = ""
            storage.tier.secret_key = ""
            storage.tier.keep_bytes = "0B"
            storage.tier.rest = "1h"
            storage.tier.period = "1m"
            """);
  }

  @Test
  void relationsAreChecked() {
    refused("needs as many data_dirs, there is 1", "durability.replication=2");
    refused("names a directory twice", "data_dirs=a,./a");
    refused("is nowhere to store", "data_dirs=[]");
    refused(
        "write_quorum = 3 is more than durability.replication = 2",
        "data_dirs=a,b",
        "durability.replication=2",
        "durability.write_quorum=3");
    refused(
        "put_bytes = 8MiB is more than object_bytes",
        "put_bytes=8MiB",
        "object_bytes=4MiB",
        "danger_ok=true");
    refused("put_bytes", "put_bytes=2MiB");
    refused("repair_rate = 1KiB/s", "durability.repair_rate=1KiB/s");
    String s3 = "tier.s3_endpoint=http://127.0.0.1:9000";
    refused("bucket is blank, but s3_endpoint is set", s3);
    refused("tier.keep_bytes = 0B with tier.s3_endpoint", s3, "tier.bucket=b");
    refused("is no http or https URL", "tier.s3_endpoint=here", "tier.bucket=b");
    refused("an S3 key is blank", s3, "tier.bucket=b", "tier.access_key=a");
    String keep = "tier.keep_bytes=1GiB";
    refused("prefix = p does not end in /", s3, "tier.bucket=b", "tier.prefix=p", keep);
    refused("with amnesia = true", s3, "tier.bucket=b", keep, "amnesia=true");
  }

  @Test
  void theQuorumIsTheMajority() {
    for (int[] row : new int[][] {{1, 0, 1}, {2, 0, 2}, {3, 0, 2}, {3, 1, 1}, {3, 3, 3}}) {
      StorageConfig config =
          Rig.config(
              Rig.table(
                  Path.of("x"),
                  "data_dirs=a,b,c",
                  "durability.replication=" + row[0],
                  "durability.write_quorum=" + row[1]),
              StorageConfig::read);
      assertThat(config.durability().quorum()).isEqualTo(row[2]);
    }
  }

  private static void refused(String words, String... settings) {
    assertThatThrownBy(
            () -> Rig.config(Rig.table(Path.of("unused"), settings), StorageConfig::read))
        .hasMessageContaining(words);
  }
}
