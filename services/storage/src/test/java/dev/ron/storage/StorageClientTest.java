package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.TenantAttempts.ACME;
import static dev.ron.storage.TenantAttempts.DEFAULT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.client.ServiceRefusal;
import dev.ron.client.StorageClient;
import dev.ron.client.StorageClient.Progress;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.testkit.FaultyLink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java client against a whole storage. */
@Timeout(120)
final class StorageClientTest {
  private static final int PART = 1 << 20;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_537, PART, PART + 1, 5 * PART + 77})
  void aFileRoundTrips(int size) throws Exception {
    byte[] object = bytes(size, size);
    Path file = Files.write(folder.resolve("file"), object);
    try (Rig rig = Rig.open(folder.resolve("data"));
        StorageClient client = client(rig.uri(""))) {
      var told = new AtomicLong(-1);
      var stored = client.put(file, (done, _) -> told.accumulateAndGet(done, Math::max));
      assertThat(stored).isEqualTo(new StorageClient.Stored(address(object).toString(), size));
      assertThat(told.get()).isEqualTo(size);
      var out = new ByteArrayOutputStream();
      assertThat(client.get(address(object), out, Progress.NONE)).isEqualTo(size);
      assertThat(out.toByteArray()).isEqualTo(object);
      assertThat(client.verify(address(object), Progress.NONE)).isEqualTo(size);
      assertThat(client.stat(address(object))).hasValue(size);
      assertThat(client.list(null, 10).objects()).containsExactly(stored);
      double sent = rig.metricValue("bytes_in_total");
      assertThat(client.put(file, Progress.NONE)).as("known, so not sent").isEqualTo(stored);
      assertThat(rig.metricValue("bytes_in_total")).isEqualTo(sent);
      assertThat(client.put(new ByteArrayInputStream(object), Progress.NONE)).isEqualTo(stored);
      assertThat(client.delete(address(object))).isTrue();
      assertThat(client.delete(address(object))).isFalse();
      assertThat(client.stat(address(object))).isEmpty();
      assertThatThrownBy(
              () -> client.get(address(object), new ByteArrayOutputStream(), Progress.NONE))
          .isInstanceOf(ServiceRefusal.class);
    }
  }

  /** What is public can be read by the tenant, and goes when the one that has it deletes it. */
  @ParameterizedTest
  @ValueSource(ints = {1000, PART + 1})
  void aFileOfATenantStaysWhenTheTenantThatHadItBeforeDeletesIt(int size) throws Exception {
    byte[] object = bytes(size, size);
    Path file = Files.write(folder.resolve("file"), object);
    var settings = Rig.table(folder.resolve("data"), "public_read=true");
    try (Rig rig = new Rig(settings, new RealDisk(), TenantAttempts.verifier());
        StorageClient first = client(rig.uri(""), DEFAULT);
        StorageClient second = client(rig.uri(""), ACME)) {
      var stored = first.put(file, Progress.NONE);
      assertThat(second.put(file, Progress.NONE)).isEqualTo(stored);
      assertThat(first.delete(address(object))).isTrue();
      assertThat(second.stat(address(object))).hasValue(size);
      double sent = rig.metricValue("bytes_in_total");
      assertThat(second.put(file, Progress.NONE)).as("its own, so not sent").isEqualTo(stored);
      assertThat(rig.metricValue("bytes_in_total")).isEqualTo(sent);
    }
  }

  @Test
  void anInterruptedUploadGoesOnWhereItWas() throws Exception {
    byte[] object = bytes(1, 12 * PART);
    Path file = Files.write(folder.resolve("file"), object);
    try (Rig rig = Rig.open(folder.resolve("data"));
        FaultyLink link =
            new FaultyLink(new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.port()))) {
      URI through = URI.create("http://127.0.0.1:" + link.address().getPort());
      try (StorageClient client = client(through)) {
        assertThatThrownBy(
                () ->
                    client.put(
                        file,
                        (done, _) -> {
                          if (done >= 4L * PART) {
                            link.cut();
                          }
                        }))
            .isInstanceOf(IOException.class);
      }
      double before = rig.metricValue("bytes_in_total");
      assertThat(before).as("some parts arrived, not all").isBetween(4.0 * PART, 11.0 * PART);
      link.heal();
      try (StorageClient client = client(through)) {
        assertThat(client.put(file, Progress.NONE).address()).isEqualTo(address(object).toString());
      }
      assertThat(rig.metricValue("bytes_in_total"))
          .as("no part was sent twice")
          .isEqualTo(12.0 * PART);
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
    }
  }

  @Test
  void aStorageCanFailAReaderButNotDeceiveOne() throws Exception {
    byte[] object = bytes(2, 900_000);
    try (Rig rig = Rig.open(folder.resolve("data"));
        StorageClient client = client(rig.uri(""))) {
      client.put(object);
      Damager.flipInside(folder.resolve("data"), object, 500_000);
      var out = new ByteArrayOutputStream();
      assertThatThrownBy(() -> client.get(address(object), out, Progress.NONE))
          .isInstanceOf(IOException.class);
      byte[] got = out.toByteArray();
      assertThat(got.length).isLessThanOrEqualTo(500_000);
      assertThat(got).isEqualTo(Arrays.copyOf(object, got.length));
    }
  }

  private static StorageClient client(URI base) throws IOException {
    return client(base, "");
  }

  private static StorageClient client(URI base, String token) throws IOException {
    return new StorageClient(Scope.of("test", World.real(Log.silent())), base, token);
  }
}
