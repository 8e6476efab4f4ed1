package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.words;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.FaultyDisk;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Too many at once, clients that stall or vanish, and the drain under load. */
@Timeout(120)
final class PressureTest {
  /** The system takes a few megabytes for a peer that reads nothing. */
  private static final int MORE_THAN_SOCKETS_HOLD = 24 << 20;

  @TempDir private Path folder;

  @Test
  void aFullQueueIs429WithRetryAfterAndCounted() throws Exception {
    var disk = new FaultyDisk(new SystemTime(), new SplittableRandom(1));
    try (Rig rig = Rig.on(disk, Path.of("/slow"), "pools.put=1", "pools.work=2")) {
      disk.slow(Duration.ofMillis(200));
      var statuses = new ConcurrentHashMap<Integer, AtomicInteger>();
      var rests = ConcurrentHashMap.<String>newKeySet();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        byte[] object = bytes(i, 1000);
        clients.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        HttpResponse<byte[]> answer = rig.put(object);
                        statuses
                            .computeIfAbsent(answer.statusCode(), _ -> new AtomicInteger())
                            .incrementAndGet();
                        if (answer.statusCode() == 429) {
                          assertThat(words(answer))
                              .contains("\"code\":\"busy\"")
                              .contains("work is full at 2");
                          rests.add(answer.headers().firstValue("Retry-After").orElse("none"));
                        }
                      } catch (Exception e) {
                        statuses.computeIfAbsent(-1, _ -> new AtomicInteger()).incrementAndGet();
                      }
                    }));
      }
      for (Thread client : clients) {
        client.join();
      }
      assertThat(statuses.keySet()).containsExactlyInAnyOrder(201, 429);
      assertThat(statuses.get(201).get()).isBetween(1, 19);
      assertThat(rests).containsExactly("1");
      assertThat(rig.metricValue("busy_rejections_total{endpoint=\"/o/{address}\"}"))
          .isEqualTo(statuses.get(429).get());
      disk.slow(Duration.ZERO);
      assertThat(rig.put(bytes(0, 1000)).statusCode())
          .as("afterwards it takes again")
          .isIn(200, 201);
      assertThat(rig.metricValue("queue_depth{queue=\"work\"}")).isZero();
      assertThat(rig.metricValue("queue_depth{queue=\"put\"}")).isZero();
    }
  }

  @Test
  void bodiesInMemoryHaveALimitTogether() throws Exception {
    var disk = new FaultyDisk(new SystemTime(), new SplittableRandom(1));
    try (Rig rig = Rig.on(disk, Path.of("/slow"), "body_memory=2MiB", "pools.put=1")) {
      disk.slow(Duration.ofMillis(100));
      var busy = new AtomicInteger();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        byte[] object = bytes(i, 1 << 20);
        clients.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        if (words(rig.put(object)).contains("body_memory")) {
                          busy.incrementAndGet();
                        }
                      } catch (Exception _) {
                        busy.incrementAndGet(); // refused while the body was being sent
                      }
                    }));
      }
      for (Thread client : clients) {
        client.join();
      }
      assertThat(busy.get()).isPositive();
      disk.slow(Duration.ZERO);
      assertThat(rig.put(bytes(9, 1 << 20)).statusCode()).isEqualTo(201);
    }
  }

  @Test
  void readersThatStallHoldNoPlaceAndAreCut() throws Exception {
    byte[] object = bytes(1, MORE_THAN_SOCKETS_HOLD);
    List<Socket> stalled = new ArrayList<>();
    try (Rig rig = Rig.open(folder, "pools.get=1", "put_bytes=32MiB", "danger_ok=true")) {
      rig.put(object);
      for (int i = 0; i < 8; i++) {
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.port()));
        socket
            .getOutputStream()
            .write(
                "GET /o/%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    .formatted(address(object))
                    .getBytes(US_ASCII));
        stalled.add(socket);
      }
      Rig.eventually(
          "all eight are being answered",
          () -> rig.metricValue("inflight_requests{route=\"/o/{address}\"}") == 8);
      // One place for all reads, eight stalled readers, and still all others are served.
      for (int i = 0; i < 3; i++) {
        assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
      }
      Rig.eventually(
          "the stalled are cut after the write timeout",
          () -> rig.metricValue("inflight_requests{route=\"/o/{address}\"}") == 0);
      assertThat(rig.metricValue("queue_depth{queue=\"get\"}")).isZero();
    } finally {
      for (Socket socket : stalled) {
        socket.close();
      }
    }
  }

  @Test
  void writersThatStallOrVanishLeaveNothing() throws Exception {
    byte[] object = bytes(1, 500_000);
    try (Rig rig = Rig.open(folder, "pools.put=1")) {
      for (int i = 0; i < 5; i++) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), rig.port())) {
          socket
              .getOutputStream()
              .write(
                  "PUT /o/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n"
                      .formatted(address(object))
                      .getBytes(US_ASCII));
          socket.getOutputStream().write(object, 0, 200_000);
          assertThat(rig.put(bytes(10 + i, 1000)).statusCode()).as("others go on").isEqualTo(201);
        }
      }
      Rig.eventually(
          "gone", () -> rig.metricValue("inflight_requests{route=\"/o/{address}\"}") == 0);
      assertThat(rig.get("/o/" + address(object)).statusCode()).isEqualTo(404);
      assertThat(rig.put(object).statusCode()).isEqualTo(201);
      assertThat(rig.metricValue("integrity_fail_total"))
          .as("a vanished client is no damage")
          .isZero();
    }
  }

  @Test
  void theDrainFinishesRunningTransfers() throws Exception {
    byte[] object = bytes(1, 1 << 20);
    try (Rig rig = Rig.open(folder);
        var slow = new Socket(InetAddress.getLoopbackAddress(), rig.port())) {
      rig.put(object);
      slow.getOutputStream()
          .write(
              "GET /o/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                  .formatted(address(object))
                  .getBytes(US_ASCII));
      InputStream in = slow.getInputStream();
      byte[] first = in.readNBytes(1000);
      DrainReport[] report = new DrainReport[1];
      Thread drain =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      report[0] = rig.drain();
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  });
      byte[] rest = in.readAllBytes();
      drain.join();
      assertThat(first.length + rest.length).isGreaterThan(1 << 20);
      assertThat(report[0].requestsCut()).isZero();
      assertThat(report[0].tasksAborted()).isZero();
    }
  }

  @Test
  void theDrainCutsAndCountsWhatDoesNotEnd() throws Exception {
    byte[] object = bytes(1, MORE_THAN_SOCKETS_HOLD);
    try (Rig rig = Rig.open(folder, "put_bytes=32MiB", "danger_ok=true")) {
      rig.put(object);
      try (var stuck = new Socket()) {
        stuck.setReceiveBufferSize(4096);
        stuck.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.port()));
        stuck
            .getOutputStream()
            .write(
                "GET /o/%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    .formatted(address(object))
                    .getBytes(US_ASCII));
        Rig.eventually(
            "it is being answered",
            () -> rig.metricValue("inflight_requests{route=\"/o/{address}\"}") == 1);
        DrainReport report = rig.drain();
        assertThat(report.requestsCut()).isEqualTo(1);
        assertThat(report.tasksAborted()).isZero();
        assertThat(rig.metricValue("tasks_aborted_total{kind=\"http\"}")).isEqualTo(1);
      }
    }
  }
}
