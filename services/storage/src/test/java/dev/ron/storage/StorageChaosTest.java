package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.SeedRow;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A storage under load: with half of its commit tasks killed, and with {@code work} full. */
@Timeout(180)
final class StorageChaosTest {
  private static final int WRITERS = 4;

  @TempDir private Path folder;

  /** A flush by a commit task kills the task as often as {@code deaths} says. */
  private static final class DeadlyDisk {
    final AtomicInteger deaths = new AtomicInteger();

    Disk disk() {
      return on(new RealDisk(), Disk.class);
    }

    private <T> T on(T real, Class<T> type) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (_, method, arguments) -> {
                if (method.getName().equals("flush")
                    && Thread.currentThread().getName().contains("commit")
                    && deaths.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                  throw new OutOfMemoryError("planted");
                }
                Object answer = call(real, method, arguments);
                return answer instanceof DiskFile file ? on(file, DiskFile.class) : answer;
              }));
    }

    private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
      try {
        return method.invoke(real, arguments);
      } catch (InvocationTargetException thrown) {
        throw thrown.getCause();
      }
    }
  }

  @Test
  @SeedRow("S62")
  void halfOfTheCommitTasksDieUnderLoadAndNothingAcknowledgedIsLost() throws Exception {
    var deadly = new DeadlyDisk();
    var over = new AtomicBoolean();
    try (Rig rig =
            Rig.on(
                deadly.disk(),
                folder.resolve("a"),
                Rig.dirs(folder.resolve("a"), folder.resolve("b")));
        ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      var written = new ArrayList<Future<List<byte[]>>>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int number = writer;
        written.add(writers.submit(() -> write(rig, number, over)));
      }
      Rig.eventually("there is load", () -> rig.metricValue("chunks_written_total") > 20);
      assertThat(ready(rig)).isTrue();
      deadly.deaths.set(1); // one of two
      Rig.eventually("unready", () -> !ready(rig));
      long down = System.nanoTime();
      Rig.eventually("ready again", () -> ready(rig));
      // Restarts begin after 100 to 400 ms.
      assertThat(Duration.ofNanos(System.nanoTime() - down)).isLessThan(Duration.ofSeconds(1));
      double before = rig.metricValue("chunks_written_total");
      Rig.eventually("writes go on", () -> rig.metricValue("chunks_written_total") > before + 20);
      over.set(true);
      int count = 0;
      for (Future<List<byte[]>> each : written) {
        for (byte[] object : each.get(60, TimeUnit.SECONDS)) {
          assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
          count++;
        }
      }
      assertThat(count).isGreaterThan(40);
      assertThat(rig.metric("service_restarts_total{task=\"commit\"}")).isEqualTo("1.0");
    }
  }

  /** What was acknowledged; every other answer is a refusal that says to come again. */
  private static List<byte[]> write(Rig rig, int writer, AtomicBoolean over) throws Exception {
    var acknowledged = new ArrayList<byte[]>();
    for (int i = 0; !over.get() && i < 5_000; i++) {
      byte[] object = bytes(writer * 10_000L + i, 2_000);
      int status = rig.put(object).statusCode();
      assertThat(status).isIn(200, 201, 503);
      if (status != 503) {
        acknowledged.add(object);
      }
    }
    return acknowledged;
  }

  private static boolean ready(Rig rig) {
    try {
      return rig.get("/readyz").statusCode() == 200;
    } catch (Exception broken) {
      throw new AssertionError(broken);
    }
  }

  @Test
  @SeedRow({"S12", "S25", "S49", "S54", "S56"})
  void aFullWorkQueueIsTooManyRequestsAndCounted() throws Exception {
    var disk = new FaultyDisk(new SystemTime(), new SplittableRandom(1));
    try (Rig rig = Rig.on(disk, Path.of("/slow"), "pools.put=1", "pools.work=1");
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      disk.slow(Duration.ofMillis(300));
      var calls = new ArrayList<Callable<HttpResponse<byte[]>>>();
      for (int i = 0; i < 8; i++) {
        byte[] object = bytes(i, 1_000);
        calls.add(() -> rig.put(object));
      }
      int refused = 0;
      var answers = calls.stream().map(callers::submit).toList();
      Rig.eventually("it waits", () -> rig.metricValue("queue_depth{queue=\"work\"}") == 1);
      for (Future<HttpResponse<byte[]>> each : answers) {
        HttpResponse<byte[]> answer = each.get();
        if (answer.statusCode() == 429) {
          refused++;
          assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        } else {
          assertThat(answer.statusCode()).isEqualTo(201);
        }
      }
      disk.slow(Duration.ZERO);
      assertThat(refused).as("one works, one waits").isBetween(1, 6);
      assertThat(rig.metric("busy_rejections_total{endpoint=\"/o/{address}\"}"))
          .isEqualTo(refused + ".0");
    }
  }

  @Test
  @SeedRow({"S35", "S66"})
  void theDoorHasTheBoundsOfItsSettings() throws Exception {
    String[] settings = {
      "server.read_timeout=50ms", "server.write_timeout=50ms", "server.idle_timeout=100ms"
    };
    try (Rig rig = Rig.open(folder, settings);
        var silent = new Socket(InetAddress.getLoopbackAddress(), rig.port());
        var half = new Socket(InetAddress.getLoopbackAddress(), rig.port())) {
      half.getOutputStream().write("GET /hea".getBytes(StandardCharsets.US_ASCII));
      silent.setSoTimeout(20_000);
      half.setSoTimeout(20_000);
      assertThat(silent.getInputStream().read()).as("60 s by default").isEqualTo(-1);
      assertThat(half.getInputStream().read()).as("5 s by default").isIn(-1, (int) 'H');
      Rig.eventually("counted", () -> rig.metricValue("io_timeouts_total{op=\"read\"}") == 1);
    }
  }

  /** Bodies that have not come to their end hold their places. */
  @Test
  @SeedRow("S65")
  void theDoorTakesAsManyRequestsAtATimeAsItIsTold() throws Exception {
    try (Rig rig = Rig.open(folder, "server.max_inflight=3", "pools.work=1");
        var second = begun(rig);
        var third = begun(rig)) {
      Socket first = begun(rig);
      Rig.eventually("three", () -> rig.metricValue("inflight_requests{route=\"/o\"}") == 3);
      HttpResponse<byte[]> fourth = rig.get("/o");
      assertThat(fourth.statusCode()).isEqualTo(429);
      assertThat(fourth.headers().firstValue("Retry-After")).isPresent();
      first.close();
      Rig.eventually("there is room", () -> status(rig, "/o") == 200);
      assertThat(second.isClosed() || third.isClosed()).isFalse();
    }
  }

  @Test
  @SeedRow("S65")
  void theDoorTakesAsManyRequestsASecondAsItIsTold() throws Exception {
    try (Rig rig = Rig.hardened(folder, "server.max_rps=2")) {
      int refused = 0;
      for (int i = 0; i < 20; i++) {
        refused += status(rig, "/o") == 429 ? 1 : 0;
      }
      assertThat(refused).as("of 20 in much less than 9 seconds").isPositive();
      Rig.eventually("a second later there is room", () -> status(rig, "/o") == 200);
    }
  }

  private static int status(Rig rig, String path) {
    try {
      return rig.get(path).statusCode();
    } catch (Exception broken) {
      throw new AssertionError(broken);
    }
  }

  private static Socket begun(Rig rig) throws Exception {
    var socket = new Socket(InetAddress.getLoopbackAddress(), rig.port());
    socket
        .getOutputStream()
        .write(
            "POST /o HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf"
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
