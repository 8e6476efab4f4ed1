package dev.ron.storage.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.Settings;
import dev.ron.storage.Rig;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class StorageClusterConfigTest {
  @Test
  void everyKeyAndEveryDefault() {
    Settings settings = Settings.load(Map.of(), Map.of(), Optional.empty());
    settings.read("storage", StorageClusterConfig::read);
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
            storage.pools.peer = 0
            storage.durability.ec_data = 6
            storage.durability.ec_parity = 3
            storage.durability.ec_min_bytes = "0B"
            storage.cluster.node = "a"
            storage.cluster.region = "local"
            storage.cluster.peers = { a = "http://127.0.0.1:8083" }
            storage.cluster.etcd = []
            storage.cluster.etcd_prefix = "/ron/storage/"
            storage.cluster.etcd_ttl = "10s"
            storage.cluster.advertise = ""
            storage.cluster.regions = {}
            storage.cluster.weights = {}
            storage.cluster.residency = []
            storage.cluster.grace = "15m"
            storage.cluster.hedge_after = "30ms"
            storage.cluster.hedge_budget = 0.02
            storage.cluster.cap = ""
            storage.cluster.bind = ""
            storage.cluster.tls.cert = ""
            storage.cluster.tls.key = ""
            storage.cluster.tls.ca = ""
            storage.cluster.tls.revoked = ""
            storage.cluster.tls.plaintext = false
            storage.cluster.retry.base = "50ms"
            storage.cluster.retry.max = "2s"
            storage.cluster.retry.tries = 3
            """);
  }

  @Test
  void relationsAreChecked() {
    refused("needs as many data_dirs, there is 1", "durability.replication=2");
    refused("ec_min_bytes = 1MiB needs several", "durability.ec_min_bytes=1MiB");
    String two = "cluster.peers=a=http://127.0.0.1:1,b=http://127.0.0.1:2";
    refused("6 + 3 shards on 2 nodes are 5 on one", "durability.ec_min_bytes=1MiB", two);
    refused("cluster.node = x is not among", "cluster.node=x", two);
    refused("replication = 3 needs as many cluster.peers", "durability.replication=3", two);
    refused("cluster.retry.max = PT2S is less than twice", "cluster.retry.base=1100ms", two);
    refused("cluster.weights names x", "cluster.weights=x=2", two);
    refused("cluster.regions names x", "cluster.regions=x=eu", two);
    refused("amnesia = true with several", "amnesia=true", two);
    refused("which is no http address", "cluster.peers=a=nonsense");
    refused("cluster.etcd has nonsense", "cluster.etcd=nonsense");
    refused("etcd_prefix = /ron must end with /", "cluster.etcd_prefix=/ron");
    refused("advertise has here", "cluster.advertise=here");
    refused("cluster.node = 'a/b' is no name", "cluster.node=a/b");
    String s3 = "tier.s3_endpoint=http://127.0.0.1:9000";
    String keep = "tier.keep_bytes=1GiB";
    refused("with several cluster.peers", s3, "tier.bucket=b", keep, two);
  }

  @Test
  void nodesOnOtherMachinesNeedCertificates() {
    String far = "cluster.peers=a=http://127.0.0.1:1,b=http://10.0.0.2:2";
    refused("http://10.0.0.2:2, which is on another machine", far);
    refused("which is on another machine", "cluster.peers=a=http://127.0.0.1:1,b=http://b.test:2");
    refused(
        "which is on another machine",
        "cluster.peers=a=http://127.0.0.1:1,b=http://127.0.0.1@b.test:2");
    refused("is weaker than the hardened default", far, "cluster.tls.plaintext=true");
    assertThat(accepted(far, "cluster.tls.plaintext=true", "danger_ok=true").several()).isTrue();
    String secure = "cluster.peers=a=https://10.0.0.1:1,b=https://10.0.0.2:2";
    refused("which needs cluster.tls.cert, key and ca", secure);
    refused("must be set together", secure, "cluster.tls.cert=a.pem");
    refused(
        "nodes meet at this door too",
        "cluster.peers=a=http://127.0.0.1:1,b=http://127.0.0.1:2",
        "tls_certificate=a.pem",
        "tls_key=k.pem");
    String[] tls = {"cluster.tls.cert=a.pem", "cluster.tls.key=k.pem", "cluster.tls.ca=ca.pem"};
    refused("is not https, while cluster.tls", with(tls, far));
    refused("have one port", with(tls, secure, "bind=10.0.0.1:1"));
    assertThat(accepted(with(tls, secure)).peerDoor()).hasToString("10.0.0.1:1");
    assertThat(accepted(with(tls, secure, "cluster.bind=0.0.0.0:7")).peerDoor())
        .hasToString("0.0.0.0:7");
    String etcd = "cluster.etcd=http://127.0.0.1:2379";
    refused("set cluster.bind = host:port", with(tls, etcd));
    refused(
        "bind has http://10.0.0.1:8083, which is on another machine", etcd, "bind=10.0.0.1:8083");
    refused(
        "advertise has http://10.0.0.1:1, which is on another",
        etcd,
        "cluster.advertise=http://10.0.0.1:1");
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }

  private static StorageClusterConfig accepted(String... settings) {
    return Rig.config(Rig.table(Path.of("unused"), settings), StorageClusterConfig::read);
  }

  private static void refused(String words, String... settings) {
    assertThatThrownBy(
            () -> Rig.config(Rig.table(Path.of("unused"), settings), StorageClusterConfig::read))
        .hasMessageContaining(words);
  }
}
