package dev.ron.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.metric.Meter;
import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the S3 door charges, against what its client did. */
@Timeout(120)
class S3UsageTest {
  private static final byte[] NOTHING = {};

  @TempDir private Path folder;

  private static void assertOperations(
      DoorRig rig, long reads, long writes, long lists, long deletes) throws Exception {
    DoorRig.eventually(
        "%d reads, %d writes, %d lists, %d deletes of %s"
            .formatted(reads, writes, lists, deletes, rig.ledger().units()),
        () ->
            rig.ledger().units("main", Meter.Unit.S3_READS) == reads
                && rig.ledger().units("main", Meter.Unit.S3_WRITES) == writes
                && rig.ledger().units("main", Meter.Unit.S3_LISTS) == lists
                && rig.ledger().units("main", Meter.Unit.S3_DELETES) == deletes);
  }

  @Test
  void operationsByTheirClass() throws Exception {
    try (var rig = new DoorRig(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new DoorClient(http, rig.port());
      assertThat(client.put("/bucket", NOTHING)).isEqualTo(200);
      assertThat(client.put("/bucket/one", new byte[10])).isEqualTo(200);
      assertThat(client.put("/bucket/two", new byte[20])).isEqualTo(200);
      assertOperations(rig, 0, 3, 0, 0);
      assertThat(client.get("/bucket/one").statusCode()).isEqualTo(200);
      assertThat(client.send("HEAD", "/bucket/two", NOTHING).statusCode()).isEqualTo(200);
      assertThat(client.get("/bucket/none").statusCode()).as("a refusal").isEqualTo(404);
      assertOperations(rig, 2, 3, 0, 0);
      assertThat(client.get("/bucket?list-type=2").statusCode()).isEqualTo(200);
      assertThat(client.get("/").statusCode()).isEqualTo(200);
      assertOperations(rig, 2, 3, 2, 0);
      assertThat(client.upload("/bucket/three", new byte[30])).isEqualTo(200);
      assertOperations(rig, 2, 6, 2, 0);
      assertThat(client.delete("/bucket/one")).isEqualTo(204);
      assertOperations(rig, 2, 6, 2, 1);
      assertThat(rig.ledger().units("main", Meter.Unit.BYTES_OUT)).isGreaterThanOrEqualTo(10);
      assertThat(rig.ledger().units("main", Meter.Unit.BYTES_IN)).isGreaterThanOrEqualTo(60);
    }
  }

  /** Between what the client's own clock allows, before and after a restart. */
  @Test
  void bytesAreChargedForTheTimeTheyAreKept() throws Exception {
    long bytes = 3_000_000;
    try (var rig = new DoorRig(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new DoorClient(http, rig.port());
      client.put("/bucket", NOTHING);
      long asked = System.nanoTime();
      assertThat(client.put("/bucket/kept", new byte[1_000_000])).isEqualTo(200);
      assertThat(client.upload("/bucket/parts", new byte[2_000_000])).isEqualTo(200);
      assertThat(client.put("/bucket/kept", new byte[1_000_000])).as("again").isEqualTo(200);
      long told = System.nanoTime();
      DoorRig.eventually("charged", () -> charged(rig) > 0);
      assertThat(client.put("/bucket/brief", new byte[5_000_000])).isEqualTo(200);
      assertThat(client.delete("/bucket/brief")).isEqualTo(204);
      long brief = System.nanoTime() - told;
      long least = least(bytes, told);
      rig.drain();
      long most = most(bytes, asked) + most(5_000_000, System.nanoTime() - brief);
      assertThat(charged(rig)).isBetween(least, most);
    }
    long opened = System.nanoTime();
    try (var rig = new DoorRig(folder)) {
      long ready = System.nanoTime();
      DoorRig.eventually("charged after a restart", () -> charged(rig) > 0);
      long least = least(bytes, ready);
      rig.drain();
      assertThat(charged(rig)).isBetween(least, most(bytes, opened));
    }
  }

  private static long charged(DoorRig rig) {
    return rig.ledger().units("main", Meter.Unit.OBJECT_BYTE_SECONDS);
  }

  /** A clock of milliseconds may leave two of them out. */
  private static long least(long bytes, long since) {
    return bytes * ((System.nanoTime() - since) / 1_000_000 - 2) / 1000;
  }

  private static long most(long bytes, long since) {
    return bytes * ((System.nanoTime() - since) / 1_000_000 + 2) / 1000;
  }
}
