package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.RawClient;
import io.netty.util.internal.PlatformDependent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Everything at once for ten minutes: answers large and small, uploads, timeouts, vanishing
 * clients, reloads. Heap and direct memory after a collection stay where they were once warm.
 *
 * <p>{@code -Dron.soak.seconds=60} makes it shorter.
 */
@Tag("long")
final class SoakTest {
  private static final long SECONDS = Long.getLong("ron.soak.seconds", 600);
  private static final long MIB = 1 << 20;

  @Test
  void memoryIsFlat() throws Exception {
    try (Backend backend = new Backend(Duration.ofMillis(2), 0);
        Rig rig = Rig.open(settings(backend.port(), 8))) {
      var stop = new AtomicBoolean();
      var asked = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 16; t++) {
        var random = new SplittableRandom(t);
        threads.add(
            Thread.startVirtualThread(
                () -> {
                  while (!stop.get()) {
                    one(rig, random);
                    asked.incrementAndGet();
                  }
                }));
      }
      long begun = System.nanoTime();
      Rig.pause(SECONDS * 1000 / 5);
      long warm = usedBytes();
      long warmDirect = PlatformDependent.usedDirectMemory();
      int turn = 0;
      while (System.nanoTime() - begun < SECONDS * 1_000_000_000L) {
        rig.wired.reload().accept(Rig.config(settings(backend.port(), 2 + turn++ % 8)));
        Rig.pause(1000);
      }
      long last = usedBytes();
      long lastDirect = PlatformDependent.usedDirectMemory();
      stop.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.printf(
          "soak: %d requests in %d s; heap %d -> %d KiB, direct %d -> %d KiB%n",
          asked.get(), SECONDS, warm >> 10, last >> 10, warmDirect >> 10, lastDirect >> 10);
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
      assertThat(last).as("heap after a collection").isLessThan(warm + 16 * MIB);
      assertThat(lastDirect).as("direct memory").isLessThan(warmDirect + 16 * MIB);
      assertThat(asked.get()).isPositive();
    }
  }

  private static String[] settings(int port, int places) {
    return new String[] {
      "drr.tenant_header=X-Tenant",
      "limits.body_bytes=4MiB",
      Rig.route("timeout=\"1s\",max_concurrent=" + places, port)
    };
  }

  private static void one(Rig rig, SplittableRandom random) {
    String tenant = "X-Tenant: t" + random.nextInt(5);
    try (var client = rig.connect()) {
      switch (random.nextInt(8)) {
        case 0 -> client.send(get("/bytes/200000", tenant)).answer();
        case 1 -> client.send(put(tenant, 150_000) + "x".repeat(150_000)).answer();
        case 2 -> {
          client.sendAnyway(put(tenant, 150_000) + "x".repeat(90_000));
          client.socket().setSoLinger(true, 0);
        }
        case 3 -> client.send(get("/hang", tenant + "\r\nRequest-Timeout: 30ms")).answer();
        case 4 -> {
          client.send(get("/work", tenant));
          client.socket().setSoLinger(true, 0);
        }
        case 5 -> client.send("GET /x HTTP/1.1\nHost: a\r\n\r\n").rest();
        default -> {
          for (int i = 0; i < 20; i++) {
            client.send(get("/work", tenant)).answer();
          }
        }
      }
    } catch (Exception cut) {
      // a connection that was cut at its deadline is one of the things that happen here
    }
  }

  private static String get(String path, String fields) {
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n";
  }

  private static String put(String fields, int length) {
    return RawClient.http(
        "PUT /mirror HTTP/1.1", "Host: a", "Content-Length: " + length, fields, "", "");
  }

  private static long usedBytes() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Rig.pause(200);
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
